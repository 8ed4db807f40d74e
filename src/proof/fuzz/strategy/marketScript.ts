import { divFloor, mulDivFloor } from "../../../ground/math/fixed.ts";
import type { Random } from "../../../ground/math/random.ts";

/**
 * Kinds of market phases:
 *
 * - `calm`: small steps up and down, enough volume
 * - `trend`: one direction for a while, `move` in total
 * - `gap`: the price jumps by `move` from one bar to the next
 * - `wick`: the price moves by `move` within one bar and comes back
 * - `cascade`: falls (or rises) by `move`, faster and faster, and recovers half of it
 * - `stall`: trades move by `move`, and the mark is not reported
 * - `thin`: calm, with almost no volume
 * - `funding`: calm, and every funding payment is `move` per 8 hours
 */
export const SEGMENT_KINDS = ["calm", "trend", "gap", "wick", "cascade", "stall", "thin", "funding"] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

export interface Segment {
  readonly kind: SegmentKind;
  /** Bars of 15 minutes; 1 for a gap and a wick. */
  readonly bars: number;
  /** Relative move, or funding rate, parts per million; negative is down. */
  readonly movePpm: number;
}

/** A market as a list of segments. The price starts at 10,000 USD. */
export type MarketScript = readonly Segment[];

/** One bar of a script: trade prices in 0.1 USD, volume in 0.001 of the base, mark in 1e-8 USD. */
export interface ScriptBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Undefined if it is not reported. */
  readonly mark: number | undefined;
  /** Funding rate that is paid at the end of the bar, ppb. */
  readonly fundingPpb: number | undefined;
}

export const BAR_MS = 900_000;
export const START_MS = Date.UTC(2024, 0, 1);
const START_TICKS = 100_000;
const TICK_E8 = 10_000_000;
const VOLUME = 2_000_000;
const FUNDING_BARS = 32;
const PPM = 1_000_000;
/** Least price, so that every price of a script can be traded. */
const LEAST = 100;
const MOST = 100_000_000;
const BARS_MOST = 2_000;

/** The bars of a script, at most 2,000. */
export function playScript(script: MarketScript): ScriptBar[] {
  const bars: ScriptBar[] = [];
  let price = START_TICKS;
  let mark = START_TICKS;
  const push = (
    to: number,
    options: { reach?: number; volume?: number; stalls?: boolean; from?: number; rate?: number },
  ) => {
    if (bars.length >= BARS_MOST) return;
    const close = clamp(to);
    const open = clamp(options.from ?? price);
    const reach = clamp(options.reach ?? close);
    price = close;
    if (options.stalls !== true) mark = close;
    bars.push({
      open,
      high: Math.max(open, close, reach),
      low: Math.min(open, close, reach),
      close,
      volume: options.volume ?? VOLUME,
      mark: options.stalls === true ? undefined : mark * TICK_E8,
      fundingPpb: (bars.length + 1) % FUNDING_BARS === 0 ? (options.rate ?? 0) : undefined,
    });
  };
  for (const { kind, bars: count, movePpm } of script) {
    const from = price;
    const target = from + mulDivFloor(from, movePpm, PPM);
    switch (kind) {
      case "gap":
        push(target, { from: target });
        break;
      case "wick":
        push(from, { reach: target });
        break;
      case "cascade": {
        const down = Math.max(1, divFloor(count * 2, 3));
        for (let bar = 1; bar <= count; bar++) {
          const gone =
            bar <= down
              ? divFloor((target - from) * bar * bar, down * down)
              : target - from - divFloor((target - from) * (bar - down), 2 * Math.max(1, count - down));
          push(from + gone, { volume: VOLUME * 4 });
        }
        break;
      }
      case "trend":
      case "stall":
        for (let bar = 1; bar <= count; bar++) {
          push(from + divFloor((target - from) * bar, count), { stalls: kind === "stall" });
        }
        break;
      default:
        for (let bar = 1; bar <= count; bar++) {
          const step = (bar % 4 < 2 ? 1 : -1) * Math.max(1, divFloor(from, 2_000));
          push(bar === count ? from : from + step, {
            volume: kind === "thin" ? 40 : VOLUME,
            rate: kind === "funding" ? movePpm * 1_000 : 0,
          });
        }
    }
  }
  return bars;
}

function clamp(ticks: number): number {
  return Math.max(LEAST, Math.min(MOST, Math.round(ticks)));
}

const MOVES = [10_000, 20_000, 50_000, 80_000, 120_000, 200_000, 350_000, 600_000] as const;
const LENGTHS = [1, 2, 4, 8, 16, 32, 64, 128] as const;

export function drawSegment(random: Random): Segment {
  const kind = random.pick(SEGMENT_KINDS);
  const size = random.pick(MOVES);
  const sign = random.chance(1, 2) ? 1 : -1;
  const movePpm =
    kind === "calm" || kind === "thin"
      ? 0
      : kind === "funding"
        ? sign * random.pick([300, 1_000, 3_000, 7_500])
        : sign * size;
  return { kind, bars: kind === "gap" || kind === "wick" ? 1 : random.pick(LENGTHS), movePpm };
}

/** Draws three to ten segments. The first one is calm, so that a strategy can initialise. */
export function drawScript(random: Random): MarketScript {
  const calm: Segment = { kind: "calm", bars: random.pick([32, 64, 128]), movePpm: 0 };
  return [calm, ...Array.from({ length: random.between(2, 9) }, () => drawSegment(random))];
}

export function mutateScript(random: Random, script: MarketScript, other: MarketScript): MarketScript {
  const at = random.below(script.length);
  const fresh = drawSegment(random);
  const old = script[at]!;
  switch (random.below(6)) {
    case 0:
      return [...script.slice(0, at), fresh, ...script.slice(at)];
    case 1:
      return script.length > 1 ? script.filter((_segment, place) => place !== at) : script;
    case 2:
      return [...script.slice(0, at), ...other.slice(random.below(other.length))];
    case 3:
      return replace(script, at, { ...old, bars: fresh.kind === "gap" || old.bars === 1 ? old.bars : fresh.bars });
    case 4:
      return replace(script, at, {
        ...old,
        movePpm: random.chance(1, 2) ? -old.movePpm : divFloor(old.movePpm * 3, 2),
      });
    default:
      return replace(script, at, fresh);
  }
}

function replace(script: MarketScript, at: number, segment: Segment): MarketScript {
  return script.map((one, place) => (place === at ? segment : one));
}

/** Formats a script as text: `calm 32 bars`, `gap -12 %`, `funding 8 bars 0.1 %`. */
export function formatScript(script: MarketScript): string[] {
  return script.map(({ kind, bars, movePpm }) => {
    const length = kind === "gap" || kind === "wick" ? "" : ` ${bars} bars`;
    return `${kind}${length}${movePpm === 0 ? "" : ` ${movePpm / 10_000} %`}`;
  });
}

/**
 * Parses what `formatScript` writes.
 *
 * @returns the script, or the first invalid line (from 1) and the reason
 */
export function parseScript(
  lines: readonly string[],
): MarketScript | { readonly line: number; readonly reason: string } {
  const script: Segment[] = [];
  for (const [at, text] of lines.entries()) {
    const found = /^([a-z]+)(?: ([0-9]{1,4}) bars?)?(?: (-?[0-9]{1,3}(?:\.[0-9]{1,4})?) %)?$/.exec(text.trim());
    const kind = SEGMENT_KINDS.find((one) => one === found?.[1]);
    if (found === null || kind === undefined) {
      return {
        line: at + 1,
        reason: `${JSON.stringify(text)} is no segment; write \`trend 32 bars -12 %\`, one of ${SEGMENT_KINDS.join(", ")}`,
      };
    }
    const single = kind === "gap" || kind === "wick";
    if (!single && found[2] === undefined)
      return { line: at + 1, reason: `${kind} needs a length: \`${kind} 32 bars\`` };
    script.push({ kind, bars: single ? 1 : Number(found[2]), movePpm: Math.round(Number(found[3] ?? 0) * 10_000) });
  }
  return script.length === 0 ? { line: 1, reason: "a script needs at least one segment" } : script;
}
