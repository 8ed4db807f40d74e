import { defineInvariant } from "../defineInvariant.ts";

export const committedIsValid = defineInvariant({
  id: "committedIsValid",
  sentence:
    "What commits does so within its validity, both ends included, and that is no longer than the venue allows.",
  rules: ["VAL"],
  catalogue: ["T02"],
  when: "transaction",
  touched(look) {
    const { transaction, code, block, state } = look;
    if (transaction === undefined || code < 0) return undefined;
    look.met++;
    const { validFrom, validUntil } = transaction.header;
    if (validFrom > block.height || validUntil < block.height)
      return `transaction ${look.index} is valid from ${validFrom} to ${validUntil} and committed in ${block.height}`;
    return validUntil - validFrom <= state.genesis.validityMax
      ? undefined
      : `transaction ${look.index} is valid for ${validUntil - validFrom} blocks`;
  },
});
