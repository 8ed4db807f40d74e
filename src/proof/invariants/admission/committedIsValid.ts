import { defineInvariant } from "../machinery/defineInvariant.ts";

export const committedIsValid = defineInvariant({
  id: "committedIsValid",
  sentence:
    "A transaction commits only at heights within its validity, both ends included. The validity is no longer than the venue allows.",
  rules: ["VAL"],
  catalogue: ["T02"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const { transaction, code, block, state } = moment;
    if (transaction === undefined || code < 0) return undefined;
    moment.met++;
    const { validFrom, validUntil } = transaction.header;
    if (validFrom > block.height || validUntil < block.height)
      return `transaction ${moment.index} is valid from ${validFrom} to ${validUntil} and committed in ${block.height}`;
    return validUntil - validFrom <= state.genesis.validityMax
      ? undefined
      : `transaction ${moment.index} is valid for ${validUntil - validFrom} blocks`;
  },
});
