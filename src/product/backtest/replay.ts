import type { BlockFacts } from "../../client/strategy/blockFacts.ts";
import type { Bar } from "../../client/strategy/facts.ts";
import type { SessionReport } from "../../client/strategy/sessionPort.ts";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import { StrategySession } from "../../client/strategy/strategySession.ts";
import { formatDecimal, parseDecimal } from "../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, type Amount } from "../../ground/math/fixed.ts";
import { createGenesis, type Genesis } from "../../protocol/genesis.ts";
import type { Receipts } from "../../protocol/receipt.ts";
import { createVenue } from "../../venue/engine/genesis.ts";
import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { AccountRow, MarketRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { Observer, SealedBlock } from "../../venue/simulation/observer.ts";
import type { Signatures } from "../../venue/simulation/signatures.ts";
import { Simulation } from "../../venue/simulation/simulation.ts";
import type { History } from "../replay/history.ts";
import { HOUSE_ACCOUNT } from "../replay/house.ts";
import type { MarketDefinition } from "../replay/marketDefinition.ts";
import type { Segment } from "../replay/timeline.ts";
import type { Recorder, RecordListener } from "../report/input.ts";
import { createRecorder } from "../report/recorder.ts";
import { AccountTracker } from "./account/accountTracker.ts";
import { BarPoints } from "./account/barPoints.ts";
import { createLiquidationPrice } from "./account/liquidationPrice.ts";
import { MarkedAccount } from "./account/markedAccount.ts";
import { OwnOrders } from "./account/ownOrders.ts";
import type { VenueAccount } from "./account/venueAccount.ts";
import type { VenueMarket } from "./account/venueMarket.ts";
import { type PassedInstant, VenueReads } from "./account/venueReads.ts";
import { viewVenue } from "./account/venueView.ts";
import { isWipedOut } from "./account/wipedOut.ts";
import { BlockBuilder } from "./blockBuilder.ts";
import { BacktestError, isBacktestError } from "./errors.ts";
import { toHookError } from "./hookError.ts";
import type { BlockSchedule, Settings } from "./options.ts";
import { Outbox, type SentTransaction } from "./outbox.ts";
import { offerOutlook } from "./outlook.ts";
import { AUTHORITIES, KEYS, STRATEGY } from "./participants.ts";
import { isAsRecorded, isWaiting } from "./quietVenue.ts";
import { RecordedData } from "./recordedData.ts";
import type { RunStop } from "./runStop.ts";
import { StrategyNotes } from "./strategyNotes.ts";
import { TradeBars } from "./tradeBars.ts";

/** What a replay is made of before its first block. */
export interface ReplayParts {
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly history: History;
  /** By market: whether its bars are made of its trades. */
  readonly isTradeBarred: readonly boolean[];
  /** Bars from before the start that the strategy sees first. */
  readonly warmUp: readonly Bar[] | undefined;
  /** In addition to the replay's own; they see every block. */
  readonly observers: readonly Observer[];
  /** Receives each transaction when the strategy sends it. */
  readonly onSend?: ((sent: SentTransaction) => void) | undefined;
  /** Receives what the recorder of the report is given. */
  readonly listener?: RecordListener | undefined;
}

/** A venue that history drives and a strategy trades in, block by block. */
export class Replay {
  readonly genesis: Genesis;
  readonly simulation: Simulation;
  readonly recorder: Recorder;
  readonly notes = new StrategyNotes();
  readonly #session: StrategySession<VenueMarket, VenueAccount>;
  readonly #data: RecordedData;
  readonly #history: History;
  readonly #outbox: Outbox;
  readonly #builder: BlockBuilder;
  readonly #tracker: AccountTracker;
  readonly #marked: MarkedAccount;
  readonly #points: BarPoints;
  readonly #strategy: AnyStrategy;
  readonly #blocks: BlockSchedule;
  /** Whether bars are made of trades, so that an instant without data may end one. */
  readonly #makesBars: boolean;
  /** Every instant needs a block, as far as the last block shows. */
  #needsAll = true;
  /** An order of the account rests where the house trades or quotes in this instant. */
  #isReached = true;
  /** The strategy has an order that was refused without being sent; it learns of it with the next block. */
  #hasRefused = false;
  #stop: RunStop | undefined;

  private constructor(parts: ReplayParts, genesis: Genesis, firstMs: number, builder: BlockBuilder) {
    const { settings, definitions, history, observers, isTradeBarred, onSend, listener = {} } = parts;
    this.genesis = genesis;
    this.#history = history;
    this.#builder = builder;
    const state = createVenue(genesis);
    const account = findAccount(state, STRATEGY);
    const orders = new OwnOrders(new Map(definitions.map(({ name, lotSize }) => [name, lotSize])));
    this.recorder = createRecorder({
      markets: definitions.map(({ name }) => ({ symbol: name })),
      startTimeMs: firstMs,
      initialEquity: settings.deposit,
      liquidationPrice: createLiquidationPrice(state),
      listener,
    });
    this.#strategy = settings.strategy;
    this.#makesBars = isTradeBarred.includes(true);
    this.#blocks = settings.blocks;
    this.#marked = new MarkedAccount(account);
    this.#points = new BarPoints(history.bar);
    this.#outbox = new Outbox(settings.latencyMs, onSend);
    const fund = parseDecimal(settings.insurance, AMOUNT_DECIMALS);
    this.#tracker = new AccountTracker(this.recorder, orders, account, definitions.length, fund);
    const names = definitions.map(({ name }) => name);
    this.#data = new RecordedData(names, new TradeBars(names, isTradeBarred, settings.barMs));
    this.#session = this.#openSession(parts, state, account, (order) => orders.nameOf(order));
    // The account chooses its leverage and margin mode before anything else: these are in the first block.
    this.#session.moveTo({ height: 0, timeMs: firstMs - Math.max(1, settings.latencyMs) });
    for (const name of names) {
      this.#session.setLeverage(settings.leverage, name);
      if (settings.margin !== "cross") this.#session.setMarginMode(settings.margin, name);
    }
    this.simulation = new Simulation(state, observers);
    offerOutlook(settings.strategy, {
      ...{ history, names, marked: this.#marked, session: this.#session, sender: this.#outbox },
      isQuiet: () => !this.#needsAll && !this.#makesBars,
    });
  }

  #openSession(
    { settings: { strategy, params, seed }, warmUp }: ReplayParts,
    state: State,
    account: AccountRow,
    nameOf: (order: number) => string,
  ) {
    const view = viewVenue(new VenueReads(state, this.#openInstant()), account, this.#outbox, nameOf);
    const report: SessionReport = {
      metric: (name, value, timeMs) => this.notes.addMetric(name, value, timeMs),
      log: (text, timeMs) => this.notes.addLog(text, timeMs),
      refused: (code, timeMs) => {
        this.#hasRefused = true;
        this.recorder.recordRejection(code, timeMs, true);
      },
      failed: (failure) => {
        // The run ends with a block of the instant at which the hook failed.
        this.#catchUp();
        return toHookError({ ...failure, height: this.state.height });
      },
    };
    const port = { view, send: this.#outbox, report };
    return new StrategySession({ strategy, params, seed, idPrefix: "t", port, warmUp });
  }

  /** What the strategy sees of instants without a block. */
  #openInstant(): PassedInstant {
    const [history, marked] = [this.#history, this.#marked];
    return {
      get passedMs() {
        return history.passedMs;
      },
      houses: history.flows,
      get rests() {
        return marked.rests;
      },
      makeBlock: () => this.#catchUp(),
    };
  }

  /** Founds the venue just before the first block, whose time the history knows by now. */
  static async open(parts: ReplayParts): Promise<Replay> {
    const { settings, definitions, history } = parts;
    const { firstMs } = history;
    const genesis = createReplayGenesis(settings, definitions, firstMs);
    const signatures = settings.signatures === "verify" ? await openSignaturesOf(genesis) : undefined;
    return new Replay(parts, genesis, firstMs, new BlockBuilder(signatures));
  }

  get state(): State {
    return this.simulation.state;
  }

  /** Why the run ended before its data did; undefined during the run, and for a run over all of its data. */
  get stop(): RunStop | undefined {
    return this.#stop;
  }

  /** Makes every block that is fully known, unless the run has stopped. */
  advance(): void {
    while (this.#stop === undefined) {
      // What was sent at the very end finds no block any more.
      const dueMs = Math.min(this.#outbox.dueMs, this.#session.dueMs);
      if (this.#passBar(dueMs)) continue;
      const timeMs = this.#history.nextBlockMs(dueMs);
      if (timeMs === undefined) return;
      const segments = this.#history.moveTo(timeMs);
      if (this.#needsBlock(timeMs)) this.#makeBlock(timeMs, segments);
      else this.#pass(timeMs, segments);
    }
  }

  /** Makes the last blocks and ends the run. A run that has stopped ends at its last block. */
  finish(): void {
    if (this.#stop === undefined) this.#history.finish();
    this.advance();
    this.#catchUp();
    this.#tracker.end();
    if (this.#stop?.reason !== "strategyFailed") this.#callStrategy(() => this.#session.end());
    this.simulation.end();
  }

  /** A hook that throws stops the run; what it has recorded so far stays. */
  #callStrategy(call: () => void): void {
    try {
      call();
    } catch (error) {
      if (!isBacktestError(error, "STRATEGY_FAILED")) throw error;
      const { height, timeMs } = this.state;
      this.#stop = { reason: "strategyFailed", height, timeMs, failure: error };
    }
  }

  /**
   * Whether something can happen at this instant: a transaction is due, funding is settled, the account is at its
   * maintenance margin, an order rests, or the strategy has a hook for it. Values that only prices move need no block.
   */
  #needsBlock(timeMs: number): boolean {
    this.#isReached = true;
    if (this.#needsAll) return true;
    const { flows } = this.#history;
    const isSafe = this.#marked.move(flows);
    this.#isReached = this.#marked.rests && this.#marked.isReached(flows);
    // A liquidation reads the marks of the block before (LIQ), and so does the check of a maker (ORD-6).
    if (!isSafe || this.#isReached) this.#catchUp();
    return !isSafe || this.#isReached || this.#hasRefused || this.#outbox.dueMs <= timeMs || this.#history.isSettling;
  }

  /** Passes the next bar, or its path up to where something else comes, if nothing can happen there. */
  #passBar(dueMs: number): boolean {
    if (this.#needsAll || this.#hasRefused) return false;
    const points = this.#points;
    const { flows } = this.#history;
    points.count = this.#history.peekBar(dueMs);
    if (points.count === 0 || (this.#marked.rests && this.#marked.isReached(flows))) return false;
    if (!this.#marked.moveAlong(points)) return false;
    const segments = this.#history.passBar(points.count);
    this.#tracker.passBar(this.state, this.#marked.getLots(0), points);
    if (segments.length > 0 && this.#session.seesData) this.#show(segments, points.times[points.count - 1]!);
    return true;
  }

  /** An instant without a block: the report and the strategy see it. */
  #pass(timeMs: number, segments: readonly Segment[]): void {
    this.#history.pass();
    this.#tracker.pass(this.state, timeMs, this.#marked, this.#history.flows);
    const hasData = segments.length > 0 || this.#makesBars;
    if ((hasData && this.#session.seesData) || this.#session.dueMs <= timeMs) this.#show(segments, timeMs);
  }

  #show(segments: readonly Segment[], timeMs: number): void {
    this.#session.moveTo({ height: this.state.height, timeMs });
    this.#callStrategy(() => this.#session.afterBlock(NO_FACTS, (hooks) => this.#data.show(segments, timeMs, hooks)));
  }

  /** Makes a block of the last instant if it was passed, so that the venue has its prices and its depth. */
  #catchUp(): void {
    const timeMs = this.#history.passedMs;
    if (timeMs === undefined) return;
    const block = this.#builder.build(timeMs, this.#history.takePassedActions(), []);
    const systemCount = block.transactions.length;
    const result = this.simulation.apply(block);
    this.#checkHistory(block, result.receipts, systemCount);
    const { reports } = this.#tracker.read(this.state, block, result, systemCount, true);
    if (reports.length > 0) {
      const at = new Date(timeMs).toISOString();
      throw new BacktestError("REPLAY_REFUSED", `the account changed in a block at ${at} that was not needed`, {
        place: `block ${block.height}`,
        hint: "this is a fault in perplab; --blocks all makes every block",
      });
    }
    this.#session.moveTo(block);
  }

  #makeBlock(timeMs: number, segments: readonly Segment[]): void {
    const actions = this.#history.takeActions(this.#isReached);
    const own = this.#outbox.take(this.#builder.nextHeight, timeMs);
    const block = this.#builder.build(timeMs, actions, own);
    const systemCount = actions.length;
    const result = this.simulation.apply(block);
    this.#checkHistory(block, result.receipts, systemCount);
    const facts = this.#tracker.read(this.state, block, result, systemCount);
    this.#readNeeds();
    this.#hasRefused = false;
    this.#session.moveTo(block);
    this.#callStrategy(() => this.#session.afterBlock(facts, (hooks) => this.#data.show(segments, timeMs, hooks)));
    if (this.#stop !== undefined || !facts.reports.some(({ kind }) => kind === "fill")) return;
    const { account, markets } = this.#session;
    if (isWipedOut(account, markets)) {
      this.#stop = { reason: "wipedOut", height: block.height, timeMs, equity: account.equity };
    }
  }

  /** Which instants after a block need blocks of their own. */
  #readNeeds(): void {
    const { state } = this;
    this.#marked.read(state);
    this.#needsAll =
      this.#blocks === "all" ||
      this.#strategy.onBlock !== undefined ||
      this.#marked.isBusy ||
      isWaiting(state) ||
      !isAsRecorded(state);
    for (const [market, flow] of this.#history.flows.entries()) {
      flow.followBlock(state.markets.last[market as MarketRow]!, this.#needsAll || this.#marked.rests);
    }
  }

  #checkHistory({ height, timeMs, transactions }: SealedBlock, receipts: Receipts, count: number): void {
    for (let index = 0; index < count; index++) {
      if (receipts.codes[index] === 0) continue;
      const { action } = transactions[index]!;
      const at = new Date(timeMs).toISOString();
      throw new BacktestError("REPLAY_REFUSED", `the venue refused ${action} at ${at}: ${receipts.code(index)}`, {
        place: `block ${height}`,
        hint: "if the market's parameters were changed with --set, undo that; else this is a fault in perplab",
      });
    }
  }
}

/** What a passed instant does to the account. */
const NO_FACTS: BlockFacts = { reports: [], rejections: [] };

function createReplayGenesis(settings: Settings, definitions: readonly MarketDefinition[], firstMs: number): Genesis {
  return createGenesis({
    timeMs: firstMs - 1,
    authorities: AUTHORITIES,
    markets: definitions.map(({ name, preset, parameters }) => ({ name, preset, parameters })),
    accounts: [
      HOUSE_ACCOUNT,
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

/** Imported where signatures are made: curves and hashes are much to load. */
async function openSignaturesOf(genesis: Genesis): Promise<Signatures> {
  const { openSignatures } = await import("../../venue/simulation/signatures.ts");
  return openSignatures(genesis, Object.values(KEYS));
}
