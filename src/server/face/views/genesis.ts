import type { Genesis } from "../../../client/api/schemas/genesis.ts";
import { genesisText } from "../../../protocol/genesis.ts";
import type { Services } from "../services/services.ts";

/** Genesis, from its canonical text; without accounts if the network shows them to their owners only. */
export function viewGenesis({ host, config }: Services): Genesis {
  const text = genesisText(host.genesis);
  const content = JSON.parse(text) as Genesis["content"];
  const hash = host.domain.genesisHash;
  if (config.accountReads === "public") return { hash, text, content };
  return { hash, text: null, content: { ...content, accounts: null } };
}
