/** The effect of an action, by a separate engine that advances by a block, with the action and without. */
import { NONE } from "../../../src/ground/collections/table.ts";
import { AccountKey } from "../../../src/protocol/accountKey.ts";
import { decodePayload } from "../../../src/protocol/codec.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";
import type { Address } from "../../../src/protocol/fields.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { findAccount } from "../../../src/venue/engine/state/accounts.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { openRowsOf, twinOfPosition, twinOfRisk } from "./accountTwin.ts";
import { listDifferences } from "./plain.ts";

/** @param nonce next of the account's lane `trading` */
export function findPreviewFaults(
  state: State,
  { address, nonce, payload }: { readonly address: Address; readonly nonce: number; readonly payload: object },
  said: unknown,
): string[] {
  const { height, timeMs, genesis } = state;
  const account = new AccountKey(address, 0);
  const transaction = createTransaction({
    action: "placeOrder",
    account,
    payload: decodePayload("placeOrder", payload),
    nonceDomain: "trading",
    nonce,
    network: genesis.network,
    validFrom: height + 1,
    validUntil: height + 1,
  });
  const next = { height: height + 1, timeMs: timeMs + 1 };
  const [before, after] = [forkState(state), forkState(state)];
  applyBlock(before, { ...next, transactions: [] });
  const receipt = applyBlock(after, { ...next, transactions: [transaction] }).receipts.at(0);
  const situationOf = (venue: State) => {
    const row = findAccount(venue, account);
    if (row === NONE) return { risk: null, positions: [] };
    return { risk: twinOfRisk(venue, row), positions: openRowsOf(venue, row).map((at) => twinOfPosition(venue, at)) };
  };
  return listDifferences(
    {
      status: receipt.status,
      code: receipt.code ?? null,
      before: situationOf(before),
      after: situationOf(after),
    },
    said,
  );
}
