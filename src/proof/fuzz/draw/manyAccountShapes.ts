/** Recipes with many accounts or orders at once, markets that do not trade, and postponed expiries. */
import { NEWCOMER } from "../genes/authorities.ts";
import { newest } from "../genes/references.ts";
import { FLOODS } from "../genes/resolve.ts";
import { PAUSE, STATUS, TO_GAPS } from "../genes/updates.ts";
import { amend, block, type Gene, order, price, writeGene } from "./gene.ts";
import { anyone, enter, ladder, type Recipe, repeat } from "./recipe.ts";

/** New owners per block, and number of blocks: together more than the initial capacity of a table. */
const COMERS = 13;
const COMINGS = 5;

/** Choices of a market change: another status by its index, or a trading pause. */
const STATUSES = { postOnly: 1, cancelOnly: 3, reduceOnly: 4, halted: 5 } as const;

/** A last height this many blocks ahead, and a last time. */
const atHeight = (blocks: number) => [0, blocks - 1];
const atTime = (way: number) => [2, 0, way];

export const crowdShapes = {
  /**
   * More owners and orders than the initial capacity of tables, in queues that lose their first element and elements in
   * the middle.
   */
  crowd(random) {
    const market = random.below(3);
    const comings = random.pick([1, 1, 1, COMINGS]);
    const side = random.below(2) as 0 | 1;
    return [
      ...repeat(comings, () => [
        ...repeat(COMERS, (place) => [writeGene("deposit", { payload: [NEWCOMER + 16 * place, random.below(3)] })]),
        block(),
      ]),
      ...repeat(comings * COMERS, (place) => [
        order({ actor: newest(place), market, side, at: "near", away: random.below(20), size: "least" }),
      ]),
      block(),
      ...repeat(random.between(1, 4), () => [
        writeGene("cancelOrder", { actor: newest(random.below(comings * COMERS)) }),
        amend({ actor: newest(random.below(comings * COMERS)), size: "double" }),
      ]),
      ...random.pick<readonly Gene[]>([[], [writeGene("crash", { payload: [random.below(2)] })]]),
      order({
        actor: anyone(random),
        market,
        side: (1 - side) as 0 | 1,
        at: "through",
        away: 90,
        size: "share",
        more: 0,
      }),
      block(),
    ];
  },

  /** More transactions in a block than its initial capacity, before and after those that matter. */
  fullBlock(random) {
    const market = random.below(3);
    const count = random.chance(1, 6) ? FLOODS.length - 1 : random.below(FLOODS.length - 1);
    return [
      ...ladder(random, market, random.between(2, 6)),
      writeGene("placeIntent", { actor: anyone(random), market }),
      writeGene("flood", { actor: anyone(random), payload: [count] }),
      ...ladder(random, market, 2),
      block(),
      ...ladder(random, market, 2),
      block(),
    ];
  },

  /**
   * A market does not trade, for one of several reasons or after a gap. Orders in it are changed, cancelled and sent.
   */
  standstill(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const update = (way: number, detail: number) => writeGene("updateMarket", { market, payload: [way, detail] });
    const stop = random.pick<readonly Gene[]>([
      ...Object.values(STATUSES).map((status) => [update(STATUS, status)]),
      [update(PAUSE, 0)],
      [update(0, TO_GAPS), block(), writeGene("gap", { payload: [2] })],
      [update(0, TO_GAPS), block(), writeGene("gap", { payload: [2] })],
    ]);
    const change = () =>
      random.pick([
        () => amend({ actor, place: random.below(3), size: random.pick(["half", "double", "more"] as const) }),
        () => amend({ actor, place: random.below(3), at: random.pick(["mark", "improve", "touch"] as const) }),
        () => amend({ actor, place: random.below(3), expiry: atHeight(random.between(1, 8)) }),
        () => writeGene("cancelOrder", { actor }),
        () => writeGene("closePosition", { actor, market }),
        () => order({ actor, market, side: random.below(2) as 0 | 1, at: "near", size: "position", reduceOnly: true }),
        () => writeGene("placeIntent", { actor, market }),
      ])();
    return [
      ...enter(random, actor, market, random.below(2) as 0 | 1),
      ...repeat(random.between(2, 4), () => [
        order({
          actor,
          market,
          side: random.below(2) as 0 | 1,
          at: "near",
          away: random.below(90),
          size: "few",
          more: 3,
        }),
      ]),
      block(),
      ...repeat(random.below(3), () => [change()]),
      ...stop,
      ...repeat(random.between(2, 5), () => [change(), ...random.pick<readonly Gene[]>([[], [], [block()]])]),
      ...random.pick<readonly Gene[]>([[], [price(market, "still")]]),
      block(),
      ...repeat(random.between(1, 3), () => [change()]),
      block(),
    ];
  },

  /**
   * Orders share one last height or one last time. Some are postponed or brought forward on a venue that is restored
   * before they expire. The venue then runs past the old and the new expiry.
   */
  putOff(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const end = random.chance(1, 2) ? atHeight(random.between(2, 5)) : atTime(4);
    const later = () => (random.chance(2, 3) ? atHeight(random.between(5, 8)) : atTime(0));
    const side = random.below(2) as 0 | 1;
    const count = random.between(2, 6);
    return [
      ...repeat(count, (place) => [
        order({
          actor: random.pick([actor, actor, actor + 1]),
          market,
          side,
          at: "near",
          away: 10 + place,
          size: "few",
          more: place,
          life: 5,
          expiry: random.chance(4, 5) ? end : later(),
        }),
      ]),
      block(),
      ...repeat(random.between(1, count), () => [
        amend({
          actor,
          place: random.below(count),
          expiry: random.chance(3, 4) ? later() : atHeight(1),
          size: random.pick(["kept", "same", "half", "double"] as const),
        }),
      ]),
      ...random.pick<readonly Gene[]>([[], [writeGene("cancelOrder", { actor })]]),
      ...random.pick<readonly Gene[]>([[], [block()]]),
      ...random.pick<readonly Gene[]>([[], [writeGene("crash", { payload: [random.below(2)] })]]),
      ...repeat(random.between(6, 10), (place) => [
        ...(place % 3 === 2
          ? [order({ actor: actor + 2, market, side: (1 - side) as 0 | 1, at: "touch", size: "few", life: 6 })]
          : []),
        random.chance(1, 5) ? writeGene("block", { payload: [4] }) : block(),
      ]),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;
