import { DOMAINS } from "../../../protocol/action.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const nonceIsEmitted = defineInvariant({
  id: "nonceIsEmitted",
  sentence: "The first event of a committed transaction uses its nonce, in its own lane.",
  rules: ["NON-1", "NON-3"],
  catalogue: ["T01"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const { transaction, code, data, from, actor } = moment;
    if (transaction === undefined || code < 0) return undefined;
    moment.met++;
    const { header } = transaction;
    const name = `transaction ${moment.index}`;
    if (moment.to === moment.from) return `${name} is committed and emits no event`;
    switch (data[from]) {
      case EVENT_CODES.nonceAdvanced: {
        const { account, domain, next } = AT.nonceAdvanced;
        if (data[from + next] !== header.nonce + 1)
          return `${name} has nonce ${header.nonce} and the next one is ${data[from + next]}`;
        const own = header.nonceDomain === "system" ? data[from + account]! < 0 : data[from + account] === actor;
        const lane = DOMAINS[data[from + domain]!] === header.nonceDomain;
        return own && lane ? undefined : `${name} uses a nonce of another lane`;
      }
      case EVENT_CODES.nonceUsed:
        return data[from + AT.nonceUsed.nonce] === header.nonce ? undefined : `${name} uses another nonce`;
      case EVENT_CODES.laneOpened:
      case EVENT_CODES.laneAdvanced:
        return header.signer === header.account.address ? `${name} uses an agent's nonce` : undefined;
      default:
        return `${name} emits another event before that of its nonce`;
    }
  },
});
