/** System transactions of a generated block: prices, collateral, markets, and history through the house. */

import type { Draw } from "../../ground/math/draw.ts";
import { LIMIT } from "../../ground/math/fixed.ts";
import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../protocol/houseSteps.ts";
import type { MarketParameters, Source } from "../../protocol/parameters.ts";
import { ZERO_ADDRESS } from "../../protocol/transaction.ts";
import { DEVNET_TARGETS, FUNDING_METHOD, MARK_METHOD, MARKET_STATUS, MARKET_STATUSES } from "../../protocol/words.ts";
import { TICKS_MOST } from "../../venue/engine/handler/grid.ts";
import type { MarketRow } from "../../venue/engine/state/schema.ts";
import { drawMarket, type FlowMarket, type FlowProfile } from "./flowProfile.ts";
import type { FlowScene } from "./flowScene.ts";

/** An action without its header. */
export interface Drawn<A extends ActionName = ActionName> {
  readonly action: A;
  readonly payload: Payloads[A];
}

export const draw = <A extends ActionName>(action: A, payload: object): Drawn => ({
  action,
  payload: payload as Payloads[A],
});

/** Prices of the outside world; the venue gets them through the oracle. */
export interface FlowPrice {
  readonly market: FlowMarket;
  price: number;
}

export const MARKETS_MOST = 5;
/** Replacements for any number of a house flow: beyond every bound, or exactly on it. */
const STEP_EDGES = [-1, 0.5, 9, 0, 2, 4, 5, TICKS_MOST, TICKS_MOST + 1, LIMIT, LIMIT + 1, Number.NaN] as const;
const FAULTY_PARAMETERS = [
  { name: "tickSize", value: "0" },
  { name: "unknown", value: "0" },
  { name: "tier3", value: "0" },
  { name: "status", value: "halted" },
] as const;
const PAUSES = ["pauseTrade", "pauseLiquidate", "pauseFund", "pauseWithdraw"] as const;

/** Moves the outside prices by one block and reports most of them. */
export function drawOracle(
  random: Draw,
  profile: FlowProfile,
  scene: FlowScene,
  prices: readonly FlowPrice[],
): Drawn[] {
  const drawn: Drawn[] = [];
  const crash = random.chance(profile.crashes, 1000);
  for (const path of prices) {
    movePrice(random, path, crash || random.chance(path.market.jumps, 1000));
    if (random.chance(1, 5)) continue;
    const { market, price } = path;
    const row = scene.state.marketRows.get(market.name);
    const rules = row === undefined ? undefined : scene.state.parameters[row]!;
    const takesMark = rules?.markMethod === MARK_METHOD.median || rules?.markMethod === MARK_METHOD.reported;
    const feedsMark = market.reported ? random.chance(9, 10) : random.chance(takesMark ? 6 : 1, 60);
    const mark = feedsMark ? Math.max(1, price + Math.floor((price * random.between(-4_000, 4_000)) / 1e6)) : 0;
    const settles = row !== undefined && random.chance(paysReported(rules) ? 9 : 1, 60);
    const rate = random.pick([0, 1_000, 100_000, 1_000_000, 20_000_000]) * random.pick([-1, 1]);
    const sources = rules === undefined ? [] : drawSources(random, profile, rules.sources, price, scene.state.timeMs);
    const plain = sources.length === 0 ? price : 0;
    drawn.push(
      draw("oracleUpdate", { ...oraclePayload(market.name, plain, mark, settles ? rate : 0, settles), sources }),
    );
  }
  if (!random.chance(profile.faults, 100)) return drawn;
  const name = random.pick(["NONE-PERP", ...scene.state.marketNames]);
  const price = random.pick([0, 0, 1, 9e15]);
  const settles = random.chance(1, 2);
  drawn.push(draw("oracleUpdate", oraclePayload(name, price === 1 ? 0 : price, 0, settles ? 9e15 : 0, settles)));
  return drawn;
}

const paysReported = (rules: MarketParameters | undefined): boolean => rules?.fundingMethod === FUNDING_METHOD.reported;

/** Reports of some of a market's sources: close together or not, certain or not, rarely old, wrong or unknown. */
export function drawSources(
  random: Draw,
  profile: FlowProfile,
  sources: readonly Source[],
  price: number,
  timeMs: number,
): object[] {
  const wrong = random.chance(profile.faults, 400);
  return sources
    .filter(() => random.chance(4, 5))
    .map(({ name }) => ({
      source: wrong ? "nobody" : name,
      price: random.chance(profile.faults, 1000)
        ? 0
        : Math.max(1, price + Math.floor((price * random.between(-3_000, 3_000)) / 1e6)),
      confidence: random.pick([0, 0, 0, Math.floor(price / 1000), Math.floor(price / 10)]),
      time: random.pick([0, 0, 0, timeMs, timeMs - 20_000, timeMs + 1e9]),
    }));
}

export function oraclePayload(
  market: string,
  price: number,
  mark: number,
  fundingRate: number,
  settleFunding: boolean,
): object {
  return { market, sources: [], price, mark, fundingRate: fundingRate + 0, settleFunding };
}

export function movePrice(random: Draw, path: FlowPrice, jumps: boolean): void {
  const { volatility, start } = path.market;
  const ppm = jumps
    ? random.pick([-400_000, -150_000, -80_000, 80_000, 200_000, 600_000])
    : random.between(-volatility, volatility);
  const moved = path.price + Math.floor((path.price / 1e6) * ppm);
  path.price = Math.min(Math.max(moved, Math.ceil(start / 30)), start * 30);
}

/** All other actions of the authorities. */
export function drawSystem(random: Draw, profile: FlowProfile, scene: FlowScene, prices: FlowPrice[]): Drawn[] {
  const drawn: Drawn[] = [];
  const faulty = () => random.chance(profile.faults, 100);
  if (random.chance(1, 5)) drawn.push(drawCredit(random, profile, scene, faulty()));
  if (random.chance(1, 30))
    drawn.push(draw("fundInsurance", { amount: faulty() ? 0 : random.between(1, 100_000_000) }));
  if (random.chance(1, 40)) drawn.push(drawCreation(random, scene, prices, faulty()));
  drawn.push(...drawUpdates(random, scene, faulty()));
  if (random.chance(profile.genesis.features.devnet ? 10 : 1, 100))
    drawn.push(drawOperatorTransaction(random, profile, scene, faulty()));
  if (random.chance(1, 100))
    drawn.push(drawSettlement(random, scene, random.pick(scene.state.marketNames), prices, faulty()));
  scene.state.marketNames.forEach((name, market) => {
    const settling = scene.state.parameters[market]!.status === MARKET_STATUS.settling;
    if (settling && random.chance(1, 4)) drawn.push(drawSettlement(random, scene, name, prices, faulty()));
  });
  for (let market = 0; market < scene.state.marketNames.length; market++) {
    if (random.chance(profile.houseFlow, 100))
      drawn.push(drawHouseFlow(random, profile, scene, market as MarketRow, faulty()));
  }
  return drawn;
}

export function drawCredit(random: Draw, profile: FlowProfile, scene: FlowScene, faulty: boolean): Drawn {
  const to = random.chance(4, 5) ? scene.keyOf(random.pick(scene.accounts)) : random.pick(profile.strangers);
  const amount = faulty ? random.pick([0, 9e15]) : random.between(1, 2_000_000_000);
  const payload = { to: to.address, toSubaccount: to.subaccount, amount };
  if (random.chance(1, 2)) return draw("faucetMint", payload);
  return draw("deposit", { ...payload, reference: random.pick(["", "bank 7"]) });
}

export function drawCreation(
  random: Draw,
  scene: FlowScene,
  prices: FlowPrice[],
  faulty: boolean,
  most = MARKETS_MOST,
): Drawn {
  const { marketNames } = scene.state;
  const full = marketNames.length >= most;
  const market = drawMarket(random, full ? marketNames[0]! : `M${marketNames.length}-PERP`);
  const parameters = Object.entries(market.parameters).map(([name, value]) => ({ name, value }));
  if (random.chance(1, 4)) parameters.push({ name: "status", value: random.pick(["initializing", "postOnly"]) });
  if (faulty) parameters.push(random.pick(FAULTY_PARAMETERS));
  else if (!full) prices.push({ market, price: market.start });
  return draw("createMarket", { market: market.name, preset: market.preset, parameters });
}

/** Changes of status, usually temporary, of fees, of limits and of tiers. */
export function drawUpdates(random: Draw, scene: FlowScene, faulty: boolean): Drawn[] {
  const { marketNames, parameters } = scene.state;
  const update = (market: string, texts: Record<string, string>) =>
    draw("updateMarket", { market, parameters: Object.entries(texts).map(([name, value]) => ({ name, value })) });
  const drawn: Drawn[] = [];
  marketNames.forEach((name, market) => {
    const { status, pauseTrade, pauseLiquidate, pauseFund, pauseWithdraw } = parameters[market]!;
    if (status !== MARKET_STATUS.active && status < MARKET_STATUS.settling && random.chance(1, 4))
      drawn.push(update(name, { status: status === MARKET_STATUS.initializing ? "postOnly" : "active" }));
    if (pauseTrade + pauseLiquidate + pauseFund + pauseWithdraw > 0 && random.chance(1, 3))
      drawn.push(update(name, { pauseTrade: "off", pauseLiquidate: "off", pauseFund: "off", pauseWithdraw: "off" }));
  });
  const name = random.pick(marketNames);
  if (faulty && random.chance(1, 3)) {
    drawn.push(
      random.pick([
        update("NONE-PERP", {}),
        update(name, {}),
        update(name, { tickSize: "0.3" }),
        update(name, { status: "?" }),
      ]),
    );
  }
  if (random.chance(1, 40)) drawn.push(update(name, { status: random.pick(MARKET_STATUSES.slice(0, 6)) }));
  if (random.chance(1, 60)) drawn.push(update(name, { [random.pick(PAUSES)]: "on" }));
  if (random.chance(1, 150)) drawn.push(update(name, { status: "settling" }));
  if (random.chance(1, 60))
    drawn.push(update(name, random.pick([{ takerFee: "0.002" }, { openOrdersMax: "2" }, { priceBand: "0.1" }])));
  if (random.chance(1, 80))
    drawn.push(
      update(
        name,
        random.pick([
          { tier1: "0 0.25 0.12", tier2: "", tier3: "" },
          { tier1: "0 0.1 0.05", tier2: "", tier3: "" },
        ]),
      ),
    );
  return drawn;
}

/** Collateral or a price set by the operator of a devnet: zero, doubled, a crash. */
export function drawOperatorTransaction(random: Draw, profile: FlowProfile, scene: FlowScene, faulty: boolean): Drawn {
  const { state } = scene;
  const account = random.pick(scene.accounts);
  const key = random.chance(4, 5) ? scene.keyOf(account) : random.pick(profile.strangers);
  const held = Math.max(0, state.accounts.collateral[account]!);
  const amount = faulty ? 9e15 : random.pick([0, Math.floor(held / 2), held, held + 1, 1_000_000_000]);
  const row = random.below(state.marketNames.length) as MarketRow;
  const mark = state.markets.mark[row]! || 1e8;
  const price = faulty
    ? random.pick([0, 9e15])
    : Math.max(1, Math.floor((mark / 1000) * random.pick([1000, 1003, 900, 1500])));
  const what = random.below(2);
  const market = faulty && random.chance(1, 3) ? "NONE-PERP" : state.marketNames[row]!;
  // A target takes no fields of the other (ACT-3).
  const isMixed = faulty && random.chance(1, 3);
  const takes = (target: (typeof DEVNET_TARGETS)[number]) => isMixed || DEVNET_TARGETS[what] === target;
  return draw("devnetSet", {
    what,
    ...(takes("collateral")
      ? { account: key.address, subaccount: key.subaccount, amount }
      : { account: ZERO_ADDRESS, subaccount: 0, amount: 0 }),
    ...(takes("price") ? { market, price } : { market: "", price: 0 }),
  });
}

/**
 * Settles a market: near its mark, at an outside price beyond the clamp, or so far away that some account cannot
 * pay.
 */
export function drawSettlement(
  random: Draw,
  { state }: FlowScene,
  market: string,
  prices: readonly FlowPrice[],
  faulty: boolean,
): Drawn {
  if (faulty)
    return draw("settleMarket", { market: random.pick(["NONE-PERP", market]), price: random.pick([0, 9e15]) });
  const row = state.marketRows.get(market)!;
  const mark = state.markets.mark[row]! || 1e8;
  const world = prices.find((path) => path.market.name === market)?.price ?? mark;
  const around = random.chance(1, 2) ? world : mark;
  const price = Math.max(1, Math.floor((around / 1000) * random.pick([1000, 1001, 950, 700, 1300, 2500])));
  return draw("settleMarket", { market, price: price + random.below(2) });
}

/**
 * History of one market through the house: quotes around the price, depth, prints, and occasionally an empty ladder.
 */
export function drawHouseFlow(
  random: Draw,
  profile: FlowProfile,
  scene: FlowScene,
  market: MarketRow,
  faulty: boolean,
): Drawn {
  const { state } = scene;
  const rules = state.parameters[market]!;
  const around = state.markets.mark[market]! || state.markets.oracle[market]! || rules.tickSize * 100;
  const middle = Math.max(3, Math.floor(around / rules.tickSize));
  const size = () => random.pick([0, 1, rules.minLots, Math.ceil(rules.maxLots / 20), Math.ceil(rules.maxLots / 4)]);
  const steps: number[] = [];
  // The limit of orders, or one more; all of them rest.
  const most = faulty && random.chance(1, 8) ? random.between(64, 65) : 0;
  for (let count = most || random.between(1, 6); count > 0; count--) {
    const side = random.below(2);
    const away = side === 0 ? -1 : 1;
    const ticks = Math.max(1, middle + away * random.below(2 + Math.floor(middle / 200)));
    const through = Math.max(1, middle - away * random.below(2 + Math.floor(middle / 200)));
    const kind =
      most > 0
        ? HOUSE_STEP.rest
        : random.pick([
            HOUSE_STEP.quote,
            HOUSE_STEP.quote,
            HOUSE_STEP.rest,
            HOUSE_STEP.clear,
            HOUSE_STEP.print,
            HOUSE_STEP.last,
          ]);
    steps.push(kind, kind === HOUSE_STEP.print ? through : ticks, size(), side);
  }
  if (faulty && most === 0) steps[random.below(steps.length)] = random.pick(STEP_EDGES);
  const bytes = new Uint8Array(new Float64Array(steps).buffer);
  const wrong = faulty && random.chance(1, 3);
  const key = wrong ? random.pick(profile.strangers) : profile.house;
  return draw("houseFlow", {
    market: faulty && random.chance(1, 4) ? "NONE-PERP" : state.marketNames[market]!,
    account: key.address,
    subaccount: key.subaccount,
    steps: faulty && random.chance(1, 4) ? bytes.subarray(0, bytes.length - HOUSE_STEP_WIDTH) : bytes,
  });
}
