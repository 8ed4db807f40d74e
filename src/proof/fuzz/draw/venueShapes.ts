/** Recipes around the venue: prices that stall, funding, grants, replays, ends of markets. */
import { BY_AGENT, block, order, price, writeGene } from "./gene.ts";
import { anyone, enter, type Recipe, repeat } from "./recipe.ts";

export const venueShapes = {
  /** A fill of one unit settles an account's funding in every block. */
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

  /** The oracle is silent for long, then reports a large move. */
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

  /** A one-sided book holds the premium at its cap over several funding instants. */
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

  /** A grant is revoked between two actions of its agent, whose orders and intents are open. */
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

  /** The daily limit of a grant is used up to the unit, and exceeded. */
  exhaustedGrant(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const spend = (side: 0 | 1, near: number) =>
      order({ actor, market, side, at: "mark", size: "worth", more: 0, near, header: BY_AGENT });
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

  /** The same transactions again: out of order, too late, and across a restart. */
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

  /** A market with open positions ends, near its price or where an account cannot pay. */
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
} as const satisfies Readonly<Record<string, Recipe>>;
