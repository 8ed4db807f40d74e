/** Recipes of trading: queues, batches, limits, triggers. */
import { newest } from "../genes/references.ts";
import { CHANGES } from "../genes/updates.ts";
import { amend, block, type Gene, order, price, writeGene } from "./gene.ts";
import { anyone, enter, ladder, march, newcomers, type Recipe, repeat } from "./recipe.ts";

/** Changes how the size of resting reduce-only orders is limited. */
function resting(market: number, text: "capAtMatch" | "trim"): Gene {
  const place = CHANGES.findIndex(({ reduceOnlyResting }) => reduceOnlyResting === text);
  return writeGene("updateMarket", { market, payload: [0, place] });
}

export const tradingShapes = {
  /** Depth for the recipes that follow. */
  depth: (random) => [...ladder(random, random.below(3), random.between(10, 30)), block()],

  /** One account on both sides, with every self-trade mode. */
  bothSides(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return repeat(random.between(2, 6), () => [
      order({ actor, market, side: 0, at: "mark", size: "few", more: random.below(20) }),
      order({
        actor: random.pick([actor, actor + 1]),
        market,
        side: 1,
        at: "touch",
        size: "touch",
        selfTrade: random.below(4),
      }),
      ...random.pick([[], [block()]]),
    ]);
  },

  /** Orders queue at one price, one is amended, and another account takes from the front. */
  queueJump(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const more = random.between(1, 19);
    return [
      order({ actor, market, side, at: "mark", size: "few", more }),
      order({ actor: actor + 1, market, side, at: "mark", size: "few", more }),
      block(),
      writeGene("amendOrder", { actor, payload: [0, 0, 0, 0, 0, 0, random.pick([0, 3, 5, 4])] }),
      ...random.pick([[], [block()]]),
      order({ actor: actor + 2, market, side: (1 - side) as 0 | 1, at: "touch", size: "few", more: random.below(20) }),
      block(),
    ];
  },

  /** Reduce-only orders exceed a position that shrinks, closes and flips. */
  reduceOnlyCrowd(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    return [
      ...enter(random, actor, market, side),
      block(),
      ...repeat(random.between(2, 4), () => [
        order({
          actor,
          market,
          side: other,
          at: "near",
          away: random.below(200),
          size: "position",
          more: random.below(4),
          reduceOnly: true,
        }),
      ]),
      block(),
      // The account's own plain order fills against another account, or takes from the book.
      order({ actor, market, side: other, at: "improve", size: "position", more: random.below(4) }),
      block(),
      order({ actor: actor + 1, market, side, at: "touch", size: "touch", more: random.below(4) }),
      block(),
    ];
  },

  /** Many reduce-only orders, each for the whole position, are amended, filled by FOK orders, and trimmed. */
  reduceOnlyQueue(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    const close = (at: "near" | "improve" | "mark", reduceOnly = true) =>
      order({
        actor,
        market,
        side: other,
        at,
        away: random.below(200),
        size: "position",
        more: random.below(4),
        reduceOnly,
      });
    const meet = () =>
      order({
        actor: actor + random.between(1, 3),
        market,
        side,
        at: "touch",
        size: random.pick(["touch", "few"] as const),
        more: random.below(20),
        life: random.pick([0, 6, 7, 7]),
      });
    return [
      ...enter(random, actor, market, side),
      block(),
      ...repeat(random.between(3, 14), () => [close(random.pick(["near", "near", "improve", "mark"] as const))]),
      ...random.pick([[], [block()]]),
      ...repeat(random.between(2, 5), () => [
        random.pick([
          () => meet(),
          () => meet(),
          () => amend({ actor, place: random.below(6), size: random.pick(["double", "more", "half"] as const) }),
          () => amend({ actor, place: random.below(6), at: random.pick(["mark", "improve", "near"] as const) }),
          () => close("improve", false),
          () => close("near"),
        ])(),
        ...random.pick([[], [block()]]),
      ]),
      ...random.pick([
        [],
        [],
        [resting(market, "trim")],
        [resting(market, "trim"), block(), resting(market, "capAtMatch")],
      ]),
      block(),
      meet(),
      block(),
    ];
  },

  /** An all-or-nothing batch with legs that fail after legs that trade. */
  failingBatch(random) {
    const market = random.below(3);
    return [
      ...ladder(random, market, random.between(4, 10)),
      block(),
      ...repeat(random.between(2, 5), () => [
        writeGene("placeOrders", {
          actor: anyone(random),
          market,
          payload: [
            random.pick([0, 0, 1]),
            random.below(0xf000),
            ...Array.from({ length: 16 }, () => random.below(65_536)),
          ],
        }),
        ...random.pick([[], [block()]]),
      ]),
    ];
  },

  /** A batch meets orders of its own account, and its last leg undoes it. */
  undoneBatch(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const leg = [2, 256 * random.below(2), 0, 0, 0, 0, (3 - random.below(4)) << 4, 4, 0, 0, 4, random.below(20), 0];
    const last = Array.from({ length: 3 }, () => random.below(65_536));
    return [
      ...repeat(2, (place) => [
        order({ actor, market, side: place as 0 | 1, at: "improve", size: "few", more: random.below(20) }),
      ]),
      block(),
      ...repeat(random.between(1, 3), () => [
        writeGene("placeOrders", { actor, market, payload: [0, random.between(1, 4), ...leg, ...last] }),
      ]),
      block(),
    ];
  },

  /** Orders expire in the very block in which they would trade. */
  lastMoment(random) {
    const market = random.below(3);
    return repeat(random.between(2, 6), () => [
      order({ actor: anyone(random), market, side: 0, at: "mark", size: "few", life: 5 }),
      block(),
      order({ actor: anyone(random), market, side: 1, at: "touch", size: "touch", life: random.pick([0, 6, 7]) }),
      block(random.pick([undefined, 3]), market),
    ]);
  },

  /** A new owner's volume just reaches a fee tier, or just misses it; the owner trades again on the next day. */
  volumeEdge(random) {
    const [actor, other, market] = [newest(0), newest(1), random.below(3)];
    const trade = (size: "volume" | "few", near: number) => [
      order({ actor, market, side: 1, at: random.pick(["mark", "improve"] as const), size, near }),
      block(),
      order({ actor: other, market, side: 0, at: "touch", size: "touch", life: 6 }),
      block(),
    ];
    return [
      ...newcomers(2, 2),
      block(),
      ...repeat(random.between(1, 3), () => trade("volume", random.pick([0, 0, 0, 0, 1, 2]))),
      writeGene("gap", { payload: [4] }),
      price(market, "still"),
      block(),
      ...trade("few", 0),
    ];
  },

  /** Large trades at odd prices, there and back, whose fees are whole numbers or just miss one. */
  roundingEdge(random) {
    const [actor, market, first] = [anyone(random), random.below(3), random.below(2)];
    return [
      block(),
      ...repeat(random.between(2, 8), (place) => {
        const side = ((first + place) % 2) as 0 | 1;
        const size = { size: "share", more: random.below(8) } as const;
        return [
          order({ actor: actor + 1, market, side: (1 - side) as 0 | 1, at: "near", away: random.below(1000), ...size }),
          block(),
          order({ ...size, actor, market, side, at: "touch", size: "fee", near: random.below(3), life: 6 }),
          block(),
        ];
      }),
    ];
  },

  /** Stops, brackets and slices whose triggers are at the price, to the unit. */
  manyTriggersNearby(random) {
    const market = random.below(3);
    return [
      ...enter(random, anyone(random), market, random.below(2) as 0 | 1),
      ...ladder(random, market, random.below(8)),
      block(),
      ...repeat(random.between(3, 10), () => [
        writeGene("placeIntent", {
          actor: 0x8000 + anyone(random),
          market,
          payload: [3, ...Array.from({ length: 17 }, () => random.below(65_536))],
        }),
      ]),
      ...march(random, market, random.below(2), random.between(2, 6)),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;
