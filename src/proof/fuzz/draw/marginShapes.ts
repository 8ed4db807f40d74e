/** Recipes of margin and liquidation: accounts that leave with a profit, and accounts that cannot pay a loss. */

import { newest } from "../genes/references.ts";
import { block, order, price, writeGene } from "./gene.ts";
import { anyone, DOWN, enter, ladder, march, newcomers, type Recipe, repeat, shareOf, UP } from "./recipe.ts";

/** Choice of the greatest possible credit. */
const AMOUNT_GREATEST = 12;

export const marginShapes = {
  /** An account withdraws its whole profit while the price is high; then the price falls. */
  pulledMargin(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const take = random.pick(["withdraw", "transfer"] as const);
    return [
      ...enter(random, actor, market, 0),
      block(),
      ...march(random, market, UP, random.between(1, 5)),
      writeGene(take, { actor, payload: take === "withdraw" ? [4, 0, random.below(3)] : [0, 4, 0, random.below(3)] }),
      block(),
      ...march(random, market, DOWN, random.between(3, 12)),
    ];
  },

  /** A thin market is pumped, and its unrealised profit is used in another market. */
  pumpAndBorrow(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...enter(random, actor, market, 0),
      ...repeat(random.between(2, 6), () => [
        order({ actor: actor + 1, market, side: 1, at: "bandHigh", size: "least" }),
        order({ actor: actor + 2, market, side: 0, at: "bandHigh", size: "touch" }),
        price(market, "clamp", UP, 0),
        block(),
      ]),
      order({ actor, market: market + 1, side: 0, at: "touch", size: "margin", near: random.below(3) }),
      writeGene("withdraw", { actor, payload: [4, 0, random.below(3)] }),
      block(),
      ...march(random, market, DOWN, random.between(4, 10)),
    ];
  },

  /** All accounts are long at maximum leverage; the price falls every block, or jumps to the next liquidation price. */
  cascade(random) {
    const market = random.below(3);
    const hilt = () => random.pick([97, 100, 60]);
    return [
      ...repeat(random.between(2, 6), (place) => [
        order({ actor: 2 * place + 1, market, side: 1, at: "mark", size: "share", more: shareOf(hilt()) }),
      ]),
      block(),
      ...repeat(random.between(2, 6), (place) => [
        order({ actor: 2 * place, market, side: 0, at: "touch", size: "share", more: shareOf(hilt()) }),
      ]),
      block(),
      ...ladder(random, market, random.below(10)),
      ...repeat(random.between(6, 20), () => [
        random.pick([
          price(market, "clamp", DOWN, 0),
          price(market, "trigger", 1 + 2 * random.below(8), random.below(3)),
        ]),
        block(),
      ]),
    ];
  },

  /** An account is liquidated into quotes of another account of the same owner. */
  selfLiquidation(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...enter(random, actor, market, 0),
      block(),
      ...repeat(random.between(2, 5), () => [
        order({
          actor: actor + 1,
          market,
          side: 0,
          at: "near",
          away: random.below(2000),
          size: "share",
          more: random.below(8),
        }),
        price(market, "trigger", 2 * random.below(30), random.below(3)),
        block(),
      ]),
    ];
  },

  /** Margin mode, leverage and margin change around a funding instant and a trigger price. */
  modeSwitch(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const mode = (isolated: boolean) => writeGene("setMarginMode", { actor, market, payload: [isolated ? 1 : 0] });
    const adjust = (direction: number) =>
      writeGene("adjustIsolatedMargin", {
        actor,
        market,
        payload: [0, direction, 0, random.pick([0, 3, 4, 6]), random.below(50), random.below(3)],
      });
    return [
      mode(true),
      writeGene("setLeverage", { actor, market, payload: [random.below(8), random.below(50)] }),
      block(),
      ...enter(random, actor, market, random.below(2) as 0 | 1),
      block(),
      ...repeat(random.between(2, 6), () => [
        adjust(random.below(2)),
        random.pick([mode(false), mode(true), adjust(1), price(market, "trigger", 0, random.below(3))]),
        block(random.pick([undefined, 0, 1]), market),
      ]),
      writeGene("closePosition", { actor, market }),
      mode(false),
      block(),
    ];
  },

  /** No account quotes, the fund is empty, and the price moves until an account cannot pay. */
  noQuotes(random) {
    const market = random.below(3);
    const side = random.below(2) as 0 | 1;
    return [
      ...repeat(random.between(1, 4), (place) => enter(random, 2 * place, market, side)),
      writeGene("cancelAll"),
      block(),
      ...repeat(8, (place) => [writeGene("cancelAll", { actor: place })]),
      price(market, "jump", side === 0 ? random.pick([4, 6, 8]) : random.pick([5, 7])),
      block(),
      ...repeat(random.between(2, 10), () => [
        price(market, "still"),
        ...repeat(random.between(1, 3), () => [
          writeGene("withdraw", { actor: anyone(random), payload: [0, random.below(40)] }),
        ]),
        block(),
      ]),
    ];
  },

  /**
   * Identical accounts on both sides, created in another order than they were funded, so that queues and rankings have
   * ties. No account quotes any more, and the price moves until one side cannot pay.
   */
  twins(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const count = random.between(2, 4);
    const more = shareOf(random.pick([97, 97, 60, 30]));
    const half = (from: number, turned: boolean) =>
      Array.from({ length: count }, (_, place) => newest(from + (turned ? place : count - 1 - place)));
    const makers = half(count, random.chance(3, 4));
    const takers = half(0, random.chance(3, 4));
    // The losing accounts have almost no other collateral: it is withdrawn, or kept where it does not count.
    const apart = random.chance(1, 2);
    const [losing, falls] = random.chance(1, 2) ? [makers, side === 0] : [takers, side === 1];
    return [
      ...newcomers(2 * count, random.between(1, 2)),
      block(),
      ...(apart ? losing : []).map((actor) => writeGene("setMarginMode", { actor, market, payload: [1] })),
      ...repeat(4, () => [writeGene("cancelAll", { actor: 0x8000 + random.below(100) })]),
      ...makers.map((actor) => order({ actor, market, side, at: "mark", size: "share", more })),
      block(),
      ...takers.map((actor) => order({ actor, market, side: (1 - side) as 0 | 1, at: "mark", size: "touch" })),
      block(),
      ...(apart ? [] : losing).map((actor) => writeGene("withdraw", { actor, payload: [4] })),
      ...repeat(4, () => [writeGene("cancelAll", { actor: 0x8000 + random.below(100) })]),
      block(),
      price(market, "jump", falls ? random.pick([4, 6]) : random.pick([5, 7])),
      ...repeat(random.between(2, 6), () => [
        ...repeat(random.between(2, 10), () => [block()]),
        price(market, "still"),
        block(),
      ]),
    ];
  },

  /** The largest positions that markets accept, several of one account: in vast markets more than a number holds. */
  beyondNumbers(random) {
    const [actor, side] = [anyone(random), random.below(2) as 0 | 1];
    const more = shareOf(97);
    const away = random.pick(["jump", "clamp", "trigger"] as const);
    return [
      ...repeat(random.between(1, 2), () => [writeGene("deposit", { actor, payload: [0, AMOUNT_GREATEST] })]),
      ...repeat(4, (place) => [writeGene("cancelAll", { actor: place })]),
      ...(random.chance(1, 4) ? [writeGene("setMarginMode", { actor, payload: [1] })] : []),
      ...repeat(6, (place) => [price(place, "still")]),
      block(),
      ...repeat(6, (place) => [
        order({ actor: actor + 1, market: place, side: (1 - side) as 0 | 1, at: "mark", size: "share", more }),
        block(),
        order({ actor, market: place, side, at: "touch", size: "touch" }),
        block(),
      ]),
      ...repeat(random.between(2, 8), () => [
        price(random.below(6), away, side === 0 ? random.pick([DOWN, 2, 4]) : random.pick([UP, 3, 5]), random.below(3)),
        random.pick([
          writeGene("withdraw", { actor, payload: [4, 0, random.below(3)] }),
          order({ actor, market: random.below(3), side: random.below(2) as 0 | 1, at: "touch", size: "position" }),
          writeGene("setLeverage", { actor, market: random.below(3), payload: [random.below(8), random.below(50)] }),
          writeGene("setMarginMode", { actor, market: random.below(3), payload: [random.below(2)] }),
          order({ actor, market: random.below(3), side, at: "mark", size: "margin", near: random.below(3) }),
        ]),
        block(),
      ]),
    ];
  },

  /** All accounts use isolated margin. */
  allIsolated: (random) => [
    ...repeat(random.between(2, 12), () => [
      writeGene("setMarginMode", { actor: anyone(random), market: random.below(3), payload: [1] }),
    ]),
    block(),
  ],

  /** Many accounts withdraw the most they may, hour after hour. */
  runOnTheVenue: (random) =>
    repeat(random.between(4, 12), () => [
      writeGene("withdraw", {
        actor: anyone(random),
        payload: [random.pick([0, 3, 4]), random.below(60), random.below(3)],
      }),
      writeGene("withdraw", { actor: anyone(random), payload: [4, 0, random.below(3)] }),
      block(random.pick([undefined, 7, 8])),
    ]),
} as const satisfies Readonly<Record<string, Recipe>>;
