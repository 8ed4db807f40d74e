import { mulDivTrunc } from "../../../src/ground/math/fixed.ts";
import { computeRealized } from "../../../src/venue/engine/valuation/realized.ts";
import { countDecimals, readScaled } from "../decimals.ts";

/** A fill as the venue recorded it, in its text. */
export interface RecordedFill {
  readonly coin: string;
  /** B buys, A sells. */
  readonly side: string;
  readonly px: string;
  readonly sz: string;
  /** Signed size before the fill. */
  readonly start_position: string;
  readonly dir: string;
  /** USDC, without the fee. */
  readonly closed_pnl: string;
  readonly vault: string;
}

/**
 * Decimals of a quote unit. A price has as many less the decimals of a size, so a lot times a tick is one quote unit.
 */
const QUOTE_DECIMALS = 6;
/** Digits of a price that is no whole number. */
const PRICE_DIGITS = 5;

/** How a fill continues the position that the fills before it left. */
export type Continuation = "first" | "follows" | "breaks";

/**
 * How the realized PnL of a close compares with the recorded one:
 *
 *     exact          equal to a quote unit
 *     entryCut       equal once the average entry price is cut to the step of prices, as the venue reports it
 *     averagedPrice  the row joins fills at several prices, and has only their rounded mean
 *     averagedEntry  an earlier row of the position does
 *     forced         a settlement, a deleveraging, a netting of vaults
 *     withinStep     less than a step of prices for each unit of size
 *     other          more than that
 */
export type CloseClass = (typeof CLOSE_CLASSES)[number];
export const CLOSE_CLASSES = [
  "exact",
  "entryCut",
  "averagedPrice",
  "averagedEntry",
  "forced",
  "withinStep",
  "other",
] as const;

export interface CheckedFill {
  readonly continuation: Continuation;
  /** Of a close whose entry is known; undefined for every other fill. */
  readonly close?: CheckedClose;
  /** The fill reduces a position that was opened before the recording. */
  readonly isEntryUnknown: boolean;
}

/** Quote units. */
export interface CheckedClose {
  readonly class: CloseClass;
  /** By the engine, without the fee. */
  readonly realized: number;
  readonly recorded: number;
}

interface Held {
  signedLots: number;
  /** Quote units; undefined while the position was opened before the recording. */
  cost: number | undefined;
  /** Whether a fill of the position has a price off the venue's grid. */
  isAveraged: boolean;
}

const FORCED = /^(Auto-Deleveraging|Settlement|Net Child Vaults)$/;

/**
 * The positions of many accounts, held by the engine's arithmetic: fills in, comparisons with the recorded values out.
 */
export class PositionChains {
  private readonly held = new Map<string, Held>();
  private readonly sizeDecimals: ReadonlyMap<string, number>;

  /** @param sizeDecimals of each coin */
  constructor(sizeDecimals: ReadonlyMap<string, number>) {
    this.sizeDecimals = sizeDecimals;
  }

  add(fill: RecordedFill): CheckedFill {
    const decimals = this.sizeDecimals.get(fill.coin)!;
    const start = readScaled(fill.start_position, decimals);
    const lots = (fill.side === "B" ? 1 : -1) * readScaled(fill.sz, decimals);
    const isOffGrid = !isOnGrid(fill.px, QUOTE_DECIMALS - decimals);
    const value = computeValue(lots, fill.px, decimals);
    const key = `${fill.vault} ${fill.coin}`;
    const before = this.held.get(key);
    const continuation = before === undefined ? "first" : before.signedLots === start ? "follows" : "breaks";
    const held = continuation === "follows" ? before! : startAt(start);
    this.held.set(key, held);

    const next = start + lots;
    const isIncrease = start === 0 || start > 0 === lots > 0;
    const isTurn = !isIncrease && next !== 0 && next > 0 !== start > 0;
    if (held.cost === undefined) {
      const isKnown = next === 0 || isTurn;
      held.signedLots = next;
      held.isAveraged = isTurn && isOffGrid;
      if (isKnown) held.cost = next === 0 ? 0 : mulDivTrunc(value, Math.abs(next), Math.abs(lots));
      return { continuation, isEntryUnknown: !isIncrease };
    }
    const realized = computeRealized(start, held.cost, lots, value);
    const close = isIncrease ? undefined : checkClose(fill, { held, start, lots, value, realized, isOffGrid });
    held.signedLots = next;
    held.cost += value + realized;
    held.isAveraged = next !== 0 && (isOffGrid || (held.isAveraged && !isTurn));
    return { continuation, isEntryUnknown: false, ...(close === undefined ? {} : { close }) };
  }
}

/** The position before the first fill of a chain: without a size its cost is known. */
function startAt(signedLots: number): Held {
  return { signedLots, cost: signedLots === 0 ? 0 : undefined, isAveraged: false };
}

/** Quote units paid, toward zero: exact for a price on the grid. */
export function computeValue(lots: number, px: string, decimals: number): number {
  const digits = Math.max(countDecimals(px), QUOTE_DECIMALS - decimals);
  return mulDivTrunc(lots, readScaled(px, digits), 10 ** (digits - (QUOTE_DECIMALS - decimals)));
}

/**
 * Whether an order of the venue may have this price: five digits, or a whole number, and no more decimals than the
 * step.
 */
function isOnGrid(px: string, decimals: number): boolean {
  const places = countDecimals(px);
  if (places === 0) return true;
  const digits = px.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length;
  return places <= decimals && digits <= PRICE_DIGITS;
}

interface Close {
  readonly held: Held;
  readonly start: number;
  readonly lots: number;
  readonly value: number;
  readonly realized: number;
  readonly isOffGrid: boolean;
}

function checkClose(fill: RecordedFill, close: Close): CheckedClose {
  const recorded = readScaled(fill.closed_pnl, QUOTE_DECIMALS);
  return { class: classify(fill.dir, recorded, close), realized: close.realized, recorded };
}

function classify(
  direction: string,
  recorded: number,
  { held, start, lots, value, realized, isOffGrid }: Close,
): CloseClass {
  const isEqual = (amount: number) => Math.abs(amount - recorded) <= 1;
  if (isEqual(realized)) return "exact";
  const closed = Math.min(Math.abs(lots), Math.abs(start));
  // A tick is a quote unit for each lot: the average entry, cut to the step, is a whole number of ticks.
  const entryTicks = mulDivTrunc(Math.abs(held.cost!), 1, Math.abs(start));
  const closing = mulDivTrunc(value, closed, Math.abs(lots));
  if (isEqual(0 - closing - Math.sign(start) * closed * entryTicks)) return "entryCut";
  if (FORCED.test(direction)) return "forced";
  if (isOffGrid) return "averagedPrice";
  if (held.isAveraged) return "averagedEntry";
  return Math.abs(realized - recorded) <= closed + 1 ? "withinStep" : "other";
}
