import { ORDER_OUTCOMES, type Receipt } from "../../../protocol/receipt.ts";
import { INVALID_NAMES, REJECTION_NAMES, RESULT_CODES } from "../../../protocol/rejections.ts";
import { readNumber } from "../../../venue/simulation/explain/numberText.ts";
import type { OrderResult } from "../../../venue/simulation/explain/receiptText.ts";
import { LABEL } from "../compile/label.ts";
import { type Cell, entriesOf, getText, itemsOf, textOf } from "../parse/cell.ts";
import { either, key, list, map, type Shape, text, word } from "../shape/shape.ts";
import { differs, valueShape } from "./compare.ts";
import { defineExpectation, type Moment, type Outcome } from "./expectation.ts";

const CODE = "(?:any|[A-Z_]+)";
const PART = `(?:(?:resting|filled|partiallyFilled|cancelled|amended|armed)(?: REDUCE_ONLY_CUT)?|rejected ${CODE}|any)`;
const RESULT = new RegExp(`^(?:applied|${PART})$`);
const OUTCOME = new RegExp(`^applied(?: ${PART}(?:, ${PART})*)?$|^(?:rejected|invalid) ${CODE}$`);

/** Keys of an outcome or a result that are no number of its code. */
export const OUTCOME_WORDS: readonly string[] = ["applied", "rejected", "invalid"];
export const RESULT_WORDS: readonly string[] = ["result", "rejected", "code", "order", "filled"];

const numbers = {
  pattern: /^[a-z][a-zA-Z0-9]*$/,
  called: "numbers of the code",
  shape: valueShape,
  doc: "A number that the code carries, as a decimal: amounts in USD, prices, sizes in units of base.",
} as const;

const result = either(
  text("a result such as resting, rejected CODE or any", RESULT),
  map(
    {
      result: key(word(ORDER_OUTCOMES), "Outcome of the part."),
      rejected: key(word([...REJECTION_NAMES, "any"]), "Code of the rejection; other keys are its numbers."),
      code: key(word(Object.keys(RESULT_CODES)), "Code of an accepted order; other keys are its numbers."),
      order: key(text("$label or an id in quotes", /^(\$[a-zA-Z][\w-]*|[0-9]+)$/), "The order or the intent."),
      filled: key(valueShape, "Filled of it in this transaction, in base units."),
    },
    numbers,
  ),
);

/**
 * `applied`, `applied filled`, `rejected CODE`, `invalid CODE`, or a map with the numbers compared or the parts'
 * results.
 */
export const outcomeShape: Shape = either(
  text("applied, applied filled, rejected CODE or invalid CODE", OUTCOME),
  map(
    {
      applied: key(either(...result.of, list(result)), "Results of the parts, in order; all of them."),
      rejected: key(
        word([...REJECTION_NAMES, "any"]),
        "Code of the rejection; `any` where it does not matter; other keys are the numbers that it compared.",
      ),
      invalid: key(word([...INVALID_NAMES, "any"]), "Code of an inadmissible transaction."),
    },
    numbers,
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

/** Compares one receipt with its expectation. */
export function checkOutcome(moment: Pick<Moment, "fail" | "idOf">, outcome: Outcome, cell: Cell): void {
  const { step, receipt } = outcome;
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
    if (!isMet(wanted, observed, receipt)) fail(wanted);
    return;
  }
  for (const status of ["rejected", "invalid"] as const) {
    const code = getText(cell, status);
    if (code === undefined || isMet(`${status} ${code}`, observed, receipt)) continue;
    fail(`${status} ${code}`);
    return;
  }
  const applied = entriesOf(cell).find((entry) => entry.key === "applied")?.value;
  if (applied !== undefined) {
    checkResults(moment, outcome, applied);
    return;
  }
  for (const { key: name, value } of entriesOf(cell)) {
    if (OUTCOME_WORDS.includes(name)) continue;
    const text = numberText(outcome, name);
    const expected = differs(moment, value, text, unitOfNumber(name));
    if (expected === undefined) continue;
    moment.fail({
      place: value.place,
      what: `${name} of ${observed}`,
      expected,
      observed: describeWithNumbers(outcome),
    });
  }
}

function numberText({ receipt, rules }: Outcome, name: string): string {
  const { code = "", numbers: found = {} } = receipt;
  return found[name] === undefined ? "none" : readNumber(code, name, found, rules).text;
}

/** The kind of object that a label next to a number of a code names. */
function unitOfNumber(name: string): string {
  if (name === "orderId") return "order";
  return name === "authorization" ? "transaction" : name;
}

/** Whether an outcome in words holds: `applied` for every applied one, `any` for any code or part. */
function isMet(wanted: string, observed: string, { status, results = [] }: Receipt): boolean {
  if (wanted === observed) return true;
  if (wanted === "applied" || wanted === "rejected any" || wanted === "invalid any")
    return wanted.split(" ")[0] === status;
  if (status !== "applied" || !wanted.startsWith("applied ")) return false;
  const parts = wanted.slice("applied ".length).split(", ");
  return parts.length === results.length && parts.every((part, at) => isResult(part, describeResult(results[at]!)));
}

function isResult(wanted: string, observed: string): boolean {
  return wanted === observed || wanted === "any" || (wanted === "rejected any" && observed.startsWith("rejected "));
}

function checkResults(moment: Pick<Moment, "fail" | "idOf">, outcome: Outcome, cell: Cell): void {
  const { step, receipt } = outcome;
  const items = cell.kind === "list" ? cell.items : [cell];
  const got = receipt.results ?? [];
  const isApplied = receipt.status === "applied" && items.length === got.length;
  const texts = items.every(({ kind }) => kind !== "map");
  const isSame = items.every(
    (item, at) => item.kind === "map" || isResult(textOf(item) ?? "", describeResult(got[at] ?? { status: "none" })),
  );
  if (!isApplied || !isSame) {
    moment.fail({
      place: cell.place,
      what: `outcome of ${step.words}`,
      expected: `applied ${items.map(resultWords).join(", ")}`,
      observed: describeWithNumbers(outcome),
    });
    return;
  }
  if (texts) return;
  const read = outcome.results();
  for (const [at, item] of items.entries()) {
    if (item.kind === "map") checkResult(moment, `result ${at + 1} of ${step.words}`, read[at]!, item);
  }
}

/** Compares one result with the values that are expected of it. */
function checkResult(moment: Pick<Moment, "fail" | "idOf">, what: string, result: OrderResult, cell: Cell): void {
  const { orderId, status, code, numbers: found } = result;
  for (const { key: name, value } of entriesOf(cell)) {
    const observe = (): string => {
      switch (name) {
        case "result":
          return status;
        case "rejected":
        case "code":
          return (name === "code") === (status === "rejected") ? "none" : (code ?? "none");
        case "order":
          return orderId ?? "none";
        case "filled":
          return result.filled;
        default:
          return found?.[name] ?? "none";
      }
    };
    const observed = observe();
    if (name === "rejected" && textOf(value) === "any" && observed !== "none") continue;
    const isOrder = name === "order" && LABEL.test(textOf(value) ?? "");
    // A label of an intent names no order of its transaction.
    if (isOrder && moment.idOf(textOf(value)!, "intent") === observed) continue;
    const expected = differs(moment, value, observed, name === "order" ? "order" : unitOfNumber(name));
    if (expected !== undefined) moment.fail({ place: value.place, what: `${name} of ${what}`, expected, observed });
  }
}

function resultWords(cell: Cell): string {
  if (cell.kind !== "map") return textOf(cell) ?? "";
  const rejected = getText(cell, "rejected");
  return rejected === undefined ? (getText(cell, "result") ?? "any") : `rejected ${rejected}`;
}

const describeResult = ({ status, code }: { status: string; code?: string }) =>
  code === undefined ? status : `${status} ${code}`;

/** A receipt in words: `applied filled`, `rejected CODE`. */
export function describeReceipt({ status, code, results }: Receipt): string {
  if (status !== "applied") return `${status} ${code}`;
  return results === undefined ? "applied" : `applied ${results.map(describeResult).join(", ")}`;
}

/** The same with the numbers of its code, and, where its results are given, with those of their codes. */
export function describeWithNumbers({
  receipt,
  rules,
  results,
}: Pick<Outcome, "receipt" | "rules"> & Partial<Pick<Outcome, "results">>): string {
  const { code = "", numbers: found = {} } = receipt;
  const texts = Object.keys(found).map((name) => `${name}: ${readNumber(code, name, found, rules).text}`);
  const words = describeReceipt(receipt);
  if (texts.length > 0) return `${words} {${texts.join(", ")}}`;
  const isPlain = receipt.results?.every((part) => part.numbers === undefined) !== false;
  return isPlain || results === undefined ? words : `applied ${results().map(describeOrderResult).join(", ")}`;
}

function describeOrderResult({ status, code, numbers: found }: OrderResult): string {
  const texts = Object.entries(found ?? {}).map(([name, value]) => `${name}: ${value}`);
  return `${status}${code === null ? "" : ` ${code}`}${texts.length === 0 ? "" : ` {${texts.join(", ")}}`}`;
}
