/** Recipes with agents that exceed their grants. */
import type { Draw } from "../../../ground/math/draw.ts";
import { NEAR_PRICE, NEAR_PRICE_KINDS, REPAIRED } from "../genes/intents.ts";
import { BY_AGENT, BY_LIVE_AGENT, block, type Gene, order, writeGene } from "./gene.ts";
import { anyone, enter, type Recipe, repeat, secondMarket } from "./recipe.ts";

/** Positions in the lists of markets and scopes, and in the ways to name an order. */
const OWN = 2;
const SCOPE = { all: 0, trade: 2, reduce: 7, tradeReduce: 10 } as const;
const BY_ID = 0;
const BY_NAME = 26;
/** A market that does not exist. */
const NOWHERE = 0xff00;

/** A grant for a market, with the choices of its limits: order, position, day, open orders. */
function grant(random: Draw, actor: number, market: number, scope: number, limits: readonly number[]): Gene {
  return writeGene("grantAuthorization", { actor, market, payload: [8 * random.below(3), scope, OWN, 0, ...limits] });
}

/** An intent of an account, with or without a client id. */
function intent(actor: number, market: number, header: number, random: Draw): Gene {
  const kind = random.pick(["stop", "takeProfit", "oco"] as const);
  const how = (random.below(4) << 9) + 7;
  const payload = [NEAR_PRICE + REPAIRED, NEAR_PRICE_KINDS.indexOf(kind), how, 2, 0, 7 << 4, 7 << 4];
  return writeGene("placeIntent", { actor, market, header, payload });
}

/** Any action that an agent may be granted, on a market or on its orders and positions, by id or by name. */
function act(random: Draw, actor: number, market: number): Gene {
  const header = random.chance(7, 8) ? BY_LIVE_AGENT : BY_AGENT;
  const named = [random.pick([BY_ID, BY_NAME]), random.below(6)];
  const gene = (operation: Parameters<typeof writeGene>[0], payload: readonly number[] = []) =>
    writeGene(operation, { actor, market, header, payload });
  const side = random.below(2) as 0 | 1;
  return random.pick([
    () => order({ actor, market, side, at: "near", away: random.below(300), size: "few", header }),
    () => order({ actor, market, side, at: "touch", size: "position", reduceOnly: true, header }),
    () => gene("placeOrders", [random.below(2), random.below(4), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    () => gene("amendOrder", [...named, 0, 0, 0, 0, random.below(6)]),
    () => gene("amendOrder", [...named, 1, random.below(48), random.below(99), 0, random.below(6)]),
    () => gene("cancelOrder", named),
    () => gene("cancelOrders", [random.between(1, 4), ...named, random.pick([BY_ID, BY_NAME]), random.below(6)]),
    () => gene("cancelAll", [random.below(2), random.below(2)]),
    () => gene("closePosition", [random.below(7)]),
    () => gene("setLeverage", [0, random.below(50)]),
    () => gene("setMarginMode", [random.below(2)]),
    () => gene("adjustIsolatedMargin", [0, random.below(2), 0, 0, random.below(40)]),
    () => intent(actor, market, header, random),
    () => gene("cancelIntent", [16 * random.below(4) + random.pick([0, 5, 7])]),
    () => gene("scheduleCancel", [random.below(12)]),
    () => gene("revokeAuthorization", [16 * random.below(4), 0, 0, random.below(2)]),
    () => gene("noop"),
    () => gene("transfer", [5, 0, random.below(40)]),
  ])();
}

export const agentShapes = {
  /** An agent bound to one market names orders of another market, by id and by name, and orders that do not exist. */
  boundAgent(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const both = [market, market + 1];
    const named = (at: number, name: number) => [
      order({ actor, market: at, side: 0, at: "near", away: 40 + random.below(200), size: "few", more: name, name }),
      intent(actor, at, 0, random),
    ];
    return [
      ...secondMarket(random),
      ...random.pick<readonly Gene[]>([[], enter(random, actor, market + 1, random.below(2) as 0 | 1)]),
      ...both.flatMap((at, place) => [...named(at, 1 + place), ...named(at, 0)]),
      grant(random, actor, market, random.pick([0, 0, 2, 3, 4, 6, 7]), []),
      ...random.pick<readonly Gene[]>([[], [grant(random, actor, market + 1, SCOPE.all, [])]]),
      block(),
      ...repeat(random.between(6, 14), () => [
        act(random, actor, random.pick([market + 1, market + 1, market + 1, market, NOWHERE])),
        ...random.pick<readonly Gene[]>([[], [], [block()]]),
      ]),
      block(),
    ];
  },

  /** An agent places and amends orders at each limit of its grant, one unit above it, and in parts. */
  agentAtLimits(random) {
    const [actor, market] = [anyone(random), random.below(3)];
    const limits = [0, 0, 0, 0].map((_, place) => (random.chance(1, 2) ? 0 : place === 3 ? random.pick([2, 3]) : 4));
    const worth = (more: number) =>
      order({
        actor,
        market,
        side: random.below(2) as 0 | 1,
        at: random.pick(["mark", "near", "join"] as const),
        away: random.below(50),
        size: "worth",
        more,
        near: random.pick([0, 0, 1, 2]),
        header: BY_LIVE_AGENT,
      });
    const amend = () =>
      writeGene("amendOrder", {
        actor,
        header: BY_LIVE_AGENT,
        payload: [BY_ID, random.below(3), random.below(2), 4, random.below(99), 0, random.below(7), random.below(3)],
      });
    return [
      grant(random, actor, market, random.pick([SCOPE.all, SCOPE.trade, SCOPE.tradeReduce]), limits),
      block(),
      ...repeat(random.between(3, 7), () => [
        random.pick([() => worth(random.pick([0, 0, 4])), amend, amend])(),
        ...random.pick<readonly Gene[]>([[], [block()]]),
      ]),
      block(),
    ];
  },

  /** An agent that may only trade, or only reduce, closes a position in every possible way. */
  agentCloses(random) {
    const [actor, market, side] = [anyone(random), random.below(3), random.below(2) as 0 | 1];
    const header = BY_LIVE_AGENT;
    const other = (1 - side) as 0 | 1;
    const closes = () =>
      random.pick([
        () => writeGene("closePosition", { actor, market, header, payload: [random.below(7)] }),
        () => order({ actor, market, side: other, at: "touch", size: "position", reduceOnly: true, header }),
        () => order({ actor, market, side: other, at: "near", size: "position", more: 1, reduceOnly: true, header }),
        () => order({ actor, market, side: other, at: "touch", size: "position", header }),
        () => intent(actor, market, header, random),
        () => writeGene("amendOrder", { actor, header, payload: [0, 0, 0, 0, 0, 0, random.below(6)] }),
        () => writeGene("cancelOrder", { actor, header }),
      ])();
    return [
      ...enter(random, actor, market, side),
      grant(random, actor, market, random.pick([SCOPE.trade, SCOPE.reduce, 3, 4, 6]), [
        0,
        random.pick([0, 4, 3]),
        0,
        0,
      ]),
      block(),
      order({ actor: actor + 1, market, side, at: "near", away: 5, size: "share", more: 0 }),
      block(),
      ...repeat(random.between(3, 6), () => [closes(), ...random.pick<readonly Gene[]>([[], [block()]])]),
      block(),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;
