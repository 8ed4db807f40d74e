/** Renders `docs/reference/rejections.md` from the tables of codes: why a transaction did not apply, in precedence. */
import { NUMBER_MEANINGS, REJECTION_NUMBERS, RESULT_NUMBERS } from "../../src/protocol/rejectionNumbers.ts";
import {
  INVALID_CODES,
  REJECTION_CODES,
  RESULT_CODES,
  type RejectionCode,
  type ResultCode,
} from "../../src/protocol/rejections.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/rejections.md";

const rows = (codes: Readonly<Record<string, string>>) =>
  Object.entries(codes).map(([name, meaning], place) => [`${place + 1}`, code(name), meaning]);

/** Numbers of a code: its forms. */
const formsOf = (forms: readonly string[]) => forms.map((form) => form.split(" ").map(code).join(" ")).join("; ");

/** The same with the numbers of each code. */
const rejections = Object.entries(REJECTION_CODES).map(([name, meaning], place) => [
  `${place + 1}`,
  code(name),
  meaning,
  formsOf(REJECTION_NUMBERS[name as RejectionCode]),
]);
const results = Object.entries(RESULT_CODES).map(([name, meaning], place) => [
  `${place + 1}`,
  code(name),
  meaning,
  formsOf(RESULT_NUMBERS[name as ResultCode]),
]);

export function render(): string {
  return `${generatedFrom("src/protocol/rejections.ts")}
# Why a transaction did not apply

Every transaction of a block has a receipt: \`applied\`, \`rejected\` or \`invalid\`. Of several faults, the one that stands
first in its table is reported; whoever is inadmissible is not looked at further. A code never changes its meaning, and
tables grow only at their end while the protocol version stays, because the place of a code is part of the effects chain.

A third kind of fault never gets this far: text that is no transaction is refused with \`VALIDATION_ERROR\` before it is
hashed ([the wire](wire.md)), and a block that is no block is refused whole with \`INVALID_BLOCK\`.

## Inadmissible

Receipt \`invalid\`. The transaction leaves no other trace: its nonce is not used, and the same transaction may be admitted
in a later block.

${table(["", "code", "when"], rows(INVALID_CODES))}

## Rejected

Receipt \`rejected\`. The transaction is committed: its nonce is used, and nothing else changed. The receipt carries the
numbers that a reader needs to work the rejection out.

A rejected order of a list, and a leg of a group, has \`leg\` as well: its place from 0. Of \`FIELD_REFUSED\` the precedence is that
after \`INTENT_MALFORMED\`; of every other code it is its place.

${table(["", "code", "when", "numbers"], rejections)}

## Of results

Receipt \`applied\`. The result of an order carries the code with its numbers.

${table(["", "code", "when", "numbers"], results)}

## Numbers

Prices of orders are in ticks, other prices in 1e-8 USD, sizes in lots, values in 1e-6 USD. A text stands where there is no number.

${table(
  ["number", "meaning"],
  Object.entries(NUMBER_MEANINGS).map(([name, meaning]) => [code(name), meaning]),
)}
`;
}
