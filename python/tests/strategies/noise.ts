import { defineStrategy, Type } from "perplab/strategy";

/** The same as `Noise` of strategies.py: uses what it can, by chance. */
export default defineStrategy({
  id: "noise",
  params: Type.Object({}),
  frames: ["4h"],
  warmUp: { bars: 30 },
  init: (ctx) => {
    ctx.every("1d");
    return { seen: 0 };
  },
  onBar(ctx, { close }) {
    const { account, market, memory, rng } = ctx;
    memory.seen++;
    const dice = rng.below(12);
    const away = 1 + (rng.fraction() - 0.5) / 50;
    if (dice === 0) ctx.setPosition((rng.below(5) - 2) / 10);
    else if (dice === 1 && account.equity > 5_000) {
      ctx.place({
        side: rng.pick(["buy", "sell"] as const),
        size: 0.05,
        price: market.roundPrice(close * away, "down"),
        ...(rng.chance(1, 2)
          ? { stop: { trigger: Math.round(close * 0.95) }, takeProfit: Math.round(close * 1.05) }
          : {}),
      });
    } else if (dice === 2) ctx.cancelAll(undefined, { intents: rng.chance(1, 2) });
    else if (dice === 3 && account.position().size !== 0) {
      ctx.protect({ stop: { trailRate: 0.03, source: "last" } });
      ctx.metric("unrealized", account.position().unrealized);
    } else if (dice === 4) ctx.close();
    else if (dice === 5) ctx.after("90m", "later");
    else if (dice === 6) ctx.place({ side: "buy", size: 0.0001 });
  },
  onFrame(ctx, { frame, close }) {
    if (ctx.rng.chance(1, 20)) ctx.log(`${frame} ${close}`);
  },
  onTimer(ctx, { name }) {
    ctx.log(`${name} ${ctx.account.orders().length} ${ctx.account.intents().length}`);
  },
  onFill(ctx, { id, side, price, remaining }) {
    ctx.log(`fill ${id} ${side} ${price} ${remaining}`);
  },
  onCancel(ctx, { id, cause }) {
    ctx.log(`cancel ${id} ${cause}`);
  },
  onReject(ctx, { id, code }) {
    ctx.log(`reject ${id} ${code}`);
  },
  onIntent(ctx, { id, status }) {
    ctx.log(`intent ${id} ${status}`);
  },
  onFunding(ctx, { amount }) {
    if (ctx.rng.chance(1, 10)) ctx.log(`funding ${amount}`);
  },
  onEnd(ctx) {
    ctx.log(`seen ${ctx.memory.seen}`);
  },
});
