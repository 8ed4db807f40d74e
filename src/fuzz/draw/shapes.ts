/**
 * Shapes of use that hurt venues, as recipes of genes: what an attacker would try, or bad luck does. Between their genes
 * others are drawn, so that no two are alike.
 */
import type { Draw } from "../../math/draw.ts";
import { SHARES } from "../genes/orders.ts";
import { BY_AGENT, block, type Gene, order, price, writeGene } from "./gene.ts";

type Recipe = (random: Draw) => readonly Gene[];

const UP = 1;
const DOWN = 0;

/** The price goes to the edge of what the index follows in a block, several times, with a block each. */
function march(random: Draw, market: number, way: number, blocks: number): Gene[] {
  return repeat(blocks, () => [price(market, "clamp", way, random.below(3)), block()]);
}

function repeat(count: number, make: (place: number) => readonly Gene[]): Gene[] {
  return Array.from({ length: count }, (_, place) => make(place)).flat();
}

/** Detail of a size that is a share of what an account can carry, in percent; kept within the market's largest. */
const shareOf = (percent: number) => SHARES.indexOf(percent as (typeof SHARES)[number]);

const anyone = (random: Draw) => random.below(16);

/** Orders of several accounts on both sides of a market. */
function ladder(random: Draw, market: number, count: number): Gene[] {
  return Array.from({ length: count }, () =>
    order({
      actor: anyone(random),
      market,
      side: random.below(2) as 0 | 1,
      at: "near",
      away: random.below(1000),
      size: "few",
      more: random.below(20),
    }),
  );
}

/** A position for an account at so much of what it can carry, against whoever quotes. */
function enter(random: Draw, actor: number, market: number, side: 0 | 1): Gene[] {
  const counter = actor + 1 + random.below(3);
  const more = random.below(8);
  return [
    order({ actor: counter, market, side: (1 - side) as 0 | 1, at: "mark", size: "share", more }),
    order({ actor, market, side, at: "touch", size: random.pick(["share", "touch", "margin"] as const), more }),
  ];
}

const RECIPES = {
  /** Depth for what follows. */
  depth: (random) => [...ladder(random, random.below(3), random.between(10, 30)), block()],

  /** One actor on both sides, with every way to prevent it. */
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

  /** Profit is taken out to the last unit while the price is high, then it falls. */
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

  /** Somebody's funding is settled in every block by a unit that he gets. */
  settledVictim(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    return [
      ...enter(random, actor, market, random.below(2) as 0 | 1),
      block(),
      ...repeat(random.between(4, 12), () => [
        order({ actor, market, side: 0, at: "mark", size: "least" }),
        order({ actor: actor + 1, market, side: 1, at: "touch", size: "least" }),
        block(random.pick([undefined, 0]), market),
      ]),
    ];
  },

  /** A thin market is pumped, and what it seems to be worth is used elsewhere. */
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
      order({ actor, market: market + 1, side: 0, at: "touch", size: "margin", beside: random.below(3) }),
      writeGene("withdraw", { actor, payload: [4, 0, random.below(3)] }),
      block(),
      ...march(random, market, DOWN, random.between(4, 10)),
    ];
  },

  /** Everybody is long to the hilt, and the price falls in every block, or goes to whoever is next. */
  cascade(random) {
    const market = random.below(3);
    const hilt = () => random.pick([97, 100, 60]);
    return [
      ...repeat(random.between(2, 6), (place) => [
        order({ actor: 2 * place + 1, market, side: 1, at: "mark", size: "share", more: shareOf(hilt()) }),
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

  /** The oracle says nothing for long, then that all is different. */
  stallThenJump(random) {
    const market = random.below(3);
    return [
      ...enter(random, anyone(random), market, random.below(2) as 0 | 1),
      block(),
      ...repeat(random.between(1, 4), () => [
        writeGene(random.pick(["block", "gap"] as const), { payload: [random.below(6)] }),
        order({ actor: anyone(random), market, side: 0, at: "touch", size: "few" }),
      ]),
      price(market, "jump", random.below(9)),
      order({ actor: anyone(random), market, side: 1, at: "touch", size: "share" }),
      block(),
      ...repeat(3, () => [price(market, "still"), block()]),
    ];
  },

  /** An account is liquidated into quotes of its own other half. */
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

  /** A book with one side holds the premium at its cap over funding instants. */
  fundingSqueeze(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    return [
      ...enter(random, actor, market, side),
      ...repeat(3, () => [
        order({ actor: actor + 2, market, side, at: "near", away: random.below(50), size: "share" }),
      ]),
      order({ actor: actor + 3, market, side, at: side === 0 ? "bandHigh" : "bandLow", size: "share" }),
      ...repeat(random.between(3, 10), () => [block(0, market), price(market, "still")]),
    ];
  },

  /** Mode, leverage and margin change around an instant and a price. */
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

  /** A batch that is all or nothing, with legs that fail behind legs that trade. */
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

  /** A grant is revoked between two things that its agent does, with orders and intents of his about. */
  revokedInFlight(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const byAgent = () =>
      random.chance(1, 3)
        ? writeGene("placeIntent", { actor, market, header: BY_AGENT, payload: [0, random.below(8)] })
        : order({
            actor,
            market,
            side: random.below(2) as 0 | 1,
            at: "near",
            away: random.below(500),
            size: "few",
            header: BY_AGENT,
          });
    const limits = Array.from({ length: 4 }, () => random.pick([0, 0, 0, 4, 5]));
    return [
      writeGene("grantAuthorization", {
        actor,
        payload: [0, random.pick([0, 0, 2, 3]), 0, 0, ...limits, 0, random.pick([0, 0, 3])],
      }),
      block(),
      ...repeat(random.between(2, 4), () => [byAgent()]),
      ...random.pick([[], [block()], [block(5)]]),
      writeGene("revokeAuthorization", {
        actor,
        header: random.pick([0, BY_AGENT]),
        payload: [0, 0, 0, random.below(2)],
      }),
      byAgent(),
      block(),
      byAgent(),
      block(),
    ];
  },

  /** A grant's limit of a day is used up to the unit, and asked for more. */
  exhaustedGrant(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const spend = (side: 0 | 1, beside: number) =>
      order({ actor, market, side, at: "mark", size: "worth", more: 0, beside, header: BY_AGENT });
    return [
      writeGene("grantAuthorization", { actor, payload: [0, 2, 0, 0, 0, 0, 4, 0, 0, random.pick([0, 3])] }),
      block(),
      spend(0, random.pick([0, 0, 1, 2])),
      ...random.pick([[], [block()]]),
      spend(1, 0),
      block(random.pick([undefined, 8])),
      spend(1, 0),
      block(),
    ];
  },

  /** Nobody quotes, nothing is insured, and the price goes where somebody cannot pay. */
  nobodyQuotes(random) {
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
        writeGene("withdraw", { actor: anyone(random), payload: [0, random.below(40)] }),
        block(),
      ]),
    ];
  },

  /** Many take out what they may, hour after hour. */
  runOnTheVenue: (random) =>
    repeat(random.between(4, 12), () => [
      writeGene("withdraw", {
        actor: anyone(random),
        payload: [random.pick([0, 3, 4]), random.below(60), random.below(3)],
      }),
      writeGene("withdraw", { actor: anyone(random), payload: [4, 0, random.below(3)] }),
      block(random.pick([undefined, 7, 8])),
    ]),

  /** Orders end at the very block in which they would trade. */
  lastMoment(random) {
    const market = random.below(3);
    return repeat(random.between(2, 6), () => [
      order({ actor: anyone(random), market, side: 0, at: "mark", size: "few", life: 5 }),
      block(),
      order({ actor: anyone(random), market, side: 1, at: "touch", size: "touch", life: random.pick([0, 6, 7]) }),
      block(random.pick([undefined, 3]), market),
    ]);
  },

  /** The same messages again, out of order, too late, and across a crash. */
  replayed(random) {
    const market = random.below(3);
    return repeat(random.between(3, 8), () => [
      order({
        actor: random.below(2),
        market,
        side: random.below(2) as 0 | 1,
        at: "near",
        away: random.below(100),
        size: "few",
      }),
      writeGene("withdraw", { actor: random.below(2), payload: [0, random.below(40)] }),
      writeGene(random.pick(["duplicate", "delay", "reorder", "duplicate", "crash"] as const), {
        payload: [random.below(2), random.below(8)],
      }),
      ...random.pick([[], [block()]]),
    ]);
  },

  /** A market ends with positions in it, near its price or where somebody cannot pay. */
  lastDay(random) {
    const market = random.below(3);
    return [
      ...repeat(random.between(1, 3), (place) => enter(random, 2 * place, market, random.below(2) as 0 | 1)),
      block(),
      writeGene("settleMarket", { market, payload: [2, 0] }),
      block(),
      writeGene("settleMarket", { market, payload: [0, random.below(7)] }),
      block(),
      writeGene("createMarket"),
      block(),
    ];
  },

  /** Accounts alike to the unit, so that rankings and queues have ties, and a price at which some of them fall. */
  twins(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const [count, more] = [random.between(2, 4), random.below(8)];
    return [
      ...repeat(count, (place) => [
        order({ actor: 2 * place, market, side, at: "mark", size: "share", more }),
        order({ actor: 2 * place + 1, market, side: (1 - side) as 0 | 1, at: "mark", size: "share", more }),
      ]),
      ...repeat(2 * count, (place) => [writeGene("cancelAll", { actor: place })]),
      block(),
      random.pick([price(market, "jump", side === 0 ? 4 : 5), price(market, "trigger", 1, random.below(3))]),
      block(),
      ...repeat(random.between(2, 6), () => [price(market, "still"), block()]),
    ];
  },

  /** Volume that just reaches a tier of fees, or just does not, and a trade on the day after. */
  volumeEdge(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const trade = (size: "worth" | "few", beside: number) => [
      order({ actor, market, side: 1, at: "mark", size, beside }),
      order({ actor: actor + 1, market, side: 0, at: "mark", size, beside }),
      block(),
    ];
    return [
      ...trade("worth", random.pick([0, 0, 1, 2])),
      writeGene("gap", { payload: [4] }),
      price(market, "still"),
      block(),
      ...trade("few", 0),
    ];
  },

  /** Orders of one price queue, one is amended, and somebody takes from the front. */
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

  /** Reduce-only orders crowd on a position that shrinks, closes and turns under them. */
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
      // The account's own plain order is met from outside, or meets what is there.
      order({ actor, market, side: other, at: "improve", size: "position", more: random.below(4) }),
      block(),
      order({ actor: actor + 1, market, side, at: "touch", size: "touch", more: random.below(4) }),
      block(),
    ];
  },

  /** A batch meets orders of its own account, and is undone by its last leg. */
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

  /** Everybody keeps each position for itself. */
  allIsolated: (random) => [
    ...repeat(random.between(2, 12), () => [
      writeGene("setMarginMode", { actor: anyone(random), market: random.below(3), payload: [1] }),
    ]),
    block(),
  ],

  /** Stops, brackets and slices, with their triggers on the price to the unit. */
  crowdedTriggers(random) {
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

export type Shape = keyof typeof RECIPES;
export const SHAPES = Object.keys(RECIPES) as Shape[];

/** Genes of a shape, drawn. */
export function drawShape(random: Draw, shape: Shape): readonly Gene[] {
  return (RECIPES[shape] as Recipe)(random);
}
