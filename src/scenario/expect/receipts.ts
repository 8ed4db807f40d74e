import type { Receipt } from "../../protocol/receipt.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../protocol/rejections.ts";
import { readNumber } from "../../simulation/explain/numberText.ts";
import { type Cell, entriesOf, getText, itemsOf, textOf } from "../parse/cell.ts";
import { either, key, list, map, type Shape, text, word } from "../shape/shape.ts";
import { differs, valueShape } from "./compare.ts";
import { defineExpectation, type Moment, type Outcome } from "./expectation.ts";

const RESULT =
  /^(applied|resting|filled|partiallyFilled|cancelled|amended|armed)(?: REDUCE_ONLY_CUT)?$|^rejected [A-Z_]+$/;
const OUTCOME =
  /^applied(?: (?:resting|filled|partiallyFilled|cancelled|amended|armed)(?: REDUCE_ONLY_CUT)?)?$|^(?:rejected|invalid) [A-Z_]+$/;

/** `applied`, `applied filled`, `rejected CODE`, `invalid CODE`, or a map with the numbers compared or the parts' results. */
export const outcomeShape: Shape = either(
  text("applied, applied filled, rejected CODE or invalid CODE", OUTCOME),
  map(
    {
      applied: key(either(text("a result", RESULT), list(text("a result", RESULT))), "Results of the parts, in order."),
      rejected: key(word(REJECTION_NAMES), "Code of the rejection; other keys are the numbers that it compared."),
      invalid: key(word(INVALID_NAMES), "Code of what is inadmissible."),
    },
    {
      pattern: /^[a-z][a-zA-Z0-9]*$/,
      called: "numbers of the rejection",
      shape: valueShape,
      doc: "A number that the rejection carries, as a decimal: amounts in USD, prices, sizes in units of base.",
    },
  ),
);

export const receipts = defineExpectation({
  shape: list(outcomeShape),
  doc: "Outcomes of the transactions that the block writes, in order: all of them. One that nothing mentions must be applied.",
  check(moment, cell) {
    const items = itemsOf(cell);
    if (items.length !== moment.outcomes.length) {
      moment.fail({
        place: cell.place,
        what: "receipts",
        expected: `${items.length} of them`,
        observed: `${moment.outcomes.length} transactions: ${moment.outcomes.map(({ receipt }) => describeReceipt(receipt)).join(", ")}`,
      });
      return;
    }
    for (const [at, item] of items.entries()) checkOutcome(moment, moment.outcomes[at]!, item);
  },
});

/** Compares one receipt with what was expected of it. */
export function checkOutcome(moment: Moment, outcome: Outcome, cell: Cell): void {
  const { step, receipt, rules } = outcome;
  const observed = describeReceipt(receipt);
  const fail = (expected: string) =>
    moment.fail({
      place: cell.place,
      what: `outcome of ${step.words}`,
      expected,
      observed: describeWithNumbers(outcome),
    });
  if (cell.kind !== "map") {
    const wanted = textOf(cell) ?? "";
    const isMet = wanted === observed || (wanted === "applied" && receipt.status === "applied");
    if (!isMet) fail(wanted);
    return;
  }
  for (const status of ["rejected", "invalid"] as const) {
    const code = getText(cell, status);
    if (code === undefined || observed === `${status} ${code}`) continue;
    fail(`${status} ${code}`);
    return;
  }
  const applied = entriesOf(cell).find((entry) => entry.key === "applied")?.value;
  if (applied !== undefined) {
    checkResults(fail, receipt, applied);
    return;
  }
  for (const { key: name, value } of entriesOf(cell)) {
    if (name === "rejected" || name === "invalid") continue;
    const { code = "", numbers = {} } = receipt;
    const text = numbers[name] === undefined ? "none" : readNumber(code, name, numbers, rules).text;
    const expected = differs(moment, value, text);
    if (expected === undefined) continue;
    moment.fail({
      place: value.place,
      what: `${name} of ${observed}`,
      expected,
      observed: describeWithNumbers(outcome),
    });
  }
}

function checkResults(fail: (expected: string) => void, receipt: Receipt, cell: Cell): void {
  const wanted = cell.kind === "list" ? cell.items.map((item) => textOf(item) ?? "") : [textOf(cell) ?? ""];
  const got = (receipt.results ?? []).map(describeResult);
  if (receipt.status === "applied" && wanted.length === got.length && wanted.every((text, at) => text === got[at]))
    return;
  fail(`applied ${wanted.join(", ")}`);
}

const describeResult = ({ status, code }: { status: string; code?: string }) =>
  code === undefined ? status : `${status} ${code}`;

/** A receipt in words: `applied filled`, `rejected CODE`. */
export function describeReceipt({ status, code, results }: Receipt): string {
  if (status !== "applied") return `${status} ${code}`;
  return results === undefined ? "applied" : `applied ${results.map(describeResult).join(", ")}`;
}

export function describeWithNumbers({ receipt, rules }: Pick<Outcome, "receipt" | "rules">): string {
  const { code = "", numbers = {} } = receipt;
  const texts = Object.keys(numbers).map((name) => `${name}: ${readNumber(code, name, numbers, rules).text}`);
  return texts.length === 0 ? describeReceipt(receipt) : `${describeReceipt(receipt)} {${texts.join(", ")}}`;
}
