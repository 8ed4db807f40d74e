import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES, type EventOf, type VenueEvent } from "../../../protocol/events.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ceilDiv, floorDiv } from "../machinery/exact/health.ts";
import { VALUE_SCALE } from "../machinery/exact/units.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

const MILLION = 1_000_000n;

export const fillArithmetic = defineInvariant<TakerSoFar & { height: number }>({
  id: "fillArithmetic",
  sentence:
    "A fill is worth price times size. Taker fees round up once an order, maker fees once a fill. Rebates round down and never exceed the taker fee.",
  rules: ["NUM-1", "NUM-2", "ORD-6", "ORD-7"],
  catalogue: ["G06"],
  when: "events",
  kinds: ["fill", "nonceAdvanced", "laneAdvanced", "nonceUsed", "printed", "orderOpened", "orderAmended"],
  sweepKinds: ["fill"],
  start: () => ({ order: 0, value: 0n, fee: 0n, height: 0 }),
  event(moment, at, taker) {
    const { data, state } = moment;
    const isFill = data[at] === EVENT_CODES.fill;
    // An order of an intent may trade again in a later block with no event in between.
    const height = moment.block.height;
    if (!isFill || data[at + AT.fill.takerOrder] !== taker.order || taker.height !== height) {
      taker.order = isFill ? data[at + AT.fill.takerOrder]! : 0;
      taker.height = height;
      taker.value = 0n;
      taker.fee = 0n;
    }
    if (!isFill) return undefined;
    moment.met++;
    const fault = checkFill(state, readEvent(data, at) as EventOf<"fill">, taker, false);
    return fault === undefined ? undefined : `order ${data[at + AT.fill.makerOrder]}: ${fault}`;
  },
  sweep: (state, step) => check(state, step),
});

function check(state: State, seen: { readonly events: readonly VenueEvent[]; met: number }): string | undefined {
  const { events } = seen;
  for (const { kind } of events) if (kind === "fill") seen.met++;
  // Fees may change within the block; tick and lot never do.
  const changed = new Set(events.flatMap((event) => (event.kind === "marketChanged" ? [event.market] : [])));
  let taker = { order: 0, value: 0n, fee: 0n };
  for (const event of events) {
    // Fills of one taker are consecutive: no event between them enters an order.
    if (ENDS_TAKER.has(event.kind)) taker = { order: 0, value: 0n, fee: 0n };
    if (event.kind !== "fill") continue;
    if (event.takerOrder !== taker.order) taker = { order: event.takerOrder, value: 0n, fee: 0n };
    const fault = checkFill(state, event, taker, changed.has(event.market));
    if (fault !== undefined) return `fill of order ${event.makerOrder}: ${fault}`;
  }
  return undefined;
}

/** Events that separate two taking orders: a nonce, a print, an order that rests or is removed. */
const ENDS_TAKER: ReadonlySet<string> = new Set([
  "nonceAdvanced",
  "laneAdvanced",
  "nonceUsed",
  "printed",
  "orderOpened",
  "orderAmended",
]);

/** The taking order whose fills are being read, with value and fee so far. */
interface TakerSoFar {
  order: number;
  value: bigint;
  fee: bigint;
}

function checkFill(state: State, event: EventOf<"fill">, taker: TakerSoFar, changed: boolean): string | undefined {
  const rules = state.parameters[event.market]!;
  if (event.size <= 0 || event.makerRemaining < 0)
    return `size is ${event.size}, the maker has ${event.makerRemaining} left`;
  const step = (BigInt(rules.tickSize) * BigInt(rules.lotSize)) / VALUE_SCALE;
  const value = BigInt(event.price) * BigInt(event.size) * step;
  if (BigInt(event.value) !== value) return `value ${event.value} is not ${value}`;
  if (event.makerFee + event.takerFee < 0) return `fees ${event.makerFee} and ${event.takerFee} cost the venue money`;
  if (event.liquidation !== 0 && event.takerFee !== 0)
    return `a liquidation order pays a taker fee of ${event.takerFee}`;
  if (changed) return undefined;
  // A taker pays one fee on all its fills together, rounded up once.
  taker.value += value;
  const whole =
    event.liquidation === 0
      ? ceilDiv(taker.value * BigInt(ratesOf(state, rules, event.takerAccount).takerFee), MILLION)
      : 0n;
  const fee = whole - taker.fee;
  taker.fee = whole;
  if (BigInt(event.takerFee) !== fee) return `taker fee ${event.takerFee} is not ${fee}`;
  const rate = BigInt(ratesOf(state, rules, event.makerAccount).makerFee);
  const rebate = floorDiv(value * -rate, MILLION);
  const maker = rate >= 0n ? ceilDiv(value * rate, MILLION) : -(rebate < fee ? rebate : fee);
  return BigInt(event.makerFee) === maker ? undefined : `maker fee ${event.makerFee} is not ${maker}`;
}

/** A market's fees for an account, from its owner's daily volumes: only days before the current one count. */
function ratesOf(state: State, rules: MarketParameters, account: number): { takerFee: number; makerFee: number } {
  const { accounts, owners, volumes } = state;
  const today = Math.floor(state.timeMs / 86_400_000);
  let volume = 0n;
  for (let at = owners.volume[accounts.owner[account as AccountRow]!]!; at !== NONE; at = volumes.older[at]!) {
    const day = volumes.day[at]!;
    if (day < today && day >= today - 30) volume += BigInt(volumes.volume[at]!);
  }
  return rules.feeTiers.reduce(
    (best, tier) => (BigInt(tier.from) <= volume ? tier : best),
    rules as { takerFee: number; makerFee: number },
  );
}
