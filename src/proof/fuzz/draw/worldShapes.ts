/** Recipes of operator and world: clocks, limits and tiers that move, pauses, books with distant orders. */
import type { Draw } from "../../../ground/math/draw.ts";
import { MARKET_STATUS } from "../../../protocol/words.ts";
import { AMOUNTS } from "../genes/authorities.ts";
import { houseChoice } from "../genes/house.ts";
import { newest } from "../genes/references.ts";
import { gapOf } from "../genes/resolve.ts";
import { choiceOfSolved, type SOLVED_WAYS } from "../genes/solvedChanges.ts";
import { CHANGES, PAUSE, PAUSE_FUND, PLAIN, SOLVED, STATUS, TO_GAPS } from "../genes/updates.ts";
import { block, type Gene, order, price, writeGene } from "./gene.ts";
import { anyone, DOWN, enter, march, newcomers, type Recipe, repeat, shareOf, UP } from "./recipe.ts";

/** A change computed from the current state. @param near 0 on the edge, 1 above, 2 below */
function solve(market: number, way: (typeof SOLVED_WAYS)[number], detail: number, ...more: readonly number[]): Gene {
  return writeGene("updateMarket", { market, payload: [SOLVED, choiceOfSolved(way, detail), ...more] });
}

/** The first of the usual changes that sets a parameter to this text. */
export function change(market: number, name: string, text: string): Gene {
  return writeGene("updateMarket", { market, payload: [0, CHANGES.findIndex((texts) => texts[name] === text)] });
}

/** Mostly makes a market plain, so that the rest of a recipe happens in it. */
export const plain = (random: Draw, market: number): Gene[] =>
  random.chance(3, 4) ? [writeGene("updateMarket", { market, payload: [PLAIN] })] : [];

/** Pauses liquidations in a market until its next change. */
export const pause = (market: number) => writeGene("updateMarket", { market, payload: [PAUSE, 1] });
export const resume = (market: number) => writeGene("updateMarket", { market });
export const gap = (ms: Parameters<typeof gapOf>[0]) => writeGene("gap", { payload: [gapOf(ms)] });
export const still = (market: number) => price(market, "still");
const house = (market: number, way: Parameters<typeof houseChoice>[0], ...more: readonly number[]) =>
  writeGene("houseFlow", { market, payload: [houseChoice(way), ...more] });
/** Cancels all quotes of all accounts. */
export const clear = () => repeat(10, (actor) => [writeGene("cancelAll", { actor })]);
/** A price jump that the index follows over several blocks. */
export const jump = (random: Draw, market: number, falls: boolean) =>
  price(market, "jump", falls ? random.pick([4, 4, 6]) : random.pick([5, 7]));
export const idle = (blocks: number) => repeat(blocks, () => [block()]);

/** One account buys from another at the mark, for a percentage of what it can carry. */
export function pair(actor: number, counter: number, market: number, side: 0 | 1, percent: number): Gene[] {
  const more = shareOf(percent);
  return [
    order({ actor: counter, market, side: (1 - side) as 0 | 1, at: "mark", size: "share", more }),
    block(),
    order({ actor, market, side, at: "touch", size: "share", more }),
  ];
}

/** Index of the largest credit that leaves room. */
export const VAST = AMOUNTS.indexOf(2_250_000_000_000_000);

/** The near asks are taken; the next asks are pages away in the book. */
function farAsks(random: Draw): Gene[] {
  const market = random.below(3);
  return [
    house(market, "far", random.below(3), random.below(3), random.below(7), random.below(7), random.below(7)),
    block(),
    order({ actor: anyone(random), market, side: 0, at: "touch", size: "touch", more: 1 + random.below(3) }),
    order({ actor: anyone(random), market, side: 1, at: "touch", size: "few" }),
    block(),
    house(market, random.pick(["none", "many", "far"] as const), 0, random.below(3), random.below(2)),
    block(),
  ];
}

/** Levels of a recorded book before and after orders of accounts at the same prices, which other orders then take. */
function bookLevels(random: Draw): Gene[] {
  const [market, side] = [random.below(3), random.below(2) as 0 | 1];
  const other = (1 - side) as 0 | 1;
  const draws = () => Array.from({ length: 12 }, () => random.below(60_000));
  const join = () => order({ actor: anyone(random), market, side, at: "join", size: "few", more: random.below(20) });
  return [
    house(market, "levels", ...draws()),
    block(),
    ...repeat(random.between(2, 6), () => [
      join(),
      ...random.pick<readonly Gene[]>([[], [join()]]),
      block(),
      house(market, "levels", ...draws()),
      order({ actor: anyone(random), market, side: other, at: "touch", size: random.pick(["few", "touch"] as const) }),
      block(),
    ]),
  ];
}

/**
 * Many identical accounts become liquidatable at once, but only a few are liquidated per block. The price recovers
 * while the others are queued, then falls again and reaches further accounts.
 */
export function recoverInQueue(random: Draw, market: number): Gene[] {
  const side = random.below(2) as 0 | 1;
  const count = random.between(3, 5);
  const [bad, good] = side === 0 ? [DOWN, UP] : [UP, DOWN];
  const percent = random.pick([97, 97, 100]);
  const fall = (times: number) =>
    repeat(times, () => [price(market, "trigger", 1 + 2 * random.below(6), random.below(3)), block()]);
  // A counterparty rich enough for all, so that all accounts hold the same position.
  const rich = newest(count + 1);
  return [
    ...newcomers(1, VAST),
    block(),
    ...newcomers(count + 1, random.between(1, 2)),
    block(),
    ...repeat(count, (place) => pair(newest(1 + place), rich, market, side, percent)),
    block(),
    ...random.pick([[], clear(), [writeGene("cancelAll", { actor: rich })]]),
    ...fall(random.between(3, 7)),
    ...march(random, market, bad, random.below(2)),
    ...march(random, market, good, 1),
    // This account enters at a higher price and is the worst when the others fall again.
    block(),
    ...pair(newest(0), rich, market, side, 97),
    block(),
    ...random.pick([[], clear(), [writeGene("cancelAll", { actor: rich })]]),
    ...march(random, market, bad, random.between(1, 4)),
    ...fall(random.between(1, 4)),
  ];
}

/**
 * Fees of very large orders: whole numbers, or as close to a whole number as possible.
 *
 * @param changes of the vast market
 */
export function payLargeFees(random: Draw, market: number, changes: readonly Gene[]): Gene[] {
  const [rich, other] = [newest(0), newest(1)];
  return [
    ...newcomers(2, VAST),
    solve(market, "vast", 0),
    ...changes,
    block(),
    ...repeat(random.between(3, 8), () => {
      const [maker, taker] = random.pick([[rich, other] as const, [other, rich] as const]);
      const side = random.below(2) as 0 | 1;
      const size = { size: "share", more: shareOf(random.pick([2, 5, 10])) } as const;
      return [
        order({ actor: maker, market, side, at: "near", away: random.below(500), ...size }),
        block(),
        order({
          actor: taker,
          market,
          side: (1 - side) as 0 | 1,
          at: "touch",
          size: "fee",
          more: shareOf(97),
          near: random.below(3),
        }),
        block(),
      ];
    }),
  ];
}

export const worldShapes = {
  /** A book of the house: asks that are far apart, or levels that change before and after orders of accounts. */
  houseBook(random) {
    return random.chance(1, 2) ? farAsks(random) : bookLevels(random);
  },

  /** The house quotes far from any price, and time passes. */
  quoteBeyond(random) {
    const market = random.below(3);
    return [
      ...enter(random, anyone(random), market, random.below(2) as 0 | 1),
      ...random.pick([[], [change(market, "markMethod", "median")]]),
      block(),
      house(market, random.pick(["beyond", "beyond", "beyond", "cross"] as const), 0, random.below(4), random.below(2)),
      block(),
      gap(20_000),
      still(market),
      ...idle(random.between(1, 3)),
      house(market, "none"),
      block(),
    ];
  },

  /** Trades of several days count for fees and then no longer; a UTC day starts between them. */
  daysOfVolume(random) {
    const market = random.below(3);
    const [maker, taker] = [anyone(random), anyone(random) + 1];
    const trade = () => [
      still(market),
      order({ actor: maker, market, side: 0, at: "mark", size: "share", more: random.below(4) }),
      block(),
      order({ actor: taker, market, side: 1, at: "touch", size: "touch" }),
      block(),
    ];
    const later = () => gap(random.pick([86_400_000, 90_000_000, 2_592_000_000, 2_678_400_000] as const));
    return [...trade(), gap(90_000_000), ...trade(), ...repeat(random.between(1, 3), () => [later(), ...trade()])];
  },

  /**
   * Liquidations are paused while the price moves away. Then all accounts are due at once, market by market, and others
   * want to withdraw.
   */
  pausedLosers(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const count = random.between(1, 3);
    return [
      ...newcomers(count, random.pick([0, 3, 1])),
      block(),
      ...repeat(count, (place) =>
        pair(newest(place), anyone(random), market, side, random.pick([97, 97, 60, 30] as const)),
      ),
      block(),
      ...clear(),
      ...repeat(random.between(1, 3), () => [
        pause(market),
        jump(random, market, side === 0),
        ...idle(random.between(4, 14)),
        resume(market),
        block(),
        ...repeat(random.between(0, 5), () => [
          writeGene("withdraw", { actor: anyone(random), payload: [random.pick([0, 4]), random.below(40)] }),
          block(),
        ]),
      ]),
    ];
  },

  /** Accounts without equity on both sides of a market: the counterparties have none either. */
  everyoneInsolvent(random) {
    const [market, other] = [random.below(3), 1];
    const side = random.below(2) as 0 | 1;
    const away = (1 - side) as 0 | 1;
    const [first, ...rest] = Array.from({ length: random.between(2, 4) }, (_, place) => newest(place));
    const turned = random.chance(1, 2) ? rest.toReversed() : rest;
    const there = market + other;
    return [
      ...newcomers(4, random.pick([0, 1, 3])),
      block(),
      ...turned.map((actor) =>
        order({ actor, market, side: away, at: "mark", size: "share", more: shareOf(random.pick([30, 10])) }),
      ),
      block(),
      order({ actor: first!, market, side, at: "touch", size: "touch", more: 3 }),
      block(),
      ...[first!, ...turned].flatMap((actor) => pair(actor, anyone(random), there, 0, random.pick([60, 97, 30]))),
      block(),
      ...clear(),
      pause(market),
      pause(there),
      jump(random, market, side === 0),
      jump(random, there, true),
      ...idle(random.between(8, 20)),
      resume(market),
      resume(there),
      ...idle(random.between(1, 4)),
    ];
  },

  /**
   * Markets settle, in one block or one after another, while several accounts on one side cannot pay and the other side
   * has won.
   */
  settledUnderWater(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const count = random.between(2, 3);
    const [amount, percent] = random.pick([[3, 60] as const, [3, 60] as const, [1, 97] as const, [0, 100] as const]);
    const places = random.pick([[market], [market, market + 1]]);
    const ends = places.map((place) => [
      still(place),
      writeGene("settleMarket", { market: place, payload: [0, side === 0 ? 4 : random.pick([5, 5, 6])] }),
      ...random.pick([[], [block()]]),
    ]);
    return [
      ...newcomers(count, amount),
      block(),
      ...repeat(count, (place) => pair(newest(place), anyone(random), places[place % places.length]!, side, percent)),
      block(),
      ...random.pick([[], repeat(count, (place) => [writeGene("withdraw", { actor: newest(place), payload: [4] })])]),
      ...places.map((place) => writeGene("settleMarket", { market: place, payload: [2, 0] })),
      block(),
      ...ends.flat(),
      block(),
      ...repeat(2, () => [writeGene("withdraw", { actor: anyone(random), payload: [0, random.below(40)] }), block()]),
      writeGene("createMarket"),
      block(),
    ];
  },

  /** An account is one unit away from liquidation, and a funding payment falls due while the mark does not move. */
  fundingTips(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    return [
      ...enter(random, actor, market, side),
      block(),
      ...repeat(random.between(2, 8), () => [price(market, "trigger", 2 * random.below(4), 1 + side), block()]),
      ...random.pick([
        [],
        [solve(market, "maintenance", random.below(4), 0)],
        [change(market, "fundingMethod", "dydx")],
      ]),
      ...repeat(random.between(2, 5), () => [
        ...random.pick([[], [price(market, "record", 4 * random.below(18))]]),
        block(0, market),
        still(market),
      ]),
    ];
  },

  /** A tier change makes an account liquidatable, and limits move below open positions and orders. */
  movedLimits(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...enter(random, actor, market, random.below(2) as 0 | 1),
      block(),
      ...repeat(random.between(2, 5), () => [
        solve(
          market,
          random.pick(["maintenance", "initial", "priceMost", "held", "openInterest", "chunk"] as const),
          random.below(6),
          random.below(3),
          random.below(3),
        ),
        block(),
        order({ actor: anyone(random), market, side: random.below(2) as 0 | 1, at: "touch", size: "few" }),
        ...random.pick([[], [price(market, "trigger", 1 + 2 * random.below(4), random.below(3))]]),
        block(),
      ]),
    ];
  },

  /** The funding interval changes in the middle of an interval. */
  movedClock(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...enter(random, actor, market, random.below(2) as 0 | 1),
      ...repeat(random.between(2, 5), () => [
        ...repeat(random.between(1, 3), () => [still(market), block(random.pick([undefined, 0]), market)]),
        writeGene("block", { payload: [random.pick([4, 5, 6])] }),
        solve(market, random.pick(["interval", "interval", "method"] as const), 0, random.below(6), random.below(3)),
        ...repeat(2, () => [block(0, market), still(market)]),
      ]),
    ];
  },

  /**
   * Funding stops and starts in the middle of an interval by pauses, statuses and gaps, also several times in a block.
   */
  stoppedFunding(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const update = (way: number, detail: number) => writeGene("updateMarket", { market, payload: [way, detail] });
    const stop = () => random.pick([[update(PAUSE, PAUSE_FUND)], [update(STATUS, MARKET_STATUS.halted)]]);
    const clock = () =>
      random.pick([[], [solve(market, random.pick(["interval", "method"] as const), 0, random.below(6))]]);
    const wait = () => random.pick([block(0, market), block(), gap(20_000), writeGene("block", { payload: [5] })]);
    return [
      ...enter(random, actor, market, random.below(2) as 0 | 1),
      ...random.pick([[], [update(0, TO_GAPS)]]),
      ...repeat(random.between(2, 5), () => [
        still(market),
        wait(),
        ...clock(),
        ...stop(),
        ...random.pick([[], [resume(market)], [resume(market), ...stop()]]),
        wait(),
        ...random.pick([[], [order({ actor: anyone(random), market, side: 0, at: "touch", size: "few" })]]),
        ...random.pick([[], [still(market)]]),
        resume(market),
        ...random.pick([[], stop()]),
        ...clock(),
        wait(),
        resume(market),
      ]),
      still(market),
      block(0, market),
    ];
  },

  /** A dydx market samples in every block: some minutes have no sample, and the last bids are above the index. */
  sparseSamples(random) {
    const market = random.below(3);
    const bids = () =>
      order({ actor: anyone(random), market, side: 0, at: "bandHigh", size: "share", more: random.below(4) });
    return [
      ...enter(random, anyone(random), market, random.below(2) as 0 | 1),
      change(market, "fundingInterval", "120000"),
      block(),
      ...repeat(random.between(2, 6), () => [
        ...random.pick([[bids()], [bids(), bids()], []]),
        still(market),
        random.pick([gap(60_000), gap(20_000), block(), block(0, market)]),
      ]),
      still(market),
      block(0, market),
    ];
  },

  /**
   * Withdrawals up to the cap of a window, and more in the next hour of the same day. Also withdrawals in the last
   * block of a pause.
   */
  cappedHours: (random) => [
    block(8),
    ...repeat(random.between(2, 4), () => [
      ...repeat(random.between(1, 3), () => [
        writeGene("withdraw", { actor: anyone(random), payload: [4, 0, random.pick([0, 0, 1])] }),
      ]),
      ...random.pick([[block()], [block(7)], [gap(3_600_000)]]),
    ]),
  ],

  /** Accounts recover while they wait for their liquidation. */
  recoveredInQueue: (random) => recoverInQueue(random, random.below(3)),

  /** Fees of very large orders. */
  largeFees: (random) => payLargeFees(random, random.below(3), []),

  /** A new market has a funding rate before it has a price. */
  rateBeforePrice: (random) => [
    writeGene("createMarket", { payload: [random.below(7)] }),
    block(),
    ...repeat(random.between(1, 3), () => [
      price(random.below(8), "rate", random.below(9), random.below(8)),
      ...random.pick([[], [block()]]),
    ]),
    price(random.below(8), random.pick(["plain", "bad", "record"] as const), random.below(100)),
    block(),
  ],
} as const satisfies Readonly<Record<string, Recipe>>;
