import type { Payloads } from "../../../protocol/actions/index.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { RejectionNumbers } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { State } from "../../engine/state/state.ts";
import { formatAmount, formatLots, formatPrice, formatRate, formatShare } from "../../formulas/text.ts";

/** Unit of a number of a rejection; `count` is printed unchanged. */
type Unit = "amount" | "lots" | "ticks" | "price" | "share" | "rate" | "count";

/** Units of numbers that mean the same whatever the code. */
const BY_NAME: Readonly<Record<string, Unit>> = {
  equity: "amount",
  equityFilled: "amount",
  maintenance: "amount",
  maintenanceFilled: "amount",
  orderCost: "amount",
  required: "amount",
  requiredFilled: "amount",
  requiredResting: "amount",
  amount: "amount",
  free: "amount",
  left: "amount",
  value: "amount",
  notional: "amount",
  used: "amount",
  lots: "lots",
  price: "price",
  mark: "price",
  index: "price",
  oracle: "price",
  trigger: "price",
  trail: "price",
  tickSize: "price",
  lotSize: "price",
  slippageMax: "share",
};

/** Units that depend on the code: order prices, and bounds, which have the unit of the value that they bound. */
const BY_CODE: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  NOTHING_TO_DO: { price: "ticks" },
  PRICE_OUT_OF_BAND: { price: "ticks", low: "ticks", high: "ticks" },
  POST_ONLY_WOULD_TAKE: { price: "ticks", best: "ticks" },
  PRICE_REQUIRED: { least: "price" },
  OFF_LOT: { size: "price" },
  REDUCE_ONLY_WOULD_INCREASE: { size: "lots" },
  REDUCE_ONLY_CUT: { filled: "lots", resting: "lots", cancelled: "lots", position: "lots", others: "lots" },
  SIZE_TOO_SMALL: { least: "lots" },
  SIZE_TOO_LARGE: { most: "lots" },
  NOTIONAL_TOO_SMALL: { least: "amount" },
  SLIPPAGE_TOO_LARGE: { slippage: "rate", most: "rate" },
  AUTHORIZATION_ORDER_LIMIT: { most: "amount" },
  AUTHORIZATION_POSITION_LIMIT: { most: "amount" },
  AUTHORIZATION_DAILY_LIMIT: { most: "amount" },
};

function unitOf(code: string, name: string, numbers: RejectionNumbers): Unit {
  if (code === "NUMERIC_LIMIT" && (name === "limit" || name === "most")) return unitOfLimit(numbers);
  return BY_CODE[code]?.[name] ?? BY_NAME[name] ?? "count";
}

/** A storable limit is in the unit of the value that exceeded it; without a number of its own, an amount. */
function unitOfLimit({ lots, price, mark, ticks, rate, most }: RejectionNumbers): Unit {
  if (lots !== undefined) return "lots";
  if (price !== undefined || mark !== undefined) return "price";
  return ticks !== undefined || rate !== undefined || most !== undefined ? "count" : "amount";
}

/**
 * A number of a rejection as a decimal, in the units of traders; a number without a unit stays unchanged.
 *
 * @param rules of the market that it is about; without them lots and ticks stay as they are
 */
export function readNumber(
  code: string,
  name: string,
  numbers: RejectionNumbers,
  rules: MarketParameters | undefined,
): { readonly text: string; readonly unit: Unit } {
  const value = numbers[name]!;
  const unit = unitOf(code, name, numbers);
  if (typeof value === "string" || !Number.isSafeInteger(value)) return { text: `${value}`, unit: "count" };
  switch (unit) {
    case "amount":
      return { text: formatAmount(value), unit };
    case "price":
      return { text: formatPrice(value), unit };
    case "share":
      return { text: formatShare(value), unit };
    case "rate":
      return { text: formatRate(value), unit };
    case "lots":
      return rules === undefined ? { text: `${value}`, unit: "count" } : { text: formatLots(rules, value), unit };
    case "ticks":
      return rules === undefined
        ? { text: `${value}`, unit: "count" }
        : { text: formatPrice(BigInt(value) * BigInt(rules.tickSize)), unit };
    default:
      return { text: `${value}`, unit };
  }
}

/** The numbers of a rejection by name, amounts with their currency. */
export function numberTexts(
  code: string,
  numbers: RejectionNumbers,
  rules: MarketParameters | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(numbers).map((name) => {
      const { text, unit } = readNumber(code, name, numbers, rules);
      return [name, unit === "amount" ? `${text} USD` : text];
    }),
  );
}

/**
 * Rules of the market that a rejected transaction is about: the one it names, its order's, or that of the leg at fault.
 *
 * @param marketOf market of an order that no longer rests, where that is known
 */
export function rulesOf(
  state: State,
  { action, payload }: Transaction,
  numbers: RejectionNumbers | undefined,
  marketOf?: (order: number) => number | undefined,
): MarketParameters | undefined {
  const row = state.marketRows.get(nameOf(state, action, payload, numbers, marketOf) ?? "");
  return row === undefined ? undefined : state.parameters[row];
}

function nameOf(
  { orders, positions, orderIndex, marketNames }: State,
  action: string,
  payload: unknown,
  numbers: RejectionNumbers | undefined,
  marketOf?: (order: number) => number | undefined,
): string | undefined {
  if (action === "placeOrders") {
    const { orders: legs } = payload as Payloads["placeOrders"];
    return legs[(numbers?.["leg"] as number | undefined) ?? 0]?.market;
  }
  if (action === "amendOrder") {
    const { orderId } = payload as Payloads["amendOrder"];
    const row = orderIndex.find(orders, orderId);
    return marketNames[row < 0 ? (marketOf?.(orderId) ?? -1) : positions.market[orders.position[row]!]!];
  }
  return (payload as { readonly market?: string }).market;
}
