/** Recipes of isolated positions that flip, run short of collateral, and are closed in batches that are undone. */
import { writeLeg } from "../genes/batchLegs.ts";
import { BRIEF } from "../genes/orders.ts";
import { HOUSE, newest } from "../genes/references.ts";
import { amend, block, type Gene, order, writeGene } from "./gene.ts";
import { anyone, DOWN, enter, march, newcomers, type Recipe, repeat, secondMarket, shareOf, UP } from "./recipe.ts";

/** Adjusts the collateral of an isolated position: removes the most possible, or adds a little. */
const adjust = (actor: number, market: number, direction: 0 | 1, near = 0) =>
  writeGene("adjustIsolatedMargin", { actor, market, payload: [0, direction, 4, 0, near] });
const isolate = (actor: number, market: number) => writeGene("setMarginMode", { actor, market, payload: [1] });
const lever = (actor: number, market: number, leverage: number) =>
  writeGene("setLeverage", { actor, market, payload: [0, leverage] });

export const turnShapes = {
  /**
   * An isolated position flips in several fills. The cross account has no free collateral because another position lost
   * value. Makers quote a part each; an order of one to two positions is FOK, IOC or rests.
   */
  turnedInParts(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const [actor, counter, ...makers] = [newest(0), newest(1), newest(2), newest(3)];
    const other = (1 - side) as 0 | 1;
    const elsewhere = random.below(2) as 0 | 1;
    const away = (1 - elsewhere) as 0 | 1;
    const share = (percent: number) => ({ size: "share", more: shareOf(percent) }) as const;
    const drain = random.pick([
      writeGene("transfer", { actor, payload: [0, 4, 0, random.pick([0, 0, 2])] }),
      writeGene("withdraw", { actor, payload: [4, 0, random.pick([0, 0, 2])] }),
    ]);
    return [
      writeGene("createMarket"),
      ...newcomers(4, 2),
      writeGene("block", { payload: [0, 7] }),
      isolate(actor, market),
      order({ actor: counter, market, side: other, at: "mark", ...share(10) }),
      order({ actor: counter, market: market + 1, side: away, at: "mark", ...share(30) }),
      block(),
      order({ actor, market, side, at: "touch", size: "touch" }),
      order({ actor, market: market + 1, side: elsewhere, at: "touch", size: "touch" }),
      block(),
      ...(random.chance(3, 4) ? [drain, block()] : []),
      ...march(random, market + 1, elsewhere === 0 ? DOWN : UP, random.between(1, 2)),
      ...random.pick<readonly Gene[]>([[], [], march(random, market, side === 0 ? UP : DOWN, 1)]),
      // Each maker quotes about one position: the first fill closes, the second one opens.
      ...makers.map((maker) =>
        order({ actor: maker, market, side, at: "mark", size: "alike", more: random.pick([0, 0, 1]) }),
      ),
      ...random.pick<readonly Gene[]>([[], [block()]]),
      ...repeat(random.between(1, 2), () => [
        order({
          actor,
          market,
          side: other,
          at: "mark",
          size: "position",
          more: random.pick([2, 4, 5, 5, 6, 7]),
          life: random.pick([7, 7, 7, 0, 6]),
          reduceOnly: random.chance(1, 6),
        }),
        block(),
      ]),
    ];
  },

  /**
   * Accounts below their initial margin after a price move flip their positions. They have own orders on both sides and
   * a position in another market. They use new orders and amendments of every time in force and self-trade mode.
   */
  turnedBelowInitial(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    const [actor, counter, maker] = [newest(0), newest(1), newest(2)];
    const hilt = { size: "share", more: shareOf(random.pick([97, 100, 100, 60])) } as const;
    const own = (way: 0 | 1) =>
      order({ actor, market, side: way, at: "near", away: random.below(60), size: "few", more: random.below(9) });
    const turn = () => {
      const near = random.pick([0, 0, 1, 2]);
      const life = random.pick([0, 6, 6, 7]);
      const at = random.pick(["mark", "touch", "near"] as const);
      const how = { at, away: random.below(20), near, life, selfTrade: random.below(4) } as const;
      return random.pick<() => Gene>([
        () => order({ actor, market, side: other, size: "position", more: random.pick([0, 1, 2, 4, 5, 6, 7]), ...how }),
        () => order({ actor, market, side: other, size: "margin", ...how }),
        () => order({ actor, market, side: other, size: "touch", more: random.below(3), ...how }),
        () => amend({ actor, at: random.pick(["touch", "margin", "improve"] as const), near }),
        () => amend({ actor, size: random.pick(["double", "edge", "more", "less"] as const), near }),
      ])();
    };
    return [
      ...secondMarket(random),
      ...newcomers(3, random.between(1, 2)),
      ...random.pick<readonly Gene[]>([[], [], [lever(actor, market, random.below(30))], [isolate(actor, market)]]),
      order({ actor: counter, market, side: other, at: "mark", ...hilt }),
      block(),
      order({ actor, market, side, at: "touch", size: random.pick(["touch", "share", "margin"] as const), more: 0 }),
      ...random.pick<readonly Gene[]>([[], [own(side)], [own(other)], [own(other), own(side)]]),
      ...random.pick<readonly Gene[]>([[], enter(random, actor, market + 1, random.below(2) as 0 | 1)]),
      block(),
      writeGene("withdraw", { actor, payload: [4, 0, random.pick([0, 0, 2])] }),
      block(),
      ...march(random, market, side === 0 ? DOWN : UP, random.between(1, 2)),
      ...repeat(random.between(1, 3), () => [
        ...repeat(random.between(0, 2), () => [
          order({
            actor: maker,
            market,
            side,
            at: "mark",
            size: random.pick(["alike", "few"] as const),
            more: random.below(9),
          }),
        ]),
        block(),
        ...repeat(random.between(1, 2), () => [turn()]),
        block(),
        ...random.pick<readonly Gene[]>([[], march(random, market, random.below(2), 1)]),
      ]),
    ];
  },

  /**
   * Isolated positions with less collateral than a fill costs. They are buys amended at the edge, makers whose own
   * price costs more than their collateral, and orders through zero that the cross account cannot pay for.
   */
  isolatedEdge(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    const near = () => random.pick([0, 0, 1, 2]);
    const step = () =>
      random.pick<() => readonly Gene[]>([
        () => [order({ actor, market, side, at: "near", away: random.below(60), size: "margin", near: near() })],
        () => [amend({ actor, size: random.pick(["edge", "double", "more"] as const), near: near() })],
        () => [amend({ actor, at: random.pick(["margin", "improve", "touch"] as const), near: near() })],
        () => [adjust(actor, market, 1, near())],
        () => [
          order({ actor, market, side: other, at: "touch", size: "position", more: random.pick([2, 4, 5]) }),
          block(),
        ],
        () => [order({ actor: actor + 2, market, side: other, at: "touch", size: "touch", life: 6 })],
        () => march(random, market, side === 0 ? DOWN : UP, 1),
        () => [writeGene("withdraw", { actor, payload: [4, 0, near()] })],
      ])();
    return [
      ...secondMarket(random),
      isolate(actor, market),
      lever(actor, market, random.below(30)),
      block(),
      ...enter(random, actor, market, side),
      block(),
      ...enter(random, actor, market + 1, random.below(2) as 0 | 1),
      writeGene("withdraw", { actor, payload: [4, 0, near()] }),
      adjust(actor, market, 1, near()),
      block(),
      // Its own price as a maker costs more than its free collateral.
      order({ actor, market, side, at: "near", away: random.below(20), size: "few", more: random.below(9) }),
      order({ actor: actor + 3, market, side: other, at: "near", away: random.below(90), size: "share", more: 0 }),
      block(),
      ...repeat(random.between(3, 7), () => [...step(), ...random.pick<readonly Gene[]>([[], [block()]])]),
      block(),
    ];
  },

  /**
   * Orders far from the mark on one side use all free collateral. An order on the other side then costs nothing while
   * it rests, one tick before it would trade at a loss.
   */
  freeSide(random) {
    const [actor, market, side] = [newest(0), random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    return [
      ...newcomers(2, 2),
      ...repeat(4, () => [writeGene("cancelAll", { actor: 0x8000 + random.below(100) })]),
      block(),
      ...random.pick<readonly Gene[]>([[], [isolate(actor, market)]]),
      order({
        actor,
        market,
        side,
        at: side === 1 ? "bandHigh" : "bandLow",
        size: "margin",
        near: random.pick([0, 2]),
      }),
      block(),
      // One tick before the touch, on it, or beyond it.
      ...repeat(random.between(1, 3), () => [
        order({
          actor: random.pick([actor, actor, newest(1)]),
          market,
          side: other,
          at: "touch",
          away: random.pick([24, 24, 0, 16]),
          size: random.pick(["few", "touch", "margin", "share"] as const),
          more: random.below(8),
        }),
        ...random.pick<readonly Gene[]>([[], [block()]]),
      ]),
      block(),
    ];
  },

  /**
   * An all-or-nothing batch closes or flips a position ahead of the account's own reduce-only orders, which rest
   * between other orders at a price. The last leg undoes the batch. Then other accounts trade through all of these
   * orders.
   */
  undoneClose(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    const away = random.between(1, 40);
    const queued = () =>
      random.pick([
        () => order({ actor: actor + 1, market, side: other, at: "near", away, size: "few", more: random.below(4) }),
        () => order({ actor, market, side: other, at: "near", away, size: "position", more: 3, reduceOnly: true }),
        () => order({ actor, market, side: other, at: "near", away, size: "position", more: 1, reduceOnly: true }),
        () => order({ actor, market, side: other, at: "near", away, size: "few", more: 1, name: random.below(4) }),
      ])();
    const close = () =>
      writeLeg({
        side: other,
        at: random.pick(["touch", "through"] as const),
        size: random.pick(["position", "half", "turn", "touch"] as const),
        reduceOnly: random.chance(1, 3),
        life: random.pick([0, 1, 1]),
        name: random.below(4),
      });
    const rest = () =>
      writeLeg({
        side: random.pick([side, other]),
        at: random.pick(["join", "near", "improve"] as const),
        size: random.pick(["few", "half", "least"] as const),
        reduceOnly: random.chance(1, 3),
        name: random.below(4),
        isNext: random.chance(1, 6),
      });
    const fail = () =>
      random.pick([
        writeLeg({ side, at: "join", size: "beyond" }),
        writeLeg({ side: other, at: "near", size: "off" }),
        writeLeg({ side, at: "mark", size: "turn", life: 2 }),
        writeLeg({ side, at: "join", size: "few", name: 1 }),
      ]);
    const batch = () => {
      const legs = [...repeatWords(random.between(1, 2), close), ...repeatWords(random.below(3), rest)];
      const count = legs.length + 1;
      return writeGene("placeOrders", { actor, market, payload: [BRIEF, count - 1, ...legs, fail()] });
    };
    return [
      ...random.pick<readonly Gene[]>([[], [isolate(actor, market), block()]]),
      ...enter(random, actor, market, side),
      block(),
      ...repeat(random.between(2, 5), () => [queued()]),
      order({ actor: actor + 2, market, side, at: "near", away: random.below(30), size: "share", more: 0 }),
      order({ actor: actor + 3, market, side, at: "near", away: random.below(30), size: "few", more: 5 }),
      block(),
      ...repeat(random.between(1, 3), () => [batch(), ...random.pick<readonly Gene[]>([[], [block()]])]),
      ...random.pick<readonly Gene[]>([[], [amend({ actor, size: "half" })], [writeGene("cancelOrder", { actor })]]),
      order({ actor: actor + 3, market, side, at: "through", away: 60, size: "touch", more: 3, life: 6 }),
      block(),
      order({ actor: actor + 2, market, side: other, at: "through", away: 60, size: "touch", more: 3, life: 6 }),
      writeGene("closePosition", { actor, market }),
      block(),
    ];
  },

  /** A house account holds a position and reduces it by own orders at prices below its ladder. */
  houseReduces(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    // Quotes of the ladder and of what rests after them, per side: side, away, print, kind, size.
    const ladder = () => {
      const steps = Array.from({ length: 3 }, () => [random.below(2), random.below(40), 0, random.pick([0, 2, 2]), 3]);
      return writeGene("houseFlow", { market, payload: [0, 2, ...steps.flat()] });
    };
    return [
      ladder(),
      block(),
      order({ actor: anyone(random), market, side: other, at: "touch", size: "few", more: random.below(20) }),
      order({ actor: anyone(random), market, side: other, at: "touch", size: "touch" }),
      order({ actor: HOUSE, market, side, at: "touch", size: "few", more: random.below(20) }),
      block(),
      ...repeat(random.between(1, 3), () => [
        order({
          actor: HOUSE,
          market,
          side: random.pick([side, other]),
          at: "near",
          away: random.below(40),
          size: "position",
          more: random.below(4),
          reduceOnly: true,
        }),
      ]),
      block(),
      ...repeat(random.between(2, 4), () => [
        ladder(),
        ...random.pick<readonly Gene[]>([[], [amend({ actor: HOUSE, size: "more" })]]),
        order({ actor: anyone(random), market, side: random.below(2) as 0 | 1, at: "touch", size: "few", more: 9 }),
        block(),
      ]),
    ];
  },

  /** All accounts are isolated at maximum leverage and make for any taker. */
  isolatedMakers(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    return [
      ...repeat(3, (place) => [isolate(actor + place, market)]),
      block(),
      ...enter(random, actor, market, side),
      ...enter(random, actor + 1, market, side),
      block(),
      ...repeat(2, (place) => [
        order({ actor: actor + place, market: market + 1, side: 0, at: "near", size: "share", more: shareOf(97) }),
        order({
          actor: actor + place,
          market,
          side,
          at: "near",
          away: random.below(30),
          size: "share",
          more: shareOf(30),
        }),
        adjust(actor + place, market, 1, random.below(3)),
      ]),
      ...march(random, market, side === 0 ? DOWN : UP, random.between(1, 2)),
      ...repeat(random.between(1, 3), () => [
        order({
          actor: actor + 3,
          market,
          side: (1 - side) as 0 | 1,
          at: "touch",
          size: "touch",
          more: random.below(4),
        }),
        block(),
      ]),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;

function repeatWords(count: number, make: () => number): number[] {
  return Array.from({ length: count }, make);
}
