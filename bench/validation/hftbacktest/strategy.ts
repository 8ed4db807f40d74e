import { defineStrategy, Type } from "../../../src/client/strategy/index.ts";
import type { OwnFills } from "./compare.ts";
import type { Planned } from "./schedule.ts";

/** Quotes a plan, and notes the fills of each quote: bid and ask in turns. */
export function createQuoter(plan: readonly Planned[], { size, tick }: { size: number; tick: number }) {
  const fills: [number, number][][] = plan.flatMap(() => [[], []]);
  const placeOf = new Map<string, number>();
  const decimals = Math.max(0, Math.round(-Math.log10(tick)));
  const strategy = defineStrategy({
    id: "planned-quotes",
    params: Type.Object({}),
    init(ctx) {
      ctx.at(plan[0]![0], "quote");
      return { next: 0 };
    },
    onTimer(ctx) {
      const place = ctx.memory.next++;
      const [, bid, ask] = plan[place]!;
      const quote = (side: "buy" | "sell", ticks: number) =>
        ctx.place({ side, size, price: Number((ticks * tick).toFixed(decimals)), postOnly: true });
      ctx.cancelAll();
      placeOf.set(quote("buy", bid), 2 * place);
      placeOf.set(quote("sell", ask), 2 * place + 1);
      const next = plan[place + 1];
      if (next !== undefined) ctx.at(next[0], "quote");
    },
    onFill(_ctx, fill) {
      fills[placeOf.get(fill.id)!]!.push([fill.timeMs, fill.size]);
    },
  });
  return { strategy, fills: fills as readonly OwnFills[] };
}
