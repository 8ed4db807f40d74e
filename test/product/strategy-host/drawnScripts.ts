import type { HookName } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import type { WireBar } from "../../../src/product/strategy-host/messages.ts";
import type { Script, Scripts } from "./scriptedClient.ts";

/** Drawn runs give one to every strategy. */
const PARAMS = { params: { pace: { type: "integer", default: 3, description: "" } } };

/**
 * A strategy of any kind: which hooks it has, and scripts that read and act by chance. The same seed gives the same.
 */
export function drawScripts(seed: number) {
  const random = Random.ofSeed([seed, 11]);
  const optional: readonly HookName[] = ["onFunding", "onFill", "onCancel", "onReject", "onIntent", "onLiquidation"];
  const hooks: HookName[] = ["onBar", ...optional.filter(() => random.chance(1, 2))];
  const fields: Record<string, unknown> = { ...PARAMS };
  if (random.chance(1, 4)) hooks.push("init");
  if (random.chance(1, 3)) hooks.push("onTimer");
  if (random.chance(1, 3)) {
    hooks.push("onFrame");
    fields["frames"] = random.pick([["1h"], ["4h"], ["15m", "1d"], ["1w"]]);
  }
  if (random.chance(1, 5)) fields["warmUp"] = { bars: random.between(1, 9) };
  const pace = random.pick([1, 4, 15, 60]);
  const reads = random.pick([0, 3, 20]);
  return { hooks, fields, create: (): Scripts => new Drawn(Random.ofSeed([seed, 12]), pace, reads) };
}

/**
 * A strategy that holds as much as it can, and does nothing for long: what ends a position is the venue. The same seed
 * gives the same.
 */
export function drawHolder(seed: number) {
  const random = Random.ofSeed([seed, 13]);
  const optional: readonly HookName[] = ["onFunding", "onFill", "onLiquidation"];
  const hooks: HookName[] = ["onBar", ...optional.filter(() => random.chance(1, 3))];
  const [pace, share] = [random.pick([20, 50]), random.between(50, 95) / 100];
  return { hooks, fields: PARAMS, create: (): Scripts => new Holder(Random.ofSeed([seed, 14]), pace, share) };
}

class Holder implements Scripts {
  readonly #random: Random;
  readonly #pace: number;
  readonly #share: number;
  #bars = 0;

  constructor(random: Random, pace: number, share: number) {
    this.#random = random;
    this.#pace = pace;
    this.#share = share;
  }

  *onBar([market, , , , , , close]: WireBar): Script {
    if (this.#bars++ % this.#pace !== 0) return;
    const [equity] = (yield ["account"]) as readonly number[];
    const [, , leverage] = (yield ["terms", market]) as readonly number[];
    const most = (Math.max(0, equity!) * leverage! * this.#share) / close;
    yield ["setPosition", this.#random.pick([most, -most]), { market }];
  }
}

class Drawn implements Scripts {
  readonly #random: Random;
  readonly #pace: number;
  readonly #reads: number;

  /** @param pace bars from action to action @param reads bars from read to read; 0 for none */
  constructor(random: Random, pace: number, reads: number) {
    this.#random = random;
    this.#pace = pace;
    this.#reads = reads;
  }

  *onBar([, , , , , , close]: WireBar): Script {
    const random = this.#random;
    if (this.#reads > 0 && random.chance(1, this.#reads)) yield* this.#read();
    if (random.chance(1, this.#pace)) yield* this.#act(close);
    if (this.#reads > 0 && random.chance(1, this.#reads)) yield* this.#read();
  }

  *onHook(): Script {
    if (this.#random.chance(1, 5)) yield* this.#act(10_000);
    if (this.#random.chance(1, 5)) yield* this.#read();
  }

  *#read(): Script {
    const random = this.#random;
    yield random.pick([
      ["account"],
      ["position", null],
      ["orders", null],
      ["intents", null],
      ["prices", null],
      ["terms", null],
      ["inFlight"],
      ["height"],
      ["roundSize", null, 0.0357],
      ["smallestSize", null],
      ["depth", null, "buy", 3],
      ["metric", "drawn", random.fraction()],
      ["log", "seen"],
    ] as const);
  }

  *#act(close: number): Script {
    const random = this.#random;
    const size = random.between(1, 40) / 100;
    const side = random.pick(["buy", "sell"] as const);
    const price = Math.max(1, Math.round(close * (1 + random.between(-40, 40) / 1_000)));
    const span = random.pick(["90m", "6h", "2d"] as const);
    yield random.pick([
      ["setPosition", (random.between(-3, 3) * size) / 2, {}],
      ["setPosition", random.between(-40, 40), {}],
      ["setPosition", 0, {}],
      ["place", { side, size }],
      ["place", { side, size, price }],
      ["place", { side, size, price, stop: { trailRate: 0.05 } }],
      ["place", { side, size: 0.001 }],
      ["cancelAll", null, random.chance(1, 2)],
      ["close", {}],
      ["protect", { stop: Math.round(close * 0.9) }],
      ["setLeverage", random.between(1, 20), null],
      ["after", span, "once"],
      ["every", span, "often"],
      ["stopTimer", "often"],
    ] as const);
  }
}
