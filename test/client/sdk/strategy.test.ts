import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createVenueClient, privateKeyToAccount } from "../../../src/client/sdk/index.ts";
import { runStrategy } from "../../../src/client/sdk/strategy/runStrategy.ts";
import { inProcess } from "../../../src/client/sdk/transport/inProcess.ts";
import type { Context } from "../../../src/client/strategy/context.ts";
import type { Bar } from "../../../src/client/strategy/facts.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { KEYS } from "../../../src/product/backtest/participants.ts";
import type { ActionName, Payloads } from "../../../src/protocol/actions/index.ts";
import { createService } from "../../../src/server/face/service.ts";
import { createHost } from "../../../src/server/host/createHost.ts";
import { isSystem } from "../../../src/venue/engine/authorization/admission.ts";
import { computeRoot } from "../../../src/venue/engine/commitment/root.ts";
import { BlockLogReader } from "../../../src/venue/simulation/log/readBlockLog.ts";
import { fifo } from "../../../src/venue/simulation/pool/policy.ts";
import { run, type SeenBlock } from "../../product/backtest/helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "../../product/backtest/memorySource.ts";
import { restless, watching } from "../../product/backtest/wander.ts";
import { alice, openVenue } from "./helpers/liveVenue.ts";

const HEARTBEAT_MS = 50;
/** Of how many deltas a lossy stream loses one. */
const LOSES_EVERY = 7;

/** Makes the same blocks in a running venue, with the strategy at the client. */
async function runLive(
  genesis: BlockLogReader["genesis"],
  blocks: readonly SeenBlock[],
  strategy: AnyStrategy,
  options: {
    readonly barMs?: number;
    readonly streams?: "whole" | "lossy" | "none";
    readonly warmUp?: readonly Bar[];
    readonly margin?: "cross" | "isolated";
  } = {},
) {
  const { streams = "whole", ...more } = options;
  const host = createHost({
    genesis,
    blocks: { mode: "manual" },
    policy: fifo,
    authorityKeys: { oracle: KEYS.oracle, operator: KEYS.operator },
  });
  const service = createService(host, { limits: "off", streams: { heartbeatMs: HEARTBEAT_MS } });
  const transport = inProcess(service);
  // Nothing beats by itself within a process; what a stream lost shows by it.
  const beating = setInterval(() => service.hub.beat(), HEARTBEAT_MS);
  const asked: string[] = [];
  let reported = 0;
  const client = createVenueClient({
    transport: {
      ...transport,
      hasSocket: streams !== "none",
      connect: (listener) =>
        transport.connect({
          ...listener,
          onMessage(text) {
            const isDelta = /^\{"type":"delta","stream":"(events|blocks)"/.test(text);
            const isLost = streams === "lossy" && isDelta && ++reported % LOSES_EVERY === 0;
            if (!isLost) listener.onMessage(text);
          },
        }),
      request(request) {
        asked.push(request.path);
        return transport.request(request);
      },
    },
    account: privateKeyToAccount(KEYS.strategy),
    statusMaxAgeMs: 0,
  });
  const runner = await runStrategy(client, strategy, { leverage: 3, seed: "s", ...more });
  for (const { block } of blocks) {
    for (const { action, code, payload } of block.transactions) {
      if (isSystem(code)) await host.submitSystem(action as ActionName, payload as Payloads[ActionName]);
    }
    await host.mine({ timeMs: block.timeMs });
    await runner.step();
  }
  runner.end();
  clearInterval(beating);
  return { host, asked, lost: Math.floor(reported / LOSES_EVERY) };
}

/** Uses everything that a context has, also by bars; buys on margin when the crash begins. */
function thorough(facts: unknown[], history: Bar[] = []): AnyStrategy {
  let bars = 0;
  let before = 0;
  return watching(
    {
      ...(restless as AnyStrategy),
      frames: ["2h", "1d"],
      warmUp: { bars: 5 },
      init(ctx) {
        ctx.every("90m");
        ctx.after("7h", "later");
        return restless.init!(ctx as never);
      },
      onFrame: (_ctx, { volume: _, ...frame }) => void facts.push(frame),
      onTimer: (_ctx, timer) => void facts.push(timer),
      // The volume is of the recording in a backtest, and of the book in a venue.
      onBar(ctx, bar) {
        const { account, market } = ctx;
        facts.push({ height: ctx.now.height, held: account.position().size, ...bar, volume: 0 });
        bars++;
        if (ctx.isWarmUp) {
          history.push(bar);
          ctx.setPosition(1);
          return;
        }
        if (bars < CALM) ctx.setPosition(bar.close > before ? 2 : -2);
        else {
          ctx.setLeverage(10);
          ctx.setPosition((account.equity * 8) / bar.close);
        }
        before = bar.close;
        if (bars < CALM) protectAll(ctx, bars, bar.close);
        // An order that finds nothing to fill, and one of less than a lot.
        ctx.place({ side: "buy", size: 1, price: market.roundPrice(bar.close * 0.95), timeInForce: "IOC" });
        ctx.place({ side: "buy", size: 0 });
      },
      onCancel: (_ctx, cancellation) => void facts.push(cancellation),
    },
    facts,
  );
}

/** Places and ends intents of every kind. */
function protectAll(ctx: Context, bars: number, close: number): void {
  const { account, market } = ctx;
  const at = (ratio: number) => market.roundPrice(close * ratio);
  switch (bars % 6) {
    case 0:
      ctx.place({ side: "buy", size: 1, stop: { trigger: at(0.995), slippage: 0.03 }, takeProfit: at(1.01) });
      break;
    case 1:
      ctx.place({ side: "buy", size: 1, price: at(0.999), stop: { trailRate: 0.01 } });
      ctx.protect({ stop: at(1.004), side: "buy", takeProfit: { trigger: at(0.97), price: at(0.971) } });
      break;
    case 2:
      ctx.trailingStop({ trail: 30, source: "last" });
      ctx.stop({ trigger: at(1.003), side: "buy", size: 0.5, reduceOnly: false, untilMs: ctx.now.timeMs + 7_200_000 });
      break;
    case 3:
      // An entry that rests, to be amended and cancelled by its name.
      ctx.place({ side: "sell", size: 1, price: at(1.05), stop: at(1.1), takeProfit: at(0.9) });
      ctx.addMargin(50.25);
      break;
    case 4:
      for (const { id, price } of account.orders().filter((order) => order.price > close * 1.03)) {
        ctx.amend(id, { price: price + 10 });
        ctx.cancel(id);
      }
      for (const { id } of account.intents().slice(0, 1)) ctx.cancelIntent(id);
      ctx.removeMargin(20);
      break;
    default:
      ctx.cancelAll(market.name, { intents: bars % 12 === 5 });
  }
}

/** Bars before the crash. */
const CALM = 36;

/** Hourly bars that wander and then fall, with funding. */
function crash() {
  const random = Random.ofSeed([4]);
  let price = 10_000;
  const bars = Array.from({ length: CALM + 3 }, (_, at) => {
    const open = price;
    price = at < CALM ? price + random.below(401) - 200 : Math.floor(price * 0.7);
    const [high, low] = [Math.max(open, price) + random.below(80), Math.min(open, price) - random.below(80)];
    return [open, high, low, price] as const;
  });
  const rates = [1, 2, 3, 4].map((eighth) => ({
    kind: "funding" as const,
    timeMs: START + eighth * 8 * HOUR,
    rate: eighth / 1e4,
  }));
  return memorySource([...hourlyBars(bars), ...rates]);
}

// Goal: a port of the client and that of the backtest show a strategy the same, and carry the same out.
// Method: a backtest keeps its blocks; a venue of the same genesis makes blocks at the same times with the same prices
// and the same house flow, and the strategy acts through the client, with signatures. Compared are all facts that it
// received, and the roots. Streams that lose messages, or none at all, make no difference.
test.each([
  ["whole", "whole", "cross"],
  ["lossy", "lossy", "isolated"],
  ["no", "none", "isolated"],
] as const)(
  "a strategy comes to the same state root in a backtest and in a running venue with %s streams (%s, %s margin)",
  { timeout: 120_000 },
  async (_, streams, margin) => {
    const log = join(mkdtempSync(join(tmpdir(), "perplab-strategy-")), "blocks.log");
    const inBacktest: unknown[] = [];
    const history: Bar[] = [];
    const options = {
      data: crash(),
      strategy: thorough(inBacktest, history),
      leverage: 3,
      margin,
      deposit: "20000",
      seed: "s",
      log,
    };
    const result = await run(options);
    const inVenue: unknown[] = [];
    const genesis = new BlockLogReader(log).genesis;
    const { host, asked, lost } = await runLive(genesis, result.seen, thorough(inVenue), {
      streams,
      barMs: HOUR,
      warmUp: history,
      margin,
    });
    // Blocks come by the streams, where there are any, and are not asked for.
    const blocksAsked = asked.filter((path) => path.includes("/blocks/")).length;
    if (streams === "none") expect(blocksAsked).toBeGreaterThan(result.seen.length);
    else if (streams === "lossy") expect(lost).toBeGreaterThan(20);
    else expect(blocksAsked).toBe(0);
    for (const [place, reported] of inBacktest.entries()) expect(inVenue[place], `place ${place}`).toEqual(reported);
    expect(inVenue.length).toBe(inBacktest.length);
    expect(computeRoot(host.state)).toBe(result.root);
    // Every kind of fact has to be among them.
    const count = (field: string) => inVenue.filter((one) => Object.hasOwn(one as object, field)).length;
    for (const [field, least] of Object.entries({
      role: 20,
      amount: 3,
      cause: 20,
      stage: 2,
      code: 30,
      smallestSize: 20,
      open: CALM - 5,
      frame: 10,
      missed: 20,
      status: 30,
      intent: 20,
    })) {
      expect(count(field), field).toBeGreaterThanOrEqual(least);
    }
  },
);

test("a strategy that runs by itself steps with each block until the signal", async () => {
  const { clientOf, setPrice } = await openVenue();
  const stop = new AbortController();
  const seen: number[] = [];
  const strategy = defineStrategy({
    id: "watcher",
    params: Type.Object({}),
    onBlock({ now, market, place }) {
      seen.push(now.height);
      if (seen.length === 1)
        place.call(runner, { side: "buy", size: 0.1, price: market.roundPrice(market.mark! * 0.9) });
    },
    onEnd: () => void seen.push(-1),
  });
  const runner = await runStrategy(clientOf(alice), strategy, { pollMs: 5 });
  const running = runner.run(stop.signal);
  await setPrice("60010");
  while (runner.account.orders().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  await running;
  expect(seen.at(-1)).toBe(-1);
  expect(seen).toEqual([...new Set(seen)]);
  expect(runner.account.inFlight).toBe(0);
});

test("a hook that throws or waits stops the run, and says where", async () => {
  const { clientOf, host } = await openVenue();
  for (const onBlock of [
    () => {
      throw new Error("planted");
    },
    async () => {},
  ]) {
    const strategy = defineStrategy({ id: "broken", params: Type.Object({}), onBlock: onBlock as () => void });
    const runner = await runStrategy(clientOf(alice), strategy);
    await host.mine();
    await expect(runner.step()).rejects.toMatchObject({
      code: "STRATEGY_FAILED",
      details: { strategy: "broken", hook: "onBlock", height: host.state.height },
    });
  }
});

test("a warm-up needs bars of the caller, complete and in order, and bars a strategy that asks for them", async () => {
  const { clientOf, host } = await openVenue();
  const seen: unknown[] = [];
  const onBar = (ctx: Context, bar: Bar) => void seen.push([ctx.isWarmUp, bar]);
  const asking = defineStrategy({ id: "warm", params: Type.Object({}), warmUp: { bars: 2 }, onBar });
  const cold = defineStrategy({ id: "cold", params: Type.Object({}), onBar });
  const market = host.state.marketNames[0]!;
  const { timeMs } = host.state;
  const barAt = (closeTimeMs: number) => ({
    ...{ market, openTimeMs: closeTimeMs - 60_000, closeTimeMs, open: 1, high: 1, low: 1, close: 1, volume: 1 },
  });
  const bars = [barAt(timeMs - 60_000), barAt(timeMs)];
  const start = (strategy: AnyStrategy, warmUp?: readonly Bar[]) =>
    runStrategy(clientOf(alice), strategy, warmUp === undefined ? {} : { warmUp });
  const invalid = { code: "STRATEGY_INVALID", place: "warmUp" };
  await expect(start(asking)).rejects.toMatchObject(invalid);
  await expect(start(cold, bars)).rejects.toMatchObject(invalid);
  await expect(start(asking, bars.toReversed())).rejects.toMatchObject(invalid);
  await expect(start(asking, [barAt(timeMs + 1)])).rejects.toMatchObject(invalid);
  const runner = await start(asking, bars);
  await host.mine();
  await runner.step();
  expect(seen).toEqual(bars.map((bar) => [true, bar]));
  runner.end();
});
