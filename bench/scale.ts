/**
 * What grows with the number of accounts, and what must not: the cost of a block that touches ten accounts with ten
 * more near liquidation; the risk pass, calm and with every mark moving 0.2 % in every block, against a check of every
 * account; fork, image and canonical root.
 *
 *     npm run bench -- scale            node bench/scale.ts [--small] [--json] [--record]
 */

import { Random } from "../src/ground/math/random.ts";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { readImage, writeImage } from "../src/venue/engine/commitment/image.ts";
import { computeRoot } from "../src/venue/engine/commitment/root.ts";
import { rankOpposite } from "../src/venue/engine/liquidation/ranking.ts";
import { DEPTH, isBelowMaintenance, measure } from "../src/venue/engine/margin/health.ts";
import { forkState } from "../src/venue/engine/state/forkState.ts";
import type { AccountRow, PositionRow } from "../src/venue/engine/state/schema.ts";
import type { State } from "../src/venue/engine/state/state.ts";
import { runRiskPass } from "../src/venue/engine/steps/runRiskPass.ts";
import { Crowd, NEAR, TOUCHED } from "./lib/crowd.ts";
import { cpuSeconds, type Figure, median, report } from "./lib/measure.ts";
import { plotCurve } from "./lib/plot.ts";

const small = process.argv.includes("--small");
const SIZES = small ? [200, 1_000] : [1_000, 3_000, 10_000, 30_000, 100_000];
const FIRST = SIZES[0]!;
const LAST = SIZES.at(-1)!;
const ROUNDS = small ? 1 : 9;
const WARM_UP = small ? 0 : 3;
const BLOCKS = small ? 10 : 200;
const COPIES = small ? 1 : 9;
const CALM_PASSES = small ? 1_000 : 200_000;
const MOVES = small ? 20 : 200;
const figures: Figure[] = [];
const curves: string[] = [];
const label = (accounts: number): string => `${accounts.toLocaleString("en")} accounts`;

/** Accounts below maintenance, by looking at every one. */
function scanAccounts(state: State): number {
  const count = state.accounts.rows.high;
  let below = 0;
  for (let account = 0 as AccountRow; account < count; account++) {
    if (isBelowMaintenance(measure(state, account, DEPTH.risk))) below++;
  }
  return below;
}

/** The ten are checked in every block and never due: otherwise the block is not the one that is to be measured. */
function expectNear(crowd: Crowd): void {
  for (let count = 0; count < 4; count++) {
    const before = crowd.nearTriggers();
    crowd.apply(crowd.makeBlocks(1)[0]!);
    const after = crowd.nearTriggers();
    if (after.length !== NEAR || after.some((trigger, at) => trigger === before[at] || trigger === 0)) {
      throw new Error("an account near liquidation was not checked, or has no position");
    }
  }
  const below = scanAccounts(crowd.state);
  if (below !== 0) throw new Error(`${below} accounts are below maintenance`);
}

function measureBlocks(crowds: readonly Crowd[]): void {
  const costs = crowds.map((): number[] => []);
  for (const crowd of crowds) expectNear(crowd);
  // Sizes take turns, so that a busy moment of the machine falls on all.
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    crowds.forEach((crowd, place) => {
      const blocks = crowd.makeBlocks(BLOCKS);
      const seconds = cpuSeconds(() => {
        for (const block of blocks) applyBlock(crowd.state, block);
      });
      if (round >= WARM_UP) costs[place]!.push((seconds * 1e6) / BLOCKS);
    });
  }
  for (const crowd of crowds) expectNear(crowd);
  const micros = costs.map(median);
  micros.forEach((value, place) => {
    figures.push({
      name: `block, ${TOUCHED} touched, ${NEAR} near liquidation, ${label(SIZES[place]!)}`,
      value,
      unit: "us",
    });
  });
  figures.push({
    name: `block at ${label(LAST)} to block at ${label(FIRST)}`,
    value: median(costs.at(-1)!.map((value, round) => value / costs[0]![round]!)),
    unit: "x",
    target: "<= 2.5",
  });
  const points = SIZES.map((size, place) => [size.toLocaleString("en"), micros[place]!] as const);
  curves.push(plotCurve("Cost of a block by accounts", "us", points));
}

/** A walk of 0.2 % a block that turns back 3 % away from where it started. */
function* walkPrices(blocks: number): Generator<number[]> {
  const random = new Random([2, 7, 1, 8]);
  const prices = [60_000, 60_000, 60_000];
  for (let count = 0; count < blocks; count++) {
    prices.forEach((price, market) => {
      const up = price < 58_200 || (price <= 61_800 && random.chance(1, 2));
      prices[market] = Math.round(price * (up ? 1.002 : 0.998));
    });
    yield [...prices];
  }
}

function findOpen({ positions }: State): PositionRow {
  for (let row = 0 as PositionRow; row < positions.rows.high; row++) {
    if (positions.rows.isLive(row) && positions.signedLots[row] !== 0) return row;
  }
  throw new Error("no account has a position");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function measureRisk(crowd: Crowd): void {
  const { state } = crowd;
  const calm: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const seconds = cpuSeconds(() => {
      for (let count = 0; count < CALM_PASSES; count++) runRiskPass(state);
    });
    if (round >= WARM_UP) calm.push((seconds * 1e6) / CALM_PASSES);
  }
  const moves: number[] = [];
  const scans: number[] = [];
  // The ten that were near are out of the way: this is about looking, not about liquidating.
  crowd.apply(crowd.makeRescueBlock());
  for (const level of [59_700, 60_000]) applyBlock(state, crowd.makePriceBlock([level, level, 60_000]));
  for (const prices of walkPrices(MOVES)) {
    const block = crowd.makePriceBlock(prices);
    moves.push(cpuSeconds(() => applyBlock(state, block)) * 1e3);
    let below = 0;
    scans.push(
      cpuSeconds(() => {
        below = scanAccounts(state);
      }) * 1e3,
    );
    if (below !== 0) throw new Error(`${below} accounts below maintenance were not found by the risk pass`);
  }
  const mean = sum(moves) / moves.length;
  const settle: number[] = [];
  for (let round = 0; round < COPIES; round++) {
    const block = crowd.makeFundingBlock(2, round % 2 === 0 ? 10_000 : -10_000);
    settle.push(cpuSeconds(() => applyBlock(state, block)) * 1e3);
  }
  const ranks: number[] = [];
  for (let round = 0; round < COPIES; round++) ranks.push(cpuSeconds(() => rankOpposite(state, findOpen(state))) * 1e3);
  const at = label(LAST);
  figures.push(
    { name: `risk pass, calm, ${at}`, value: median(calm), unit: "us", target: "<= 10" },
    { name: `block, every mark moves 0.2 %, ${at}: median`, value: median(moves), unit: "ms", target: "<= 1" },
    { name: `block, every mark moves 0.2 %, ${at}: mean`, value: mean, unit: "ms" },
    { name: `a look at every account, ${at}`, value: median(scans), unit: "ms" },
    { name: "a look at every account to the block", value: median(scans) / median(moves), unit: "x" },
    { name: `block that pays funding in one market, ${at}`, value: median(settle), unit: "ms" },
    { name: `ranking the other side once, for deleveraging, ${at}`, value: median(ranks), unit: "ms" },
  );
}

function medianMs(work: () => void): number {
  const rounds: number[] = [];
  for (let round = 0; round < COPIES + WARM_UP; round++) {
    const seconds = cpuSeconds(work);
    if (round >= WARM_UP) rounds.push(seconds * 1e3);
  }
  return median(rounds);
}

/** Milliseconds of fork, image and canonical root of a venue, and its open positions. */
interface Copies {
  readonly costs: readonly number[];
  readonly positions: number;
}

/** The crowd is made here and dropped again: what else is on the heap would be collected at the copies' expense. */
function measureCopies(accounts: number, positionsEach: 1 | 2): Copies {
  const { state } = new Crowd({ accounts, positionsEach });
  const root = computeRoot(state);
  if (computeRoot(forkState(state)) !== root) throw new Error("a fork has another root");
  if (computeRoot(readImage(writeImage(state))) !== root) throw new Error("a venue from its image has another root");
  const costs = [
    medianMs(() => forkState(state)),
    medianMs(() => writeImage(state)),
    medianMs(() => computeRoot(state)),
  ];
  return { costs, positions: state.positions.rows.count };
}

function addCopies({ costs, positions }: Copies, targets: boolean): void {
  ["fork", "image", "canonical root"].forEach((name, kind) => {
    figures.push({
      name: `${name}, ${label(LAST)}, ${positions.toLocaleString("en")} positions`,
      value: costs[kind]!,
      unit: "ms",
      ...(targets ? { target: ["<= 8", "<= 12", "<= 40"][kind]! } : {}),
    });
  });
}

const copies = SIZES.map((accounts) => measureCopies(accounts, 1));
addCopies(copies.at(-1)!, true);
addCopies(measureCopies(LAST, 2), false);
["Fork", "Image", "Canonical root"].forEach((name, kind) => {
  const points = SIZES.map((size, place) => [size.toLocaleString("en"), copies[place]!.costs[kind]!] as const);
  curves.push(plotCurve(`${name} by accounts, a position each`, "ms", points));
});
const crowds = SIZES.map((accounts) => new Crowd({ accounts, positionsEach: 2 }));
measureBlocks(crowds);
measureRisk(crowds.at(-1)!);
report("scale", figures);
if (!process.argv.includes("--json")) for (const curve of curves) console.log(curve);
