import { NONE } from "../../../ground/collections/table.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const committedBelongs = defineInvariant({
  id: "committedBelongs",
  sentence:
    "A committed transaction was signed for this network and these versions by its account, the account's agent, or the authority that may send its action.",
  rules: ["TX-1", "TX-5", "NET-3"],
  catalogue: ["T03"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const { transaction, code, state, actor } = moment;
    if (transaction === undefined || code < 0) return undefined;
    moment.met++;
    const { header, verdict } = transaction;
    const { network, protocolVersion, envelopeVersion, authorities } = state.genesis;
    const name = `transaction ${moment.index}`;
    if (!verdict) return `${name} is committed without a valid signature`;
    if (header.network !== network) return `${name} is for the network ${header.network}`;
    if (header.protocolVersion !== protocolVersion || header.envelopeVersion !== envelopeVersion)
      return `${name} was signed for other versions`;
    if (header.nonceDomain === "system") {
      const keys: readonly string[] = Object.values(authorities);
      return keys.includes(header.signer) && header.signer === header.account.address
        ? undefined
        : `${name} is signed by no authority`;
    }
    return actor === NONE ? `${name} acts for an account that does not exist` : undefined;
  },
});
