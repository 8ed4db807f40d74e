import type { Ppb, PriceE8 } from "../../ground/math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import type { Driver, EventChunk, TapeManifest } from "../market-data/types.ts";
import { BarPath } from "./barPath.ts";
import type { BookReach } from "./book/bookFlow.ts";
import { HOUSE } from "./house.ts";
import { type FlowMarket, MarketFlow } from "./marketFlow.ts";
import type { OracleValues } from "./referencePrices.ts";
import type { ReplaySettings } from "./settings.ts";
import type { MarketSurvey } from "./surveyMarkets.ts";
import { type Segment, Timeline } from "./timeline.ts";

/** An action of history in a block. Actions come in block order: prices first (BLK). */
export type HistoryAction =
  | { readonly action: "oracleUpdate"; readonly payload: Payloads["oracleUpdate"] }
  | { readonly action: "houseFlow"; readonly payload: Payloads["houseFlow"] };

/** The part of the data that falls into a block. */
export interface HistoryBlock {
  readonly actions: readonly HistoryAction[];
  /** Its rows; valid until the next block is taken. */
  readonly segments: readonly Segment[];
}

/** The part of the data after an instant. */
export interface Ahead {
  /** Rows of the last instant, then later ones, in their order. */
  readonly segments: readonly Segment[];
  /** Up to when (included) everything is known. */
  readonly safeMs: number;
  /** Longest bar, ms: a row moves a market at most so long before its own time. */
  readonly longestMs: number;
}

export interface HistoryParts {
  readonly manifest: TapeManifest;
  /** As the venue has them; like the surveys in the order of the manifest. */
  readonly markets: readonly FlowMarket[];
  readonly surveys: readonly MarketSurvey[];
  readonly settings: ReplaySettings;
}

/**
 * Recorded data as blocks of a venue: the actions, and their times. The driver of the venue passes in the chunks of the
 * stream and asks when the next block is. It adds its own actions after the block's.
 *
 * Blocks gather trades over `blockMs`, on multiples of it; where only bars move the markets, every point of a path is
 * one.
 */
export class History {
  /** By market. */
  readonly flows: readonly MarketFlow[];
  /** By market, the length of the bars that drive it; 0 for trades and books. */
  readonly intervals: readonly number[];
  /** By market: the data that drives it. */
  readonly drivers: readonly Driver[];
  /** The path that `peekPath` has read. */
  readonly path = new BarPath();
  readonly #timeline: Timeline;
  readonly #gridMs: number;
  /** When the first market has its first price. */
  readonly #fromMs: number;
  #timeMs = Number.NaN;
  /** NaN without one. */
  #passedMs = Number.NaN;

  constructor({ manifest, markets, surveys, settings }: HistoryParts) {
    this.drivers = surveys.map(({ driver }) => driver);
    this.intervals = surveys.map(({ intervalMs }) => intervalMs);
    this.flows = markets.map((market, place) => {
      const { mark, index } = manifest.markets[place]!.events;
      const { driver } = surveys[place]!;
      const book = driver === "depth" || driver === "quote";
      return new MarketFlow(market, settings, { mark: mark > 0, index: index > 0, book });
    });
    this.#timeline = new Timeline(this.flows, surveys, settings.intrabar);
    this.#gridMs = gridOf(settings, surveys);
    this.#fromMs = Math.min(...surveys.map(({ fromMs }) => fromMs));
  }

  /** Time of the last instant; NaN before the first. */
  get instantMs(): number {
    return this.#timeMs;
  }

  /** Up to when (included) no further instant comes, where the next one is not known. */
  get knownMs(): number {
    const { safeMs } = this.#timeline;
    return safeMs === Number.POSITIVE_INFINITY ? this.#timeMs : safeMs;
  }

  /** Takes in the next chunk of the stream. */
  add(chunk: EventChunk): void {
    this.#timeline.add(chunk);
  }

  /** The stream has ended. */
  finish(): void {
    this.#timeline.finish();
  }

  /**
   * Data that is read and comes after the last instant, where bars alone drive the markets; undefined where trades do,
   * which a block gathers.
   */
  lookAhead(): Ahead | undefined {
    if (this.#gridMs !== 0) return undefined;
    const { safeMs, longestMs } = this.#timeline;
    return { segments: this.#timeline.listAhead(), safeMs, longestMs };
  }

  /** Time of the first block, once a chunk is there. A long bar may begin first and be in a later chunk. */
  get firstMs(): number {
    return alignTo(this.#gridMs, Math.min(this.#timeline.nextMs(), this.#fromMs));
  }

  /**
   * Time of the next block; undefined where the stream does not reach so far yet, or nothing more comes.
   *
   * @param dueMs latest time of the next block that the caller needs; ignored after the end of the data
   */
  nextBlockMs(dueMs = Number.POSITIVE_INFINITY): number | undefined {
    const nextMs = this.#timeline.nextMs();
    if (nextMs === Number.POSITIVE_INFINITY) return undefined;
    const timeMs = alignTo(this.#gridMs, Math.min(nextMs, dueMs));
    return timeMs > this.#timeline.safeMs ? undefined : timeMs;
  }

  /** The actions of history in the block of a time that `nextBlockMs` gave. */
  take(timeMs: number): HistoryBlock {
    const segments = this.moveTo(timeMs);
    return { actions: this.takeActions(true), segments };
  }

  /**
   * Moves on to an instant that `nextBlockMs` gave, in two steps: the caller then takes its actions, or passes it.
   *
   * @returns its rows; valid until the next instant
   */
  moveTo(timeMs: number): readonly Segment[] {
    const segments = this.#timeline.take(timeMs);
    this.#timeMs = timeMs;
    for (let market = 0; market < this.flows.length; market++) {
      this.flows[market]!.endInstant(timeMs, this.intervals[market]!);
    }
    return segments;
  }

  /** Points of bars may be passed in one step: bars alone drive the data, of one market. */
  get hasPath(): boolean {
    return this.#gridMs === 0 && this.flows.length === 1;
  }

  /**
   * Reads the next points of bars into `path`, where nothing else comes between them, so that they may be passed in one
   * step.
   *
   * @param bars  most bars
   * @param dueMs time of the next block that the caller needs
   * @returns how many points may be passed; 0 for none: then the next instant is that of `nextBlockMs`
   */
  peekPath(bars: number, dueMs: number): number {
    if (!this.hasPath) return 0;
    const points = this.#timeline.peekPath(this.path, bars, dueMs);
    return points > 0 && this.flows[0]!.canPass(this.path) ? points : 0;
  }

  /**
   * Passes the first points of the path that `peekPath` has read.
   *
   * @returns the rows of the last of them; valid until the next instant
   */
  passPath(points: number): readonly Segment[] {
    const timeMs = this.path.times[points - 1]!;
    const segments = this.#timeline.passPath(points, timeMs);
    this.flows[0]!.passPoints(this.path, points);
    this.#timeMs = timeMs;
    this.#passedMs = timeMs;
    return segments;
  }

  /**
   * The actions of this instant's block, with those of passed instants that lead to it.
   *
   * @param isReached whether an order of the account rests where the house trades or quotes in this instant
   * @param reaches   by market: what the orders of the block can reach of its recorded book; default: all
   */
  takeActions(isReached: boolean, reaches?: readonly BookReach[]): HistoryAction[] {
    const actions = this.#takePrices();
    for (let market = 0; market < this.flows.length; market++) {
      const flow = this.flows[market]!;
      if (flow.book === undefined) addSteps(actions, flow.name, flow.takeSteps(isReached));
      else for (const steps of flow.takeFlows(isReached, reaches?.[market])) addSteps(actions, flow.name, steps);
    }
    return actions;
  }

  /**
   * As `takeActions`, without the house's actions. They are left for a later block, as those of a passed instant are.
   */
  takePrices(): HistoryAction[] {
    const actions = this.#takePrices();
    for (const flow of this.flows) flow.pass();
    return actions;
  }

  #takePrices(): HistoryAction[] {
    this.#passedMs = Number.NaN;
    const { flows } = this;
    let actions: HistoryAction[] | undefined;
    for (let market = 0; market < flows.length; market++) {
      const flow = flows[market]!;
      if (flow.prices.takeUpdate(this.#timeMs)) actions = addPrices(actions, flow.name, flow.prices.update);
    }
    return actions ?? [];
  }

  /** Leaves this instant without a block. */
  pass(): void {
    this.#passedMs = this.#timeMs;
    for (const flow of this.flows) flow.pass();
  }

  /** Time of the last instant, if it was passed and no block was made since. */
  get passedMs(): number | undefined {
    return Number.isNaN(this.#passedMs) ? undefined : this.#passedMs;
  }

  /** The actions of a block at `passedMs`, which leads to where the venue would be with a block at every instant. */
  takePassedActions(): HistoryAction[] {
    const timeMs = this.#passedMs;
    this.#passedMs = Number.NaN;
    let prices: HistoryAction[] | undefined;
    for (const flow of this.flows)
      if (flow.takePassedUpdate(timeMs)) prices = addPrices(prices, flow.name, flow.prices.update);
    const actions = prices ?? [];
    for (const flow of this.flows) {
      if (flow.book === undefined) addSteps(actions, flow.name, flow.takePassedSteps());
      else for (const steps of flow.takePassedFlows()) addSteps(actions, flow.name, steps);
    }
    return actions;
  }

  /** The run has ended: its books cannot be read from now on. */
  release(): void {
    for (const { book } of this.flows) book?.book.release();
  }

  /** A funding rate is to be settled at this instant. */
  get isSettling(): boolean {
    for (const flow of this.flows) if (flow.prices.isSettling) return true;
    return false;
  }
}

const NO_SOURCES: Payloads["oracleUpdate"]["sources"] = [];

/** A list that begins with its first action has room for that one; most blocks have no more. */
function addPrices(actions: HistoryAction[] | undefined, market: string, values: OracleValues): HistoryAction[] {
  const payload = {
    market,
    sources: NO_SOURCES,
    price: values.price as PriceE8,
    mark: values.mark as PriceE8,
    fundingRate: values.rate as Ppb,
    settleFunding: values.settle,
  };
  const one: HistoryAction = { action: "oracleUpdate", payload };
  if (actions === undefined) return [one];
  actions.push(one);
  return actions;
}

function addSteps(actions: HistoryAction[], market: string, steps: Uint8Array): void {
  if (steps.length === 0) return;
  const payload = { market, account: HOUSE.address, subaccount: HOUSE.subaccount, steps };
  actions.push({ action: "houseFlow", payload });
}

/** Block times are multiples of this; 0 if a block is made wherever something happens. */
export function gridOf({ blockMs }: ReplaySettings, surveys: readonly MarketSurvey[]): number {
  return surveys.some(({ intervalMs }) => intervalMs === 0) ? blockMs : 0;
}

/** The first multiple of the grid at or after a time; the time itself without a grid. */
export function alignTo(gridMs: number, timeMs: number): number {
  return gridMs === 0 ? timeMs : Math.ceil(timeMs / gridMs) * gridMs;
}
