import type { NonceState } from "../../../client/api/schemas/accounts.ts";
import { getCommittedNext, type LaneName } from "../../../venue/simulation/committedNonce.ts";
import { nameLane } from "../../../venue/simulation/pool/lanes.ts";
import type { VenueHost } from "../../host/host.ts";

export function viewNonce({ state, pool }: VenueHost, name: LaneName): NonceState {
  const committed = getCommittedNext(state, name);
  const waiting = pool.lane(nameLane(name))?.inOrder() ?? [];
  let next = committed;
  for (const { transaction } of waiting) if (transaction.header.nonce === next) next++;
  const window = name.domain === "trading" ? state.nonceWindow : 0;
  return {
    lane: name,
    scheme: window === 0 ? "sequential" : `window:${window}`,
    committedNext: String(committed),
    pendingNext: String(next),
    pending: waiting.map(({ transaction, id }) => ({ nonce: String(transaction.header.nonce), txId: id })),
  };
}
