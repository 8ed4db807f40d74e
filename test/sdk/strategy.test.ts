import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { KEYS } from "../../src/backtest/parties.ts";
import { isSystem } from "../../src/engine/admission.ts";
import { computeRoot } from "../../src/engine/commitment/root.ts";
import { Random } from "../../src/math/random.ts";
import type { ActionName, Payloads } from "../../src/protocol/actions/index.ts";
import { createVenueClient, privateKeyToAccount } from "../../src/sdk/index.ts";
import { runStrategy } from "../../src/sdk/strategy/runStrategy.ts";
import { inProcess } from "../../src/sdk/transport/inProcess.ts";
import { createHost } from "../../src/service/host/createHost.ts";
import { createService } from "../../src/service/service.ts";
import { BlockLogReader } from "../../src/simulation/log/readBlockLog.ts";
import { fifo } from "../../src/simulation/pool/policy.ts";
import maker from "../../src/strategies/maker.ts";
import type { Context } from "../../src/strategy/context.ts";
import { type AnyStrategy, defineStrategy } from "../../src/strategy/strategy.ts";
import { run, type SeenBlock } from "../backtest/helpers.ts";
import { memorySource, START, type TestEvent } from "../backtest/memorySource.ts";
import { alice, openVenue } from "./helpers/liveVenue.ts";

const SECOND = 1_000;

/** A market that wanders, with funding now and then. */
function wander(seed: number, length: number): TestEvent[] {
  const random = Random.ofSeed([seed]);
  let price = 10_000;
  return Array.from({ length }, (_, place): TestEvent[] => {
    price = Math.max(100, price + random.below(121) - 60);
    const timeMs = START + (place + 1) * 7 * SECOND;
    const side = random.below(2) === 0 ? 1 : -1;
    const events: TestEvent[] = [{ kind: "trade", timeMs, price, size: 1 + random.below(400) / 10, side }];
    if (place % 40 === 39) events.push({ kind: "funding", timeMs, rate: (random.below(21) - 10) / 1e4 });
    if (place % 5 === 0) events.push({ kind: "mark", timeMs, price: price + random.below(11) - 5 });
    return events;
  }).flat();
}

/** Writes down everything that a strategy is told and sees. */
function watching(strategy: AnyStrategy, seen: unknown[]): AnyStrategy {
  const look = ({ now, market, account }: Context) => ({
    ...now,
    market: [market.mark, market.index, market.last, market.bestBid, market.bestAsk, market.leverage],
    fees: [market.takerFee, market.makerFee, market.tickSize, market.lotSize, market.fundingRate],
    depth: [market.depth("buy", 5), market.depth("sell", 5)],
    account: [account.equity, account.collateral, account.free, account.marginRatio, account.inFlight],
    position: account.position(),
    orders: account.orders(),
  });
  return {
    ...strategy,
    onFill(ctx, fill) {
      seen.push(fill);
      strategy.onFill?.(ctx, fill);
    },
    onFunding(ctx, funding) {
      seen.push(funding);
      strategy.onFunding?.(ctx, funding);
    },
    onLiquidation(ctx, liquidation) {
      seen.push(liquidation);
      strategy.onLiquidation?.(ctx, liquidation);
    },
    onReject(ctx, rejection) {
      seen.push(rejection);
      strategy.onReject?.(ctx, rejection);
    },
    onBlock(ctx) {
      seen.push(look(ctx));
      strategy.onBlock?.(ctx);
    },
  };
}

/** Uses everything that a context has, with what is refused among it. */
const restless = defineStrategy({
  id: "restless",
  params: Type.Object({ pace: Type.Number({ default: 3, description: "Blocks between two actions." }) }),
  init: () => ({ blocks: 0 }),
  onBlock(ctx) {
    const { account, market, memory, params, rng } = ctx;
    if (memory.blocks++ % params.pace !== 0 || market.last === undefined) return;
    const size = market.roundSize(0.5 + rng.below(40) / 10);
    const price = market.roundPrice(market.last + rng.below(41) - 20);
    const [oldest] = account.orders();
    switch (rng.below(9)) {
      case 0:
        ctx.place({ side: "buy", size });
        break;
      case 1:
        ctx.place({ side: "sell", size });
        break;
      case 2:
        if (oldest !== undefined) ctx.amend(oldest.id, { price, size });
        break;
      case 3:
        if (oldest !== undefined) ctx.cancel(oldest.id);
        else ctx.cancel("nothing");
        break;
      case 4:
        if (account.position().size !== 0) ctx.close({ slippage: 0.02 });
        break;
      case 5:
        ctx.cancelAll();
        break;
      case 6:
        ctx.place({ side: "buy", size: market.roundSize(size * 50_000) || size, price, reduceOnly: rng.chance(1, 3) });
        ctx.setLeverage(2 + rng.below(3));
        break;
      default:
        ctx.place({ side: rng.chance(1, 2) ? "buy" : "sell", size, price, postOnly: rng.chance(1, 2) });
    }
  },
});

/** Makes the same blocks in a venue that runs, with the strategy behind the client. */
async function runLive(genesis: BlockLogReader["genesis"], blocks: readonly SeenBlock[], strategy: AnyStrategy) {
  const host = createHost({
    genesis,
    blocks: { mode: "manual" },
    policy: fifo,
    authorityKeys: { oracle: KEYS.oracle, operator: KEYS.operator },
  });
  const client = createVenueClient({
    transport: inProcess(createService(host, { limits: "off" })),
    account: privateKeyToAccount(KEYS.strategy),
    statusMaxAgeMs: 0,
  });
  const runner = await runStrategy(client, strategy, { leverage: 3, seed: "s" });
  for (const { block } of blocks) {
    for (const { action, code, payload } of block.transactions) {
      if (isSystem(code)) await host.submitSystem(action as ActionName, payload as Payloads[ActionName]);
    }
    await host.mine({ timeMs: block.timeMs });
    await runner.step();
  }
  runner.end();
  return host;
}

// Goal: a strategy cannot tell a backtest from a venue that runs, and both come to the same state.
// Method: a backtest keeps its blocks; a venue of the same genesis makes blocks at the same times with the same prices
// and the same house flow, and the strategy acts through the client, with signatures. Compared are all that it was told
// and shown, and the roots.
describe.each([
  ["restless", restless, 1],
  ["restless", restless, 2],
  ["maker", maker, 3],
] as const)("the strategy %s", (_, strategy, seed) => {
  test(`comes to the same state root in a backtest and in a running venue (seed ${seed})`, {
    timeout: 120_000,
  }, async () => {
    const log = join(mkdtempSync(join(tmpdir(), "perplab-strategy-")), "blocks.log");
    const inBacktest: unknown[] = [];
    const result = await run({
      data: memorySource(wander(seed, 160)),
      strategy: watching(strategy as AnyStrategy, inBacktest),
      leverage: 3,
      deposit: "20000",
      seed: "s",
      log,
    } as Parameters<typeof run>[0]);
    const inVenue: unknown[] = [];
    const host = await runLive(
      new BlockLogReader(log).genesis,
      result.seen,
      watching(strategy as AnyStrategy, inVenue),
    );
    expect(inVenue.length).toBeGreaterThan(100);
    for (const [place, told] of inBacktest.entries()) expect(inVenue[place], `place ${place}`).toEqual(told);
    expect(inVenue.length).toBe(inBacktest.length);
    expect(computeRoot(host.state)).toBe(result.root);
    const kinds = (name: string) => inVenue.filter((one) => Object.hasOwn(one as object, name)).length;
    expect(kinds("role"), "fills").toBeGreaterThan(3);
    if (strategy.id === "restless") expect(kinds("code"), "rejections").toBeGreaterThan(1);
    if (strategy.id === "restless") expect(kinds("amount"), "funding").toBeGreaterThan(0);
  });
});

test("a strategy that runs by itself steps with each block until it is told to stop", async () => {
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
