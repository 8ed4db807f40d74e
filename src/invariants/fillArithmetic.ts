import type { State } from "../engine/state/state.ts";
import type { EventOf } from "../protocol/events.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { ceilDiv, floorDiv } from "./exact/health.ts";

const VALUE_SCALE = 10n ** 10n;
const MILLION = 1_000_000n;

export const fillArithmetic = defineInvariant({
  id: "fillArithmetic",
  sentence: "A fill is worth price times size; fees round up, rebates down and never beyond the taker fee.",
  rules: ["NUM-1", "NUM-2", "ORD-6", "ORD-7"],
  when: "block",
  check(state, { events }) {
    // Fees may have changed in the block; tick and lot never do.
    const changed = new Set(events.flatMap((event) => (event.kind === "marketChanged" ? [event.market] : [])));
    for (const event of events) {
      if (event.kind !== "fill") continue;
      const fault = checkFill(state, event, changed.has(event.market));
      if (fault !== undefined) return `fill of order ${event.makerOrder}: ${fault}`;
    }
    return undefined;
  },
});

function checkFill(state: State, event: EventOf<"fill">, changed: boolean): string | undefined {
  const rules = state.parameters[event.market]!;
  if (event.size <= 0 || event.makerRemaining < 0) return `size ${event.size}, left ${event.makerRemaining}`;
  const step = (BigInt(rules.tickSize) * BigInt(rules.lotSize)) / VALUE_SCALE;
  const value = BigInt(event.price) * BigInt(event.size) * step;
  if (BigInt(event.value) !== value) return `value ${event.value} is not ${value}`;
  if (event.makerFee + event.takerFee < 0) return `fees ${event.makerFee} and ${event.takerFee} take from the venue`;
  if (event.liquidation !== 0 && event.takerFee !== 0) return `a liquidation pays a taker fee of ${event.takerFee}`;
  if (changed) return undefined;
  const taker = event.liquidation === 0 ? ceilDiv(value * BigInt(rules.takerFee), MILLION) : 0n;
  if (BigInt(event.takerFee) !== taker) return `taker fee ${event.takerFee} is not ${taker}`;
  const rate = BigInt(rules.makerFee);
  const rebate = floorDiv(value * -rate, MILLION);
  const maker = rate >= 0n ? ceilDiv(value * rate, MILLION) : -(rebate < taker ? rebate : taker);
  return BigInt(event.makerFee) === maker ? undefined : `maker fee ${event.makerFee} is not ${maker}`;
}
