/** A range of values and the labels on it. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Digits after the point that distinguish neighbouring ticks. */
  readonly digits: number;
}

/**
 * A scale that holds all values, with steps of 1, 2 or 5 times a power of ten.
 *
 * @param room share of the range left free above and below
 */
export function computeScale(least: number, greatest: number, ticksWanted: number, room = 0.04): Scale {
  let low = least;
  let high = greatest;
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high) {
    const half = low === 0 ? 1 : Math.abs(low) * 0.05;
    low -= half;
    high += half;
  }
  const spare = (high - low) * room;
  if (low !== 0) low -= spare;
  if (high !== 0) high += spare;
  return { low, high, ...computeTicks(low, high, ticksWanted) };
}

function computeTicks(low: number, high: number, ticksWanted: number): { ticks: number[]; digits: number } {
  const rough = (high - low) / ticksWanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
    ticks.push(Number((i * step).toFixed(digits)) + 0);
  }
  return { ticks, digits };
}

/** Below this ratio of its ends a logarithmic scale has the ticks of a linear one. */
const RATIO_LINEAR = 4;

/**
 * A scale for values above zero whose equal distances are equal ratios. Its ticks are 1, 2 or 5 times powers of ten.
 */
export function computeLogScale(least: number, greatest: number, ticksWanted: number, room = 0.04): Scale {
  if (!(least > 0) || !(least <= greatest)) return computeScale(1, 10, ticksWanted);
  const ratio = Math.max(greatest / least, 1.02) ** room;
  const low = least / ratio;
  const high = greatest * ratio;
  if (high / low < RATIO_LINEAR) return { low, high, ...computeTicks(low, high, ticksWanted) };
  const ticks: number[] = [];
  const decades = Math.log10(high / low);
  const factors = decades * 3 <= ticksWanted + 3 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(decades / (ticksWanted + 2)));
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    if (power % stride !== 0) continue;
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toFixed(Math.max(0, -power)));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  const digits = Math.max(0, -Math.floor(Math.log10(Math.min(...ticks)) + 1e-9));
  return { low, high, ticks, digits };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 5, 15, 30].map((n) => n * SECOND),
  ...[1, 5, 15, 30].map((n) => n * MINUTE),
  ...[1, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 5, 10].map((n) => n * DAY),
];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface TimeTick {
  readonly timeMs: number;
  readonly label: string;
}

/** Between about half and all of `ticksMax` round UTC times within the range, labelled as briefly as is clear. */
export function computeTimeTicks(fromMs: number, toMs: number, ticksMax: number): TimeTick[] {
  const span = toMs - fromMs;
  const step = STEPS.find((candidate) => span / candidate <= ticksMax);
  if (step === undefined) return computeMonthTicks(fromMs, toMs, ticksMax);
  const ticks: TimeTick[] = [];
  let day = "";
  for (let timeMs = Math.ceil(fromMs / step) * step; timeMs <= toMs; timeMs += step) {
    const iso = new Date(timeMs).toISOString();
    const date = `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]}`;
    const clock = iso.slice(11, step < MINUTE ? 19 : 16);
    ticks.push({ timeMs, label: step >= DAY || date !== day ? date : clock });
    if (step < DAY) day = date;
  }
  return ticks;
}

function computeMonthTicks(fromMs: number, toMs: number, ticksMax: number): TimeTick[] {
  const months = (toMs - fromMs) / (30.44 * DAY);
  const step = [1, 2, 3, 6, 12, 24, 60, 120].find((candidate) => months / candidate <= ticksMax) ?? 240;
  const ticks: TimeTick[] = [];
  const from = new Date(fromMs);
  let month = Math.ceil((from.getUTCFullYear() * 12 + from.getUTCMonth()) / step) * step;
  for (; ; month += step) {
    const year = Math.floor(month / 12);
    const timeMs = Date.UTC(year, month % 12, 1);
    if (timeMs > toMs) return ticks;
    if (timeMs < fromMs) continue;
    const isFirst = ticks.length === 0 || month % 12 < step;
    const name = MONTHS[month % 12]!;
    ticks.push({ timeMs, label: month % 12 === 0 ? String(year) : isFirst ? `${name} ${year}` : name });
  }
}
