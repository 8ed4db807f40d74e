/**
 * The order book of a house as recorded history sets it (ACC-2): a snapshot of many levels, then every level changed,
 * thinned from the front and removed. Against the ladders of `quote`, which write every level of a side for each
 * change.
 *
 *     npm run bench -- levels            node bench/levels.ts [--small] [--json] [--record]
 *
 * Each pass ends with the sizes that were asked for: the book is compared with them outside the clock.
 */
import type { Ticks } from "../src/ground/math/fixed.ts";
import { AccountKey } from "../src/protocol/accountKey.ts";
import { createTransaction } from "../src/protocol/createTransaction.ts";
import type { Address } from "../src/protocol/fields.ts";
import { createGenesis } from "../src/protocol/genesis.ts";
import { HOUSE_STEP } from "../src/protocol/houseSteps.ts";
import type { Block, Transaction } from "../src/protocol/transaction.ts";
import { SIDE } from "../src/protocol/words.ts";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";
import type { MarketRow } from "../src/venue/engine/state/schema.ts";
import type { State } from "../src/venue/engine/state/state.ts";
import { cpuSeconds, type Figure, median, report } from "./lib/measure.ts";

const small = process.argv.includes("--small");
const ROUNDS = small ? 1 : 15;
const WARM_UP = small ? 0 : 10;
const SIZES = small ? [100, 1_000] : [100, 1_000, 10_000];
const LARGEST = SIZES.at(-1)!;
/** Most orders that a flow opens. */
const LADDER = 64;
/** Blocks of a round that compare a ladder with a level. */
const TURNS = small ? 10 : 200;
const MIDDLE = 100_000;
const HOUSE = `0x${"0b".repeat(20)}` as Address;
const GENESIS = createGenesis({
  markets: [{ name: "TEST", preset: "minimal", parameters: {} }],
  accounts: [{ address: HOUSE, subaccount: 0, role: "house", balance: "0" }],
});
const OPERATOR = new AccountKey(GENESIS.authorities.operator, 0);

type Step = readonly [kind: number, price: number, lots: number, side: number];

/** A venue whose house takes steps, in flows of at most so many orders as a flow may open. */
class Replayed {
  readonly state: State = createVenue(GENESIS);
  #height = this.state.height;
  #nonce = 0;

  /** The next block, with these steps. */
  make(steps: readonly Step[]): Block {
    const transactions: Transaction[] = [];
    for (let at = 0; at < steps.length; at += LADDER) {
      const packed = new Uint8Array(new Float64Array(steps.slice(at, at + LADDER).flat()).buffer);
      const payload = { market: "TEST", account: HOUSE, subaccount: 0, steps: packed };
      const header = { nonce: this.#nonce++, validFrom: this.#height } as const;
      transactions.push(createTransaction({ action: "houseFlow", account: OPERATOR, payload, ...header }));
    }
    const height = ++this.#height;
    return { height, timeMs: height * 1000, transactions };
  }

  apply(block: Block): void {
    const { receipts } = applyBlock(this.state, block);
    for (const index of block.transactions.keys()) {
      if (receipts.code(index) !== undefined) throw new Error(`a flow is refused: ${receipts.code(index)}`);
    }
  }

  /** Compares the book with sizes by level, best first, half of them bids. */
  expect(levels: number, lots: (place: number) => number): void {
    const book = this.state.books[0 as MarketRow]!;
    const { remaining } = this.state.orders;
    for (let place = 0; place < levels; place++) {
      const head = book.head(priceOf(place) as Ticks);
      const found = head < 0 ? 0 : remaining[head];
      if (found !== lots(place)) throw new Error(`level ${place} has ${found} lots instead of ${lots(place)}`);
    }
  }
}

/** Levels alternate between bids and asks, from the best outwards. */
const sideOf = (place: number) => (place % 2 === 0 ? SIDE.buy : SIDE.sell);
const priceOf = (place: number) => (place % 2 === 0 ? MIDDLE - (place >> 1) : MIDDLE + 1 + (place >> 1));
const eachLevel = (levels: number, kind: number, lots: (place: number) => number): Step[] =>
  Array.from({ length: levels }, (_, place) => [kind, priceOf(place), lots(place), sideOf(place)]);

/** What is done to the levels of a book, one after the other. */
const PASSES = [
  ["snapshot", HOUSE_STEP.level, (place: number) => 100 + (place % 7), (place: number) => 100 + (place % 7)],
  ["grown", HOUSE_STEP.level, (place: number) => 200 + (place % 5), (place: number) => 200 + (place % 5)],
  ["thinned ahead", HOUSE_STEP.ahead, () => 50, (place: number) => 150 + (place % 5)],
  ["unchanged", HOUSE_STEP.level, (place: number) => 150 + (place % 5), (place: number) => 150 + (place % 5)],
  ["removed", HOUSE_STEP.level, () => 0, () => 0],
] as const;

const figures: Figure[] = [];
// As many venues of a size as make the same number of levels: the clock is too coarse for a hundred.
const venues = SIZES.map((levels) => Array.from({ length: LARGEST / levels }, () => new Replayed()));
const micros = SIZES.map(() => PASSES.map((): number[] => []));
const ladders = { venue: new Replayed(), all: [] as number[], ladder: [] as number[], level: [] as number[] };

function playPass(size: number, pass: number): number {
  const levels = SIZES[size]!;
  const [, kind, lots, after] = PASSES[pass]!;
  const blocks = venues[size]!.map((venue) => venue.make(eachLevel(levels, kind, lots)));
  const seconds = cpuSeconds(() => {
    for (const [place, venue] of venues[size]!.entries()) venue.apply(blocks[place]!);
  });
  for (const venue of venues[size]!) venue.expect(levels, after);
  return (seconds * 1e6) / LARGEST;
}

/** CPU microseconds of each of so many blocks. */
function playBlocks(makeSteps: (turn: number) => readonly Step[]): number {
  const blocks = Array.from({ length: TURNS }, (_, turn) => ladders.venue.make(makeSteps(turn)));
  const seconds = cpuSeconds(() => {
    for (const block of blocks) ladders.venue.apply(block);
  });
  return (seconds * 1e6) / TURNS;
}

/** 64 bids as a ladder. */
const ladder = (lots: (place: number) => number): Step[] =>
  Array.from({ length: LADDER }, (_, place) => [
    place === 0 ? HOUSE_STEP.quote : HOUSE_STEP.rest,
    MIDDLE - place,
    lots(place),
    SIDE.buy,
  ]);

for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  const found = SIZES.map((_, size) => PASSES.map((_, pass) => playPass(size, pass)));
  const all = playBlocks((turn) => ladder((place) => 100 + ((place + turn) % 7)));
  const one = playBlocks((turn) => ladder((place) => (place === 40 ? 500 + turn : 100)));
  const level = playBlocks((turn) => [[HOUSE_STEP.level, MIDDLE - 40, 300 + turn, SIDE.buy]]);
  if (round < WARM_UP) continue;
  found.forEach((passes, size) => {
    passes.forEach((value, pass) => {
      micros[size]![pass]!.push(value);
    });
  });
  ladders.all.push(all / LADDER);
  ladders.ladder.push(one);
  ladders.level.push(level);
}

PASSES.forEach(([name], pass) => {
  SIZES.forEach((levels, size) => {
    const value = median(micros[size]![pass]!);
    figures.push({ name: `a level ${name}, ${levels.toLocaleString("en")} levels`, value, unit: "us" });
  });
});
const [, thousand] = micros.map((passes) => median(passes[0]!));
const last = median(micros.at(-1)![0]!);
figures.push(
  { name: "a level of the largest snapshot to one of 1,000", value: last / thousand!, unit: "x", target: "<= 1.5" },
  { name: "a level of a ladder of 64, all changed", value: median(ladders.all), unit: "us" },
  { name: "a block in which a ladder changes one level of 64", value: median(ladders.ladder), unit: "us" },
  { name: "a block in which a level does", value: median(ladders.level), unit: "us" },
);
report("levels", figures);
