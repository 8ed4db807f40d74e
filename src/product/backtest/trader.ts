import type { BlockFacts, DataHooks } from "../../client/strategy/blockFacts.ts";
import type { Bar } from "../../client/strategy/facts.ts";
import type { SessionReport } from "../../client/strategy/sessionPort.ts";
import { StrategySession } from "../../client/strategy/strategySession.ts";
import type { AccountKey } from "../../protocol/accountKey.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { BlockResult } from "../../venue/engine/applyBlock.ts";
import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import type { BarPath } from "../replay/barPath.ts";
import type { History } from "../replay/history.ts";
import type { MarketDefinition } from "../replay/marketDefinition.ts";
import type { Segment } from "../replay/timeline.ts";
import type { Recorder } from "../report/input.ts";
import type { PassedMarket } from "./account/accountPoints.ts";
import { AccountTracker } from "./account/accountTracker.ts";
import { MarkedAccount, type Marks } from "./account/markedAccount.ts";
import { ORDER_ACTIONS, OwnOrders } from "./account/ownOrders.ts";
import type { VenueAccount } from "./account/venueAccount.ts";
import type { VenueMarket } from "./account/venueMarket.ts";
import type { VenueReads } from "./account/venueReads.ts";
import { viewVenue } from "./account/venueView.ts";
import { isWipedOut } from "./account/wipedOut.ts";
import { isBacktestError } from "./errors.ts";
import { toHookError } from "./hookError.ts";
import { Link } from "./link/link.ts";
import type { Remotes } from "./link/openRemote.ts";
import type { Refused, Remote } from "./link/remote.ts";
import { type DueTransaction, Outbox, type SentTransaction } from "./outbox.ts";
import { offerOutlook } from "./outlook.ts";
import { RecordedData } from "./recordedData.ts";
import type { RunStop } from "./runStop.ts";
import type { SeriesReader } from "./series/seriesReader.ts";
import { StrategyNotes } from "./strategyNotes.ts";
import type { StrategySettings } from "./strategyOptions.ts";
import { TradeBars } from "./tradeBars.ts";

/** Bars that are passed in one step where no hook sees them. */
const BARS_AT_ONCE = 64;

/** Parts of a trader. */
export interface TraderParts {
  readonly settings: StrategySettings;
  readonly key: AccountKey;
  readonly reads: VenueReads;
  readonly definitions: readonly MarketDefinition[];
  readonly recorder: Recorder;
  /** By market: whether its bars are made of its trades, and how long those are. */
  readonly isTradeBarred: readonly boolean[];
  readonly barMs: number;
  /** Bars from before the start that the strategy sees first. */
  readonly warmUp: readonly Bar[] | undefined;
  /** Recorded series as its strategy knows them; undefined without any. */
  readonly series: SeriesReader | undefined;
  readonly history: History;
  /** Its bars are recorded ones, and only its own transactions, funding and a liquidation change its account. */
  readonly isQuiet: () => boolean;
  /** Whether others trade in the run. */
  readonly isOfSeveral: boolean;
  /** Each block is recorded by itself. */
  readonly recordsEach: boolean;
  /** Time of the first block. */
  readonly firstMs: number;
  readonly onSend: ((sent: SentTransaction) => void) | undefined;
  /** Receives what the venue refused where it arrived, at that time. */
  readonly onRefuse: ((refused: Refused) => void) | undefined;
  readonly genesis: Genesis;
  /** Undefined for a strategy that sees every block at once. */
  readonly remotes: Remotes | undefined;
  /** Brings the venue up to date; called where a hook fails. */
  readonly catchUp: () => void;
}

/** One strategy of a replay with its account: its transactions, its hooks, and its records for the report. */
export class Trader {
  readonly settings: StrategySettings;
  readonly recorder: Recorder;
  readonly notes = new StrategyNotes();
  /** Its account as the last block left it, at marks that no block has yet. */
  readonly marked: MarkedAccount;
  /** Why it trades no more; undefined for a strategy that trades until the end of the data. */
  stop: RunStop | undefined;
  /** It has an order that was refused without being sent; it learns of it with the next block. */
  hasRefused = false;
  readonly #state: State;
  readonly #outbox: Outbox;
  readonly #tracker: AccountTracker;
  /** The recorded series as its strategy knows them; none where the data has none. */
  readonly series: SeriesReader["all"];
  readonly #session: StrategySession<VenueMarket, VenueAccount>;
  readonly #data: RecordedData;
  /** Whether bars are made of trades, so that an instant without data may end one. */
  readonly #makesBars: boolean;
  readonly #isOfSeveral: boolean;
  /** Its transactions that were refused where they arrived. */
  readonly refused = { RATE_LIMITED: 0, VENUE_UNREACHABLE: 0 };
  /** Undefined for a strategy that sees every block at once. */
  readonly #remote: Remote | undefined;
  #facts: BlockFacts = NO_FACTS;

  constructor({ settings, key, reads, definitions, recorder, onSend, ...parts }: TraderParts) {
    const { state } = reads;
    const account = findAccount(state, key);
    this.settings = settings;
    this.recorder = recorder;
    this.series = parts.series?.all ?? [];
    this.#state = state;
    this.marked = new MarkedAccount(account);
    const { seed } = settings;
    const { isDirect, submit } = settings.link;
    const link = new Link(settings.link, seed);
    this.#outbox = new Outbox({
      account: key,
      latency: link.submitMs,
      firstMs: parts.firstMs,
      onSend,
      refuse: isDirect ? undefined : (timeMs) => link.refuse(timeMs),
      onRefuse: (refused, sent) => this.#remote!.refuse({ ...refused, sent }),
      isConfirmed: !isDirect,
    });
    const orders = new OwnOrders(new Map(definitions.map(({ name, lotSize }) => [name, lotSize])));
    const names = definitions.map(({ name }) => name);
    this.#makesBars = parts.isTradeBarred.includes(true);
    this.#isOfSeveral = parts.isOfSeveral;
    this.#data = new RecordedData(names, new TradeBars(names, parts.isTradeBarred, parts.barMs));
    const seesFunding = settings.strategy.onFunding !== undefined || parts.remotes !== undefined;
    const { recordsEach } = parts;
    const markets = definitions.length;
    this.#tracker = new AccountTracker({ recorder, reads, orders, account, markets, seesFunding, recordsEach });
    const own = viewVenue(reads, account, this.#outbox, (order) => orders.nameOf(order));
    const remote = parts.remotes?.open({
      ...{ genesis: parts.genesis, key, sender: this.#outbox, link, own: own.account, state, account },
      onRefuse: (refused) => {
        this.refused[refused.code]++;
        recorder.recordRejection(refused.code, refused.timeMs, ORDER_ACTIONS.has(refused.sent.action));
        parts.onRefuse?.(refused);
      },
    });
    this.#remote = remote?.remote;
    const view = { ...(remote?.view ?? own), series: parts.series };
    const { strategy, params } = settings;
    const port = { view, send: this.#outbox, report: this.#openReport(parts) };
    this.#session = new StrategySession({ strategy, params, seed, idPrefix: "t", port, warmUp: parts.warmUp });
    offerOutlook(strategy, {
      ...{ history: parts.history, names, marked: this.marked, session: this.#session, sender: this.#outbox },
      isQuiet: parts.isQuiet,
    });
    // The account chooses its leverage and margin mode before anything else: these are in the first block.
    this.#session.moveTo({ height: 0, timeMs: parts.firstMs - Math.max(1, submit.constantMs ?? 1) });
    for (const name of names) {
      this.#session.context.setLeverage(settings.leverage, name);
      if (settings.margin !== "cross") this.#session.context.setMarginMode(settings.margin, name);
    }
  }

  #openReport({ catchUp, isOfSeveral }: Pick<TraderParts, "catchUp" | "isOfSeveral">): SessionReport {
    return {
      metric: (name, value, timeMs) => this.notes.addMetric(name, value, timeMs),
      log: (text, timeMs) => this.notes.addLog(text, timeMs),
      refused: (code, timeMs) => {
        // Where messages take time, it learns of it with the next of them.
        this.hasRefused = this.#remote === undefined;
        this.recorder.recordRejection(code, timeMs, true);
      },
      failed: (failure) => {
        // The strategy ends with a block of the instant at which the hook failed.
        catchUp();
        const { height } = this.#state;
        return toHookError({ ...failure, height }, isOfSeveral ? this.settings.name : undefined);
      },
    };
  }

  /** When its first transaction on the way can be in a block; Infinity without any. */
  get dueMs(): number {
    return this.#outbox.dueMs;
  }

  /** Latest time of the next instant that its strategy needs; Infinity for none. */
  get hookMs(): number {
    if (this.stop !== undefined) return Number.POSITIVE_INFINITY;
    // Timers are on the clock of the strategy, which is its own where messages take time.
    return this.#remote === undefined ? this.#session.dueMs : this.#session.framesDueMs;
  }

  /** Messages between its strategy and the venue take time, or may be stopped. */
  get isRemote(): boolean {
    return this.#remote !== undefined;
  }

  /** Time of its own clock at which its strategy is called next; Infinity for one that sees every block at once. */
  get wakeMs(): number {
    if (this.#remote === undefined || this.stop !== undefined) return Number.POSITIVE_INFINITY;
    const { framesDueMs, timersDueMs, hasRefused } = this.#session;
    return Math.min(timersDueMs, this.#remote.findNextMs(framesDueMs, hasRefused));
  }

  /** Calls its hooks at a time of its own clock, with the messages that have arrived by then. */
  wake(timeMs: number): void {
    const { now, facts, feed, seenMs, isBlock, ids } = this.#remote!.receive(timeMs);
    this.#outbox.confirm(ids);
    this.#session.moveTo(now);
    const show = (hooks: DataHooks) => {
      for (const message of feed) {
        this.#data.moveTo(message.segments, message.timeMs);
        this.#data.show(hooks);
      }
    };
    try {
      this.#session.afterBlock(facts, { show }, seenMs, isBlock);
    } catch (error) {
      this.#fail(error);
    }
    this.#stopIfWipedOut(facts, timeMs);
  }

  /** Its strategy has a hook for every block. */
  get seesBlocks(): boolean {
    return this.stop === undefined && this.settings.strategy.onBlock !== undefined;
  }

  /** What a block of a time may carry. */
  listDue(timeMs: number): ReturnType<Outbox["listDue"]> {
    return this.#outbox.listDue(timeMs);
  }

  /** Takes out what a block may carry. */
  take(height: number, timeMs: number): DueTransaction[] {
    return this.#outbox.take(height, timeMs);
  }

  /**
   * Reads a block, for its hooks and for the report.
   *
   * @param places of its transactions in the block
   */
  read(block: SealedBlock, result: BlockResult, places: readonly number[]): void {
    this.#facts = this.#tracker.read(this.#state, block, result, places);
    // The recorder of all accounts needs each at one instant before the next.
    if (this.#isOfSeveral) this.#tracker.flush();
    this.marked.read(this.#state);
    this.hasRefused = false;
    if (this.#remote === undefined) this.#session.moveTo(block);
    else if (this.#tracker.isTouched) this.#remote.sendReceipt(block, this.#facts, places);
  }

  /**
   * Reads a block of an instant that was passed.
   *
   * @returns whether it left the account alone
   */
  readPassed(block: SealedBlock, result: BlockResult): boolean {
    const { reports } = this.#tracker.read(this.#state, block, result, [], true);
    if (this.#remote === undefined) this.#session.moveTo(block);
    return reports.length === 0 && !this.#tracker.isPaid;
  }

  /** Records an instant that needs no block. */
  pass(timeMs: number, flows: Marks & readonly PassedMarket[]): void {
    this.#tracker.pass(this.#state, timeMs, this.marked, flows);
    if (this.#isOfSeveral) this.#tracker.flush();
  }

  /** Bars that may be passed in one step as far as its hooks go. */
  get barsAtOnce(): number {
    return this.#session.seesData ? 1 : BARS_AT_ONCE;
  }

  /**
   * Moves its account along a path of bars, of a run with one market and one strategy, and records the points.
   *
   * @returns how many: those before the first that needs a block
   */
  moveAlong(path: BarPath, points: number): number {
    return this.marked.moveAlong(path, points, this.#tracker.openPoints(this.#state, points));
  }

  /**
   * Calls its hooks at an instant that needs no block, if the instant has something for them.
   *
   * @returns whether it did, or sent a message that leads to a call
   */
  callHooksBetween(segments: readonly Segment[], timeMs: number): boolean {
    if (this.#remote !== undefined) {
      this.#sendFeed(this.#remote, segments, timeMs, false);
      return true;
    }
    const hasData = segments.length > 0 || this.#makesBars;
    if (!(hasData && this.#session.seesData) && this.#session.dueMs > timeMs) return false;
    this.#show(segments, timeMs);
    return true;
  }

  #sendFeed(remote: Remote, segments: readonly Segment[], timeMs: number, isBlock: boolean): void {
    if (this.stop !== undefined) return;
    const { seesData } = this.#session;
    const hasRows = segments.length > 0;
    const isCall = (seesData && (hasRows || this.#makesBars)) || (isBlock && this.seesBlocks);
    // The objects of segments are used again for the next instant.
    const kept = seesData && hasRows ? segments.map((segment) => ({ ...segment })) : NO_SEGMENTS;
    remote.sendFeed({ timeMs, segments: kept, isBlock, isCall });
  }

  #show(segments: readonly Segment[], timeMs: number): void {
    this.#session.moveTo({ height: this.#state.height, timeMs });
    this.callHooks(segments, timeMs);
  }

  /**
   * Calls the hooks of a strategy that trades still, after a block that it has read or at an instant that needs none.
   */
  callHooks(segments: readonly Segment[], timeMs: number): void {
    if (this.stop !== undefined) return;
    const facts = this.#facts;
    this.#facts = NO_FACTS;
    if (this.#remote !== undefined) {
      this.#sendFeed(this.#remote, segments, timeMs, true);
      return;
    }
    this.#data.moveTo(segments, timeMs);
    try {
      this.#session.afterBlock(facts, this.#data);
    } catch (error) {
      this.#fail(error);
    }
    this.#stopIfWipedOut(facts, timeMs);
  }

  #stopIfWipedOut(facts: BlockFacts, timeMs: number): void {
    if (this.stop !== undefined || !hasFill(facts)) return;
    const { account, markets } = this.#session.context;
    if (!isWipedOut(account, markets)) return;
    const { height } = this.#state;
    this.stop = { reason: "wipedOut", height, timeMs, equity: account.equity };
  }

  /** The run has ended: records what is open, and calls the last hook of a strategy that has not failed. */
  end(): void {
    this.#tracker.end();
    if (this.stop?.reason === "strategyFailed") return;
    try {
      this.#session.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A hook that throws stops the strategy; what was recorded so far stays. */
  #fail(error: unknown): void {
    if (!isBacktestError(error, "STRATEGY_FAILED")) throw error;
    const { height, timeMs } = this.#state;
    this.stop = { reason: "strategyFailed", height, timeMs, failure: error };
  }
}

function hasFill({ reports }: BlockFacts): boolean {
  for (const { kind } of reports) if (kind === "fill") return true;
  return false;
}

const NO_SEGMENTS: readonly Segment[] = [];
/** Facts of an instant without a block: none. */
const NO_FACTS: BlockFacts = { reports: [], rejections: [] };
