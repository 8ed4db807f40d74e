/**
 * Recipes in which a second contributor decides a limit or a sum: another market, another subaccount, another day
 * (`feedback/contributors.ts`). Sums that other recipes reach have none here.
 */
import type { Draw } from "../../../ground/math/draw.ts";
import { SIBLING } from "../genes/authorities.ts";
import { writeLeg } from "../genes/batchLegs.ts";
import { BRIEF } from "../genes/orders.ts";
import { newest } from "../genes/references.ts";
import { AT_OWNER, CAPPED, FUND_CAPS } from "../genes/updates.ts";
import { BY_LIVE_AGENT, block, type Gene, order, price, writeGene } from "./gene.ts";
import { anyone, newcomers, type Recipe, repeat, shareOf } from "./recipe.ts";
import { change, clear, gap, idle, jump, pair, pause, plain, resume, still, VAST } from "./worldShapes.ts";

/** Another market with its price. */
export const anotherMarket = () => [writeGene("createMarket"), block(), writeGene("block", { payload: [0, 7] })];

/** Credits another subaccount of the first owner, whose first account has the row 0. */
const subaccount = (amount: number) => writeGene("deposit", { payload: [STRANGER_OF_FIRST, amount] });
const STRANGER_OF_FIRST = 7 + 8 * 2;
const FIRST = 0;
/** Credits further subaccounts of an actor's owner. */
const siblings = (actor: number, count: number, amount: number) =>
  repeat(count, (place) => [writeGene("deposit", { actor, payload: [SIBLING + place, amount] })]);
/** The account that was created last: rich, on the other side of every position. */
const MAKER = newest(0);

/** Indices of limits of a grant: values of 500 and 5,000 USD, counts of 1, 2 and 3 orders, and no limit. */
const VALUE = { none: 0, few: 4, more: 5 } as const;
const COUNT = { none: 0, one: 2, two: 6, three: 3 } as const;
/** A grant that lasts longer than a day. */
const LASTS_DAYS = 2;

/** A grant of the first owner in all markets and subaccounts. */
function grant(position: number, day: number, orders: number): Gene {
  return writeGene("grantAuthorization", { payload: [0, 0, 0, 0, VALUE.none, position, day, orders, 0, LASTS_DAYS] });
}

/** Sizes by value: 500 and 10 USD. */
const WORTH = { most: 0, part: 4 } as const;

function byAgent(actor: number, market: number, worth: keyof typeof WORTH): Gene {
  return order({ actor, market, side: 0, at: "mark", size: "worth", more: WORTH[worth], header: BY_LIVE_AGENT });
}

/** An agent's orders that are all or nothing: some that it may place, and one that no account may. */
function undoneBatch(random: Draw, market: number): Gene {
  const rests = () => writeLeg({ side: 0, at: random.pick(["join", "near", "mark"] as const), size: "least" });
  const legs = [...Array.from({ length: random.between(1, 3) }, rests), writeLeg({ side: 0, size: "off" })];
  const payload = [BRIEF, legs.length - 1, ...legs];
  return writeGene("placeOrders", { actor: FIRST, market, header: BY_LIVE_AGENT, payload });
}

/** Sets the caps of the fund in a market: one of them small. */
const cap = (market: number, which: (typeof FUND_CAPS)[number]) =>
  writeGene("updateMarket", { market, payload: [CAPPED, FUND_CAPS.indexOf(which)] });

/** The price moves while liquidations are paused, then every account of a side is due at once. */
function fall(random: Draw, market: number, side: 0 | 1): Gene[] {
  return [
    ...clear(),
    writeGene("cancelAll", { actor: MAKER }),
    pause(market),
    price(market, "jump", side === 0 ? random.pick([4, 6]) : random.pick([5, 7])),
    ...idle(random.pick([8, 12, 16, 24])),
    // Offers beyond the bankruptcy price, which only the fund can take. Orders that add are refused meanwhile.
    order({ actor: MAKER, market, side, at: "mark", size: "position", reduceOnly: true }),
    block(),
    resume(market),
    ...idle(2),
  ];
}

export const contributorShapes = {
  /**
   * An agent reaches a limit of its grant by orders in two markets and for two subaccounts, and on a second day after a
   * batch that is undone.
   */
  agentOfManyMarkets(random) {
    const market = random.below(3);
    const places = () => [
      byAgent(FIRST, market + 1, "part"),
      byAgent(newest(0), market, "part"),
      byAgent(FIRST, market, "part"),
    ];
    const limit = random.pick(["orders", "day", "position"] as const);
    const limits = {
      orders: () => grant(VALUE.none, VALUE.none, random.pick([COUNT.one, COUNT.two])),
      day: () => grant(VALUE.none, VALUE.few, COUNT.none),
      position: () => grant(VALUE.few, VALUE.none, COUNT.none),
    } as const;
    return [
      writeGene("revokeAuthorization", { payload: [1] }),
      ...anotherMarket(),
      subaccount(1),
      block(),
      limits[limit](),
      still(market),
      still(market + 1),
      block(),
      ...repeat(random.between(1, 2), places),
      block(),
      ...repeat(2, () => [byAgent(random.pick([FIRST, newest(0)]), market, "most"), block()]),
      ...(limit === "day"
        ? repeat(2, () => [
            gap(86_400_000),
            still(market),
            block(),
            // What is undone uses nothing of the day.
            undoneBatch(random, market),
            byAgent(FIRST, market, "most"),
            block(),
          ])
        : []),
    ];
  },

  /**
   * The fund pays deficits of several accounts, of two subaccounts of an owner and in two markets, until one of its
   * caps binds; in one block, in several, and on two days.
   */
  cappedFund(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const which = random.pick([...FUND_CAPS, "account", "owner"] as const);
    const both = [market, market + 1];
    // The share of a market counts what the fund has paid in the other one. Deficits exceed it only in a small fund.
    const isShare = which === "market" || which === "share";
    const markets = which === "account" || isShare ? both : random.pick([[market], both]);
    const amount = random.pick([0, 3]);
    // The account that was created last trades with all; before it come two subaccounts, their first, and a stranger.
    const family = [newest(1), newest(2), newest(3)];
    const isOwner = which === "owner" || random.chance(1, 3);
    const debtors = isOwner ? family.slice(0, random.between(2, 3)) : [newest(3), newest(4), FIRST];
    const round = (at: number) => [
      still(at),
      block(),
      ...debtors.flatMap((actor) => [
        writeGene("deposit", { actor, payload: [0, amount] }),
        ...pair(actor, MAKER, at, side, random.pick([60, 60, 30] as const)),
        block(),
      ]),
      ...fall(random, at, side),
    ];
    return [
      ...(markets.length > 1 ? anotherMarket() : []),
      ...newcomers(2, amount),
      block(),
      ...siblings(newest(0), 2, amount),
      ...newcomers(1, VAST),
      writeGene("fundInsurance", { payload: [isShare ? 3 : random.pick([0, 1])] }),
      block(),
      ...markets.flatMap((at) => plain(random, at)),
      block(),
      ...markets.map((at) => cap(at, which)),
      block(),
      ...markets.flatMap(round),
      ...random.pick([[], [gap(86_400_000)]]),
      ...round(market),
    ];
  },

  /**
   * Three or four subaccounts of an owner hold positions in a market whose position limit is their sum, or a lot next
   * to it. Then they order more.
   */
  ownerOfMany(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const other = (1 - side) as 0 | 1;
    const count = random.between(2, 3);
    const family = Array.from({ length: count + 1 }, (_, place) => newest(place));
    const maker = newest(count + 1);
    const near = () => random.pick([0, 0, 1, 2]);
    const share = { size: "share", more: shareOf(30) } as const;
    return [
      ...newcomers(1, VAST),
      block(),
      ...newcomers(1, random.between(1, 2)),
      block(),
      ...siblings(newest(0), count, random.between(1, 2)),
      ...plain(random, market),
      still(market),
      block(),
      ...family.flatMap((actor) => [
        ...pair(actor, maker, market, random.chance(5, 6) ? side : other, random.pick([5, 10, 30] as const)),
        block(),
      ]),
      order({ actor: maker, market, side: other, at: "mark", ...share }),
      writeGene("updateMarket", { actor: random.pick(family), market, payload: [AT_OWNER, 0, near()] }),
      block(),
      ...repeat(random.between(2, 4), () => [
        order({
          actor: random.pick(family),
          market,
          side,
          at: random.pick(["touch", "mark"] as const),
          size: random.pick(["few", "least"] as const),
          more: random.below(6),
          life: random.pick([0, 6]),
        }),
        block(),
      ]),
    ];
  },

  /** A market settles while accounts that it leaves negative have a position in another market. */
  settledOfTwo(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const count = random.between(2, 3);
    return [
      ...anotherMarket(),
      ...newcomers(count, 3),
      block(),
      ...repeat(count, (place) => [
        ...pair(newest(place), anyone(random), market + 1, random.below(2) as 0 | 1, random.pick([10, 30] as const)),
        block(),
        ...pair(newest(place), anyone(random), market, side, 60),
        block(),
      ]),
      still(market),
      still(market + 1),
      writeGene("settleMarket", { market, payload: [2, 0] }),
      block(),
      still(market),
      writeGene("settleMarket", { market, payload: [0, side === 0 ? 4 : 5] }),
      block(),
      ...idle(2),
    ];
  },

  /** Several small deficits in one block: their sum pauses withdrawals, although none of them would. */
  smallDeficits(random) {
    const [market, side] = [random.below(3), random.below(2) as 0 | 1];
    const count = random.between(3, 7);
    const debtors = Array.from({ length: count }, (_, place) => newest(1 + place));
    return [
      ...plain(random, market),
      block(),
      // Its close at the mark of the block before leaves a deficit.
      change(market, "liquidationPolicy", "hyperliquid"),
      ...newcomers(count, 3),
      block(),
      ...newcomers(1, VAST),
      still(market),
      block(),
      ...debtors.flatMap((actor) => [...pair(actor, MAKER, market, side, random.pick([97, 97, 60] as const)), block()]),
      ...clear(),
      writeGene("cancelAll", { actor: MAKER }),
      pause(market),
      jump(random, market, side === 0),
      ...idle(random.between(3, 7)),
      resume(market),
      block(),
      ...repeat(2, () => [writeGene("withdraw", { actor: anyone(random), payload: [0, random.below(40)] }), block()]),
    ];
  },
} as const satisfies Readonly<Record<string, Recipe>>;
