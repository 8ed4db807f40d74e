import { Random } from "../../../src/ground/math/random.ts";
import { HOUR, memorySource, START, type TestEvent } from "./memorySource.ts";

const MINUTE = 60_000;
const SHAPES = [
  "bars",
  "bars",
  "markBars",
  "marks",
  "trades",
  "tradesAndMarks",
  "both",
  "twoBars",
  "unequalBars",
] as const;

/** Recorded data of any shape: bars, trades, marks, funding and gaps, of one market or two. */
export function drawData(seed: number, length: number) {
  const random = Random.ofSeed([seed, 77]);
  const shape = random.pick(SHAPES);
  const markets = shape === "both" || shape === "twoBars" || shape === "unequalBars" ? ["BTC", "ETH"] : ["BTC"];
  const events: TestEvent[] = [];
  const intervalMs = random.pick([MINUTE, 15 * MINUTE, HOUR, 24 * HOUR]);
  for (const market of markets.keys()) {
    const isTraded = shape === "trades" || shape === "tradesAndMarks" || (shape === "both" && market === 0);
    const ownMs = shape === "unequalBars" && market === 1 ? intervalMs * random.pick([2, 4]) : intervalMs;
    const draw = { random, market, length, wildness: random.pick([2, 10, 60]) };
    if (isTraded) events.push(...drawTrades(draw));
    else events.push(...drawBars({ ...draw, intervalMs: ownMs, marked: shape === "markBars" }));
    const endMs = Math.max(...events.map(({ timeMs }) => timeMs));
    if (shape === "marks" || shape === "tradesAndMarks") events.push(...drawMarks(draw, endMs));
    if (random.chance(3, 4)) events.push(...drawFunding(draw, endMs));
  }
  return { shape, markets, source: memorySource(events, { markets, chunkRows: random.pick([3, 50, 65_536]) }) };
}

interface Draw {
  readonly random: Random;
  readonly market: number;
  readonly length: number;
  /** Greatest step of the price, in thousandths. */
  readonly wildness: number;
}

function step({ random, wildness }: Draw, price: number): number {
  return Math.max(200, price + Math.round((price * random.between(-wildness, wildness)) / 1_000));
}

function drawBars(draw: Draw & { readonly intervalMs: number; readonly marked: boolean }): TestEvent[] {
  const { random, market, length, intervalMs, marked } = draw;
  const events: TestEvent[] = [];
  let price = random.between(5_000, 20_000);
  let timeMs = START + random.below(3) * intervalMs;
  for (let bar = 0; bar < length; bar++) {
    timeMs += random.chance(1, 25) ? intervalMs * random.between(2, 30) : intervalMs;
    const open = random.chance(1, 20) ? step(draw, step(draw, price)) : price;
    const points = [open, step(draw, open), step(draw, open)];
    price = step(draw, open);
    points.push(price);
    const ohlc = [open, Math.max(...points), Math.min(...points), price] as const;
    const volume = random.chance(1, 15) ? 0 : random.between(1, 4_000) / 10;
    events.push({ kind: "bar", timeMs, ohlc, volume, market, intervalMs });
    if (!marked || random.chance(1, 10)) continue;
    const shift = random.between(-5, 5);
    const moved = ohlc.map((value) => value + shift) as [number, number, number, number];
    events.push({
      kind: random.chance(1, 4) ? "index" : "mark",
      timeMs,
      price: moved[3],
      ohlc: moved,
      market,
      intervalMs,
    });
  }
  return events;
}

function drawTrades(draw: Draw): TestEvent[] {
  const { random, market, length } = draw;
  const events: TestEvent[] = [];
  let price = random.between(5_000, 20_000);
  let timeMs = START;
  for (let trade = 0; trade < length * 3; trade++) {
    timeMs += random.chance(1, 40) ? random.between(HOUR, 30 * HOUR) : random.below(4_000);
    if (random.chance(3, 4)) price = step({ ...draw, wildness: Math.min(4, draw.wildness) }, price);
    const size = random.chance(1, 20) ? 0.001 : random.between(1, 300) / 10;
    events.push({ kind: "trade", timeMs, price, size, side: random.pick([1, -1, 0] as const), market });
  }
  return events;
}

function drawMarks(draw: Draw, endMs: number): TestEvent[] {
  const { random, market, length } = draw;
  const events: TestEvent[] = [];
  let price = random.between(5_000, 20_000);
  const paceMs = Math.max(1_000, Math.floor((endMs - START) / length / 2));
  for (let timeMs = START; timeMs < endMs; timeMs += 1 + random.below(2 * paceMs)) {
    price = step(draw, price);
    events.push({ kind: random.chance(1, 5) ? "index" : "mark", timeMs, price, market });
  }
  return events;
}

function drawFunding({ random, market, length }: Draw, endMs: number): TestEvent[] {
  const paceMs = Math.max(1_000, Math.floor(((endMs - START) / length) * random.pick([1, 4, 8])));
  const events: TestEvent[] = [];
  for (let timeMs = START + paceMs; timeMs < endMs; timeMs += paceMs) {
    const at = random.chance(1, 4) ? timeMs + random.below(paceMs) : timeMs;
    events.push({ kind: "funding", timeMs: at, rate: random.between(-20, 20) / 10_000, market });
  }
  return events;
}
