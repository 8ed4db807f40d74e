/** Recipes of losses and liquidations in which holders, markets or margin accounts are unlike each other. */
import { NEWCOMER } from "../genes/authorities.ts";
import { BACKSTOP, newest } from "../genes/references.ts";
import { HIGH_FEE } from "../genes/updates.ts";
import { anotherMarket } from "./contributorShapes.ts";
import { block, type Gene, order, price, writeGene } from "./gene.ts";
import { DOWN, march, type Recipe, repeat, shareOf, UP } from "./recipe.ts";
import {
  change,
  clear,
  idle,
  jump,
  pair,
  pause,
  payLargeFees,
  plain,
  recoverInQueue,
  resume,
  still,
  VAST,
} from "./worldShapes.ts";

/** New accounts in this order, each with an amount by its index. */
const accounts = (amounts: readonly number[]): Gene[] =>
  amounts.map((amount, place) => writeGene("deposit", { payload: [NEWCOMER + 16 * place, amount] }));
/** Indices of 50, 100, 500, 1,000 and 2,000 USD. */
const USD = { 50: 3, 100: 0, 500: 6, 1000: 1, 2000: 2 } as const;
const cancelAll = (actor: number) => writeGene("cancelAll", { actor });
const withdrawFree = (actor: number) => writeGene("withdraw", { actor, payload: [4] });

export const liquidationShapes = {
  /**
   * Holders of one side entered at different prices with different leverage. The account on the other side cannot pay,
   * and no account quotes.
   */
  unlikeHolders(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    const count = random.between(3, 5);
    const [loser, ...holders] = Array.from({ length: count + 1 }, (_, place) => newest(place));
    const way = random.pick([UP, DOWN]);
    const balances = holders.map(() => random.pick([USD[50], USD[100], USD[100], USD[500]]));
    return [
      ...accounts([...balances, random.pick([USD[100], USD[500], USD[500], USD[1000]])]),
      ...plain(random, market),
      still(market),
      ...clear(),
      block(),
      ...holders.flatMap((actor) => [
        order({
          actor,
          market,
          side: other,
          at: "mark",
          size: "share",
          more: shareOf(random.pick([97, 60, 60, 30, 30] as const)),
        }),
        block(),
        order({ actor: loser!, market, side, at: "touch", size: "touch" }),
        block(),
        ...march(random, market, way, random.between(0, 4)),
      ]),
      withdrawFree(loser!),
      ...clear(),
      ...[loser!, ...holders].map(cancelAll),
      pause(market),
      price(market, "jump", side === 0 ? 6 : random.pick([5, 7])),
      ...idle(random.between(6, 14)),
      resume(market),
      ...idle(2),
    ];
  },

  /** A backstop whose margin is used in another market is offered more than it can carry. */
  backstopOfTwo(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const [victim, maker] = [newest(0), newest(1)];
    const bad = side === 0 ? DOWN : UP;
    const elsewhere = market + 1;
    return [
      ...anotherMarket(),
      ...accounts([VAST, random.pick([USD[2000], USD[2000], USD[1000]])]),
      ...plain(random, market),
      still(market),
      still(elsewhere),
      ...random.pick<readonly Gene[]>([[], [], [withdrawFree(BACKSTOP)]]),
      block(),
      ...pair(BACKSTOP, maker, elsewhere, random.below(2) as 0 | 1, random.pick([97, 97, 60] as const)),
      block(),
      cancelAll(maker),
      ...pair(victim, maker, market, side, random.pick([97, 100, 60] as const)),
      block(),
      ...clear(),
      cancelAll(maker),
      cancelAll(victim),
      ...march(random, market, bad, random.between(1, 4)),
      ...repeat(random.between(1, 3), () => [
        random.pick([
          price(market, "trigger", 1 + 2 * random.below(6), random.below(3)),
          price(market, "clamp", bad, 0),
        ]),
        block(),
      ]),
    ];
  },

  /**
   * An account with positions in two markets, each against a holder of its own, cannot pay. The holders of both share
   * its deficit.
   */
  lossOfTwo(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const both = [market, market + 1];
    const [loser, ...holders] = [newest(0), newest(1), newest(2)];
    return [
      ...anotherMarket(),
      ...both.flatMap((at) => plain(random, at)),
      block(),
      // Its close at the mark of the block before leaves a deficit, and the fund pays nothing of it.
      ...both.map((at) => change(at, "liquidationPolicy", "hyperliquid")),
      ...accounts([VAST, VAST, random.pick([USD[50], USD[100], USD[500]])]),
      ...both.map(still),
      block(),
      ...both.flatMap((at, place) => [
        ...pair(loser!, holders[place]!, at, side, random.pick([60, 30] as const)),
        block(),
      ]),
      ...clear(),
      ...holders.map(cancelAll),
      ...both.map(pause),
      ...both.map((at) => jump(random, at, side === 0)),
      ...idle(random.between(3, 7)),
      ...both.map(resume),
      ...idle(2),
    ];
  },

  /** As `recoveredInQueue`, in a market that is mostly plain: fewer of its orders are refused. */
  recoveredWhenPlain(random) {
    const market = random.below(3);
    return [...plain(random, market), still(market), ...recoverInQueue(random, market)];
  },

  /** As `largeFees`, with a rate at which doubles round many products of value and rate to another fee. */
  highFees(random) {
    const market = random.below(3);
    return payLargeFees(random, market, [writeGene("updateMarket", { market, payload: [HIGH_FEE] })]);
  },

  /**
   * An account has orders in a market with isolated margin, which reserve its cross collateral. Its cross position in
   * another market is liquidated.
   */
  ordersOfIsolated(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const [actor, maker] = [newest(0), newest(1)];
    const bad = side === 0 ? DOWN : UP;
    const apart = market + 1;
    const rests = () =>
      order({
        actor,
        market: apart,
        side: random.below(2) as 0 | 1,
        at: "near",
        away: 20 + random.below(300),
        size: random.pick(["few", "share", "share"] as const),
        more: random.below(3),
        reduceOnly: random.chance(1, 6),
      });
    return [
      ...anotherMarket(),
      ...accounts([VAST, random.pick([USD[1000], USD[100], USD[2000]])]),
      ...plain(random, market),
      still(market),
      still(apart),
      block(),
      writeGene("setMarginMode", { actor, market: apart, payload: [1] }),
      block(),
      ...random.pick<readonly Gene[]>([
        [],
        [...pair(actor, maker, apart, random.below(2) as 0 | 1, random.pick([5, 10] as const)), block()],
      ]),
      cancelAll(maker),
      ...repeat(random.between(1, 3), () => [rests()]),
      block(),
      ...pair(actor, maker, market, side, random.pick([97, 60, 30] as const)),
      block(),
      cancelAll(maker),
      ...march(random, market, bad, random.between(1, 4)),
      ...repeat(random.between(1, 3), () => [
        price(market, "trigger", 1 + 2 * random.below(6), random.below(3)),
        block(),
      ]),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;
