import { createVenue } from "../../engine/genesis.ts";
import { findAccount } from "../../engine/state/accounts.ts";
import type { State } from "../../engine/state/state.ts";
import type { EventChunk } from "../../market-data/types.ts";
import { formatDecimal, parseDecimal } from "../../math/decimal.ts";
import { AMOUNT_DECIMALS, type Amount } from "../../math/fixed.ts";
import { createGenesis, type Genesis } from "../../protocol/genesis.ts";
import type { Recorder } from "../../report/input.ts";
import { createRecorder } from "../../report/recorder.ts";
import type { Observer } from "../../simulation/observer.ts";
import { openSignatures } from "../../simulation/signatures.ts";
import { Simulation } from "../../simulation/simulation.ts";
import { AccountTracker } from "../account/accountTracker.ts";
import { OwnOrders } from "../account/ownOrders.ts";
import { BlockBuilder } from "../blockBuilder.ts";
import { BacktestError } from "../errors.ts";
import type { Settings } from "../options.ts";
import { Outbox } from "../outbox.ts";
import { AUTHORITIES, HOUSE, KEYS, STRATEGY } from "../parties.ts";
import { StrategyRun } from "../strategyRun.ts";
import type { MarketDefinition } from "./marketDefinition.ts";
import type { MarketFlow } from "./marketFlow.ts";
import type { Timeline } from "./timeline.ts";

/** What a replay is made of before its first block. */
export interface ReplayParts {
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly flows: readonly MarketFlow[];
  /** By market, the length of the bars that drive it; 0 for trades. */
  readonly intervals: readonly number[];
  readonly timeline: Timeline;
  /** Beside the replay's own; they see every block. */
  readonly observers: readonly Observer[];
}

/** A venue that history drives and a strategy trades in, block by block. */
export class Replay {
  readonly genesis: Genesis;
  readonly simulation: Simulation;
  readonly recorder: Recorder;
  readonly strategy: StrategyRun;
  readonly #timeline: Timeline;
  readonly #outbox: Outbox;
  readonly #builder: BlockBuilder;
  readonly #tracker: AccountTracker;
  /** Blocks stand on multiples of this; 0 where they stand wherever something happens. */
  readonly #gridMs: number;

  private constructor(parts: ReplayParts, genesis: Genesis, firstMs: number, builder: BlockBuilder) {
    const { settings, definitions, intervals, timeline, observers } = parts;
    this.genesis = genesis;
    this.#timeline = timeline;
    this.#builder = builder;
    this.#gridMs = gridOf(settings, intervals);
    const state = createVenue(genesis);
    const account = findAccount(state, STRATEGY);
    this.recorder = createRecorder({
      markets: definitions.map(({ name }) => ({ symbol: name })),
      startTimeMs: firstMs,
      initialEquity: settings.deposit,
    });
    this.#outbox = new Outbox(settings.latencyMs);
    const orders = new OwnOrders(new Map(definitions.map(({ name, lotSize }) => [name, lotSize])));
    const fund = parseDecimal(settings.insurance, AMOUNT_DECIMALS);
    this.#tracker = new AccountTracker(this.recorder, orders, account, definitions.length, fund);
    this.strategy = new StrategyRun(settings.strategy, settings.params, state, account, this.#outbox, settings.seed);
    // The account chooses its leverage before anything else: these are in the first block.
    const sentMs = firstMs - Math.max(1, settings.latencyMs);
    for (const { name } of definitions) {
      this.#outbox.send("setLeverage", { market: name, leverage: settings.leverage }, sentMs);
    }
    this.simulation = new Simulation(state, observers);
  }

  /** Founds the venue just before the first block, whose time the timeline knows by now. */
  static async open(parts: ReplayParts): Promise<Replay> {
    const { settings, definitions, flows, intervals, timeline } = parts;
    const firstMs = alignTo(gridOf(settings, intervals), timeline.nextMs());
    const genesis = createReplayGenesis(settings, definitions, firstMs);
    const signatures =
      settings.signatures === "verify" ? await openSignatures(genesis, Object.values(KEYS)) : undefined;
    return new Replay(parts, genesis, firstMs, new BlockBuilder(flows, intervals, signatures));
  }

  get state(): State {
    return this.simulation.state;
  }

  /** Takes in a chunk of the stream and makes every block that is now fully known. */
  add(chunk: EventChunk): void {
    this.#timeline.add(chunk);
    this.advance();
  }

  /** Makes every block that is fully known. */
  advance(): void {
    const timeline = this.#timeline;
    for (;;) {
      const nextMs = timeline.nextMs();
      // What was sent at the very end finds no block any more.
      if (nextMs === Number.POSITIVE_INFINITY) return;
      const timeMs = alignTo(this.#gridMs, Math.min(nextMs, this.#outbox.dueMs));
      if (timeMs > timeline.safeMs) return;
      this.#makeBlock(timeMs);
    }
  }

  /** Makes the last blocks and ends the run. */
  finish(): void {
    this.#timeline.finish();
    this.advance();
    this.#tracker.end();
    this.strategy.end();
    this.simulation.end();
  }

  #makeBlock(timeMs: number): void {
    const segments = this.#timeline.take(timeMs);
    const own = this.#outbox.take(this.#builder.nextHeight, timeMs);
    const block = this.#builder.build(timeMs, own);
    const { systemCount } = this.#builder;
    const result = this.simulation.apply(block);
    const { receipts } = result;
    for (let index = 0; index < systemCount; index++) {
      if (receipts.codes[index] === 0) continue;
      const { action } = block.transactions[index]!;
      const at = new Date(timeMs).toISOString();
      throw new BacktestError("REPLAY_REFUSED", `the venue refused ${action} at ${at}: ${receipts.code(index)}`, {
        place: `block ${block.height}`,
        hint: "if the market's parameters were changed with --set, undo that; else this is a fault in perplab",
      });
    }
    this.strategy.afterBlock(this.#tracker.read(this.state, block, result, systemCount), segments);
  }
}

function gridOf({ blockMs }: Settings, intervals: readonly number[]): number {
  return intervals.includes(0) ? blockMs : 0;
}

/** The first multiple of the grid at or after a time; the time itself without a grid. */
function alignTo(gridMs: number, timeMs: number): number {
  return gridMs === 0 ? timeMs : Math.ceil(timeMs / gridMs) * gridMs;
}

function createReplayGenesis(settings: Settings, definitions: readonly MarketDefinition[], firstMs: number): Genesis {
  return createGenesis({
    timeMs: firstMs - 1,
    authorities: AUTHORITIES,
    markets: definitions.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts: [
      { address: HOUSE.address, subaccount: HOUSE.subaccount, role: "house", balance: "0" },
      {
        address: STRATEGY.address,
        subaccount: STRATEGY.subaccount,
        role: "normal",
        balance: formatDecimal(settings.deposit as Amount, AMOUNT_DECIMALS),
      },
    ],
    insurance: settings.insurance,
    features: { faucet: false },
  });
}
