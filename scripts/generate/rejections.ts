/**
 * Renders `docs/reference/rejections.md` from the tables of codes: the reasons of rejection, in order of precedence.
 */
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

Every transaction of a block has a receipt: \`applied\`, \`rejected\` or \`invalid\`. Of several faults, the receipt reports
the first one in its table; an inadmissible transaction is not checked further. A code never changes its meaning, and
tables grow only at their end while the protocol version stays, because the place of a code is part of the effects chain.

A third kind of fault is found earlier: text that is not a transaction is refused with \`VALIDATION_ERROR\` before it is
hashed ([the wire](wire.md)), and a malformed block is refused whole with \`INVALID_BLOCK\`.

## Inadmissible

Receipt \`invalid\`. The transaction leaves no other trace: its nonce is not used, and the same transaction may be admitted
in a later block.

${table(["", "code", "when"], rows(INVALID_CODES))}

## Rejected

Receipt \`rejected\`. The transaction is committed: its nonce is used, and nothing else changed. The receipt carries the
numbers that explain the rejection.

A rejected order of a list, and a leg of a group, has \`leg\` as well: its place from 0. \`FIELD_REFUSED\` comes
after \`INTENT_MALFORMED\`; every other code has the precedence of its place.

${table(["", "code", "when", "numbers"], rejections)}

## Of results

Receipt \`applied\`. The result of an order carries the code with its numbers.

${table(["", "code", "when", "numbers"], results)}

## Numbers

Prices of orders are in ticks, other prices in 1e-8 USD, sizes in lots, values in 1e-6 USD. Values without a number are texts.

${table(
  ["number", "meaning"],
  Object.entries(NUMBER_MEANINGS).map(([name, meaning]) => [code(name), meaning]),
)}
`;
}
