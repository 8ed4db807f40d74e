import type { Payloads } from "../../../../protocol/actions/index.ts";
import type { Line, TransactionLine } from "../script.ts";
import type { Search } from "../search.ts";

/** Up to this number of orders, quadratic passes are tried. */
const ORDERS_MOST = 24;

/**
 * Merges two orders of an account on one side of a market into one of both sizes, at either price and either position.
 */
export function mergeOrders(search: Search): void {
  search.pass = "merge orders";
  for (let second = search.best.lines.length - 1; second > 0 && !search.isOver; second--) {
    if (search.best.lines.filter(isOrder).length > ORDERS_MOST) return;
    for (let first = second - 1; first >= 0 && !search.isOver; first--) {
      if (mergeTwo(search, first, second)) break;
    }
  }
}

function mergeTwo(search: Search, first: number, second: number): boolean {
  const { lines } = search.best;
  const [one, other] = [lines[first], lines[second]];
  if (!isOrder(one) || !isOrder(other) || !isAlike(one, other)) return false;
  const size = payloadOf(one).size + payloadOf(other).size;
  if (!Number.isSafeInteger(size)) return false;
  return [
    lines.with(first, { ...one, payload: { ...one.payload, size } }).toSpliced(second, 1),
    lines.with(second, { ...other, payload: { ...other.payload, size } }).toSpliced(first, 1),
  ].some((merged) => search.tryLines(merged));
}

const isOrder = (line: Line | undefined): line is TransactionLine =>
  line?.kind === "transaction" && line.action === "placeOrder";

const payloadOf = ({ payload }: TransactionLine) => payload as Payloads["placeOrder"];

function isAlike(one: TransactionLine, other: TransactionLine): boolean {
  const [a, b] = [payloadOf(one), payloadOf(other)];
  const { account } = other;
  return (
    a.market === b.market &&
    a.side === b.side &&
    one.account.address === account.address &&
    one.account.subaccount === account.subaccount
  );
}
