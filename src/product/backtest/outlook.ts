import type { Bar } from "../../client/strategy/facts.ts";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import type { InFlight } from "../../client/strategy/strategyAccount.ts";
import { type EventChunk, EventKind } from "../market-data/types.ts";
import type { Ahead, History } from "../replay/history.ts";
import type { MarkedAccount, MarkRanges } from "./account/markedAccount.ts";
import { readBar } from "./recordedData.ts";

/** A strategy with this member gets the outlook of its run before the first block. No module has it by accident. */
export const OUTLOOK = Symbol("outlook");

/** A bar that is sure to be shown. */
export interface UpcomingBar {
  readonly bar: Bar;
  /** Time of the hook. */
  readonly timeMs: number;
}

export interface OutlookParts {
  readonly history: Pick<History, "lookAhead" | "flows">;
  /** Of the markets. */
  readonly names: readonly string[];
  readonly marked: Pick<MarkedAccount, "isFlat" | "isSafeWithin" | "isExposed">;
  readonly session: { readonly isWaiting: boolean; findCallAfter(bar: Bar): number };
  readonly sender: InFlight;
  /** The account changes with its own transactions, funding and a liquidation alone, and bars are recorded ones. */
  readonly isQuiet: () => boolean;
}

/**
 * What is sure to come for a strategy that does nothing: bars before which no other hook of it is called, and its
 * positions, orders and intents do not change. Values that depend on prices do change. Decision 0039 has the reasons.
 */
export class Outlook {
  readonly #parts: OutlookParts;
  readonly #hasFunding: boolean;

  constructor(strategy: AnyStrategy, parts: OutlookParts) {
    this.#parts = parts;
    this.#hasFunding = strategy.onFunding !== undefined;
  }

  /**
   * Lists the bars that follow a bar whose hook is called now. Call it before the hook does something.
   *
   * @param most bars at most
   */
  listAfter(bar: Bar, most: number): UpcomingBar[] {
    const { history, session, sender, marked, isQuiet } = this.#parts;
    if (most < 1 || !isQuiet() || marked.isExposed || sender.inFlight > 0 || session.isWaiting) return [];
    const ahead = history.lookAhead();
    if (ahead === undefined) return [];
    let bars = this.#listBars(ahead, bar, most);
    while (bars.length > 0 && !this.#isSafe(ahead, bars.at(-1)!.timeMs)) bars = bars.slice(0, bars.length >> 1);
    return bars;
  }

  #listBars({ segments, safeMs }: Ahead, bar: Bar, most: number): UpcomingBar[] {
    const { session, names, marked } = this.#parts;
    const callMs = session.findCallAfter(bar);
    const found: UpcomingBar[] = [];
    let isAfter = false;
    for (const { chunk, from, to } of segments) {
      for (let row = from; row < to; row++) {
        const timeMs = chunk.timeMs[row]!;
        if (timeMs > safeMs || timeMs >= callMs || found.length === most) return found;
        if (chunk.kind[row] === EventKind.funding && isAfter && this.#hasFunding && !marked.isFlat) return found;
        if (chunk.kind[row] !== EventKind.bar) continue;
        if (isAfter) found.push({ bar: readBar(chunk, row, names), timeMs });
        else isAfter = timeMs === bar.closeTimeMs && names[chunk.market[row]!] === bar.market;
      }
    }
    return found;
  }

  /**
   * Whether the account is left alone up to a time (included), whatever path the marks take within the rows that move
   * them.
   */
  #isSafe({ segments, longestMs }: Ahead, untilMs: number): boolean {
    const { history, marked } = this.#parts;
    if (marked.isFlat) return true;
    const ranges = history.flows.map((flow) => {
      const held = flow.listHeldPrices();
      return { low: Math.min(...held), high: Math.max(...held), fundingShare: 0 };
    });
    for (const { chunk, from, to } of segments) {
      for (let row = from; row < to; row++) {
        const timeMs = chunk.timeMs[row]!;
        // The path of a bar begins after its open.
        if (timeMs >= untilMs + longestMs) return marked.isSafeWithin(ranges);
        widen(ranges[chunk.market[row]!]!, chunk, row, timeMs <= untilMs);
      }
    }
    return marked.isSafeWithin(ranges);
  }
}

type Range = { -readonly [K in keyof MarkRanges[number]]: MarkRanges[number][K] };

function widen(range: Range, { kind, price, open, high, low, rate }: EventChunk, row: number, isDue: boolean): void {
  if (kind[row] === EventKind.funding) {
    // Funding that is settled later is paid later; a payment is at the index, which is in the range as well.
    if (isDue) range.fundingShare += Math.abs(rate[row]!) / 1e9;
    return;
  }
  for (const value of [price[row]!, open[row]!, high[row]!, low[row]!]) {
    if (value <= 0) continue;
    if (value < range.low) range.low = value;
    if (value > range.high) range.high = value;
  }
}

/** Gives a strategy that asks for it the outlook of its run. */
export function offerOutlook(strategy: AnyStrategy, parts: OutlookParts): void {
  const listen = (strategy as { readonly [OUTLOOK]?: (outlook: Outlook) => void })[OUTLOOK];
  listen?.(new Outlook(strategy, parts));
}
