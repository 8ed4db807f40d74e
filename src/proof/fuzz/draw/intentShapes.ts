/** Recipes of intents: pairs around the price, and entries with legs. */
import type { Draw } from "../../../ground/math/draw.ts";
import { FIRST_LIFE, NEAR_PRICE, NEAR_PRICE_KINDS, REPAIRED } from "../genes/intents.ts";
import { amend, BY_LIVE_AGENT, block, type Gene, order, price, writeGene } from "./gene.ts";
import { anyone, DOWN, enter, march, type Recipe, repeat, UP } from "./recipe.ts";

/** An intent close to the price, mostly valid. */
function around(
  random: Draw,
  actor: number,
  market: number,
  kind: (typeof NEAR_PRICE_KINDS)[number],
  legs: readonly number[],
): Gene {
  const way = NEAR_PRICE + (random.chance(7, 8) ? REPAIRED : 0);
  const odd = [random.below(65_536), (random.between(29, 31) << 11) + random.below(2)];
  const how = random.chance(3, 4) ? random.below(7) : random.pick(odd);
  const amount = random.chance(1, 2) ? 0 : random.below(256);
  return writeGene("placeIntent", {
    actor,
    market,
    payload: [way, NEAR_PRICE_KINDS.indexOf(kind), how, amount, random.below(3), ...legs],
  });
}

/** A leg; its order is mostly a limit order that rests beyond its trigger. */
function leg(random: Draw): number {
  const distance = random.pick([0, 0, 1, 2, 3, 4, 5]) << 4;
  const rests = random.chance(2, 3) ? 0 : random.below(32) << 7;
  return distance + rests + (random.chance(1, 2) ? 0 : random.below(16));
}

/** An entry with one or two legs. A short-lived entry is valid for a few more blocks. */
function entry(random: Draw, actor: number, market: number, isShort: boolean, header = 0): Gene {
  const kind = NEAR_PRICE_KINDS.indexOf(random.pick(["oto", "otoco"] as const));
  const life = isShort ? (FIRST_LIFE + random.below(8)) << 11 : 0;
  const how = life + (random.below(2) << 3) + (random.below(4) << 4);
  const payload = [
    NEAR_PRICE + REPAIRED,
    kind,
    how,
    2 + 8 * random.below(20),
    random.below(3),
    leg(random),
    leg(random),
  ];
  return writeGene("placeIntent", { actor, market, header, payload });
}

/** Index of a schedule among the kinds that a flow draws. */
const SCHEDULE = 4;

/** A schedule, mostly valid. */
function schedule(random: Draw, actor: number, market: number, header = 0): Gene {
  const sizes = [SCHEDULE, random.below(2), random.below(2), random.below(2), 1 + random.below(2), random.below(3)];
  return writeGene("placeIntent", { actor, market, header, payload: [REPAIRED, ...sizes] });
}

/** Other accounts take from the touch on either side. */
function others(random: Draw, actor: number, market: number): readonly Gene[] {
  return ([0, 1] as const).map((side) =>
    order({ actor: actor + 1 + side, market, side, at: "touch", size: "few", more: random.below(4) }),
  );
}

export const intentShapes = {
  /**
   * A short-lived entry fills in part and expires. Its legs remain until the position closes or flips, or they fire.
   */
  entryExpires(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...repeat(random.between(1, 2), () => [entry(random, actor, market, random.chance(5, 6))]),
      block(),
      ...others(random, actor, market),
      block(),
      ...random.pick<readonly Gene[]>([
        [],
        [amend({ actor, size: "half" })],
        [amend({ actor, expiry: [random.below(3)] })],
      ]),
      ...repeat(random.between(1, 4), () => [block()]),
      ...random.pick<readonly Gene[]>([
        [],
        [writeGene("closePosition", { actor, market })],
        others(random, actor, market),
      ]),
      ...march(random, market, random.below(2), random.between(1, 4)),
    ];
  },

  /**
   * An agent's legs when its grant ends: by time, by its last order, or by a revocation that cancels orders or keeps
   * them.
   */
  grantEnds(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const ways = [0, 2, 7, 10] as const;
    const revoke = () => writeGene("revokeAuthorization", { actor, payload: [random.below(64), random.below(2)] });
    return [
      writeGene("grantAuthorization", {
        actor,
        market,
        payload: [8 * random.below(3), random.pick(ways), 2, 0, 0, 0, random.pick([0, 4]), 0],
      }),
      block(),
      ...repeat(random.between(1, 3), () => [
        random.chance(2, 3)
          ? entry(random, actor, market, random.chance(1, 3), BY_LIVE_AGENT)
          : schedule(random, actor, market, BY_LIVE_AGENT),
      ]),
      block(),
      ...others(random, actor, market),
      block(),
      ...random.pick<readonly Gene[]>([[], [revoke()], [revoke()], [block(random.below(8), market)]]),
      ...others(random, actor, market),
      block(),
      ...march(random, market, random.below(2), random.between(1, 4)),
    ];
  },

  /** A schedule is late: the book is empty, the market stops trading, or blocks are late. Then it catches up. */
  scheduleLate(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...repeat(random.between(1, 2), () => [schedule(random, actor, market)]),
      block(),
      ...repeat(random.between(1, 4), () => [
        ...random.pick<readonly Gene[]>([
          [],
          [block(random.below(8), market)],
          [writeGene("updateMarket", { market, payload: [random.below(16), random.below(16)] })],
          others(random, actor, market),
        ]),
        block(),
      ]),
      ...others(random, actor, market),
      ...repeat(random.between(2, 6), () => [block(random.chance(1, 2) ? random.below(8) : undefined, market)]),
    ];
  },

  /** Pairs around a moving price: the other leg fills, changes, or takes from the resting leg. */
  pairsFire(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const first = random.pick([UP, DOWN]);
    const others = () =>
      random.pick<readonly Gene[]>([
        [],
        [amend({ actor, size: random.pick(["more", "double", "half"] as const) })],
        [order({ actor: actor + 2, market, side, at: "touch", size: "few", more: random.below(6) })],
        [order({ actor: actor + 2, market, side, at: "touch", size: "touch", life: 6 })],
      ]);
    return [
      ...enter(random, actor, market, side),
      block(),
      ...repeat(random.between(1, 3), () => [around(random, actor, market, "oco", [leg(random), leg(random)])]),
      block(),
      ...repeat(random.between(2, 4), (place) => [
        ...march(random, market, place % 2 === 0 ? first : 1 - first, random.between(1, 3)),
        ...others(),
        block(),
      ]),
    ];
  },

  /** Both legs of a pair fire in one block in which the price jumps over them, or while one of them rests. */
  bothLegs(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const near = random.pick([0, 1, 2, 3]) << 4;
    return [
      ...enter(random, actor, market, side),
      block(),
      ...repeat(random.between(1, 2), () => [
        around(random, actor, market, "oco", [near, near + (random.below(4) << 7) + (random.below(4) << 9)]),
      ]),
      block(),
      ...march(random, market, UP, 2),
      ...random.pick<readonly Gene[]>([[], [amend({ actor, size: "double" })], [amend({ actor, size: "half" })]]),
      block(),
      ...march(random, market, DOWN, random.between(2, 5)),
      order({ actor: actor + 2, market, side, at: "touch", size: "touch", life: 6 }),
      block(),
    ];
  },

  /**
   * Two entries of one account are pending at once. A leg is cancelled while its entry rests, other accounts take from
   * the entry, and the legs fire.
   */
  twoEntries(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const entry = () =>
      around(random, actor, market, random.pick(["otoco", "otoco", "oto"] as const), [leg(random), leg(random)]);
    const side = random.below(2) as 0 | 1;
    return [
      ...repeat(random.between(2, 3), () => [entry()]),
      block(),
      writeGene("cancelIntent", { actor, payload: [16 * random.below(4) + random.pick([0, 0, 0, 5])] }),
      ...random.pick<readonly Gene[]>([[], [amend({ actor, size: "half" })], [amend({ actor, size: "double" })]]),
      ...repeat(random.between(1, 3), () => [
        order({ actor: actor + 1, market, side, at: "touch", size: "few", more: random.below(4) }),
        order({ actor: actor + 2, market, side: (1 - side) as 0 | 1, at: "touch", size: "few", more: random.below(4) }),
        block(),
      ]),
      price(market, "clamp", random.below(2), random.below(3)),
      block(),
      ...random.pick<readonly Gene[]>([
        [],
        [writeGene("cancelOrder", { actor })],
        [writeGene("closePosition", { actor, market })],
        [writeGene("cancelIntent", { actor, payload: [0] })],
      ]),
      ...march(random, market, random.below(2), random.between(2, 5)),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;
