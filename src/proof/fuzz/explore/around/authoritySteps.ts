/** Steps of the authorities: prices, money that comes in, markets, history, and what only a devnet allows. */
import { HOUSE_STEP } from "../../../../protocol/houseSteps.ts";
import { ZERO_ADDRESS } from "../../../../protocol/transaction.ts";
import { DEVNET_TARGETS, MARKET_STATUSES } from "../../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../../venue/engine/state/schema.ts";
import type { Scene } from "./scene.ts";
import { draft, makeStep, type Step } from "./step.ts";

/** Prices of a step, as shares of the oracle price. */
const PRICE_SHARES = [0.5, 0.9, 0.97, 0.995, 1, 1.005, 1.03, 1.11, 2] as const;

/** Reports of one price, from every source of the market, and two prices of which the second is another market's. */
export function listPriceSteps(scene: Scene, market: MarketRow): Step[] {
  const { state } = scene;
  const { sources } = state.parameters[market]!;
  const oracle: number = state.markets.oracle[market]!;
  if (oracle === 0) return [];
  return PRICE_SHARES.map((share) => {
    const price = Math.max(1, Math.floor(oracle * share));
    const reports = sources.map(({ name: source }) => ({ source, price, confidence: 0, time: 0 }));
    const payload = {
      market: state.marketNames[market]!,
      price: sources.length === 0 ? price : 0,
      sources: reports,
      mark: 0,
      fundingRate: 0,
      settleFunding: false,
    };
    const words = `oracle: ${state.marketNames[market]} at ${share} of the price`;
    return makeStep(words, draft("oracleUpdate", scene.authority("oracle"), payload));
  });
}

/** Parameters that an operator sets in a step. */
const CHANGES = [
  ["pauseTrade", "on"],
  ["pauseTrade", "off"],
  ["pauseFund", "on"],
  ["pauseLiquidate", "on"],
  ["takerFee", "0.000333"],
  ["tier1", "0 0.5 0.25"],
  ["tier1", "0 0.013 0.0065"],
  ["positionLimit", "1"],
] as const;

export function listMarketSteps(scene: Scene, market: MarketRow): Step[] {
  const { state } = scene;
  const operator = scene.authority("operator");
  const name = state.marketNames[market]!;
  const update = (parameter: string, value: string) => {
    const payload = { market: name, parameters: [{ name: parameter, value }] };
    return makeStep(`operator: ${parameter} ${value} in ${name}`, draft("updateMarket", operator, payload));
  };
  const steps = [
    ...MARKET_STATUSES.map((status) => update("status", status)),
    ...CHANGES.map(([parameter, value]) => update(parameter, value)),
  ];
  for (const share of [0.93, 1, 1.07]) {
    const tick = scene.tickAt(market, share);
    if (tick === undefined) continue;
    const price = tick * state.parameters[market]!.tickSize;
    const settle = draft("settleMarket", operator, { market: name, price });
    steps.push(makeStep(`operator: settle ${name} at ${share} of the mark`, settle));
    const set = { what: DEVNET_TARGETS.indexOf("price"), account: ZERO_ADDRESS, subaccount: 0, amount: 0 };
    const payload = { ...set, market: name, price };
    steps.push(makeStep(`operator: set ${name} to ${share} of the mark`, draft("devnetSet", operator, payload)));
  }
  const tick = scene.tickAt(market, 1);
  for (const house of tick === undefined ? [] : scene.listAccounts("house")) {
    steps.push(...listHouseSteps(scene, market, house, tick!));
  }
  return steps;
}

function listHouseSteps(scene: Scene, market: MarketRow, house: AccountRow, tick: number): Step[] {
  const { address, subaccount } = scene.keyOf(house);
  const lots = scene.leastLots(market, tick) * 3;
  const flow = (...numbers: number[]) => new Uint8Array(new Float64Array(numbers).buffer);
  return [
    flow(HOUSE_STEP.quote, Math.max(1, tick - 1), lots, 0, HOUSE_STEP.quote, tick + 1, lots, 1),
    flow(HOUSE_STEP.print, tick, lots, 0),
    flow(HOUSE_STEP.clear, tick, 0, 0, HOUSE_STEP.clear, tick, 0, 1),
  ].map((steps, at) => {
    const payload = { market: scene.state.marketNames[market]!, account: address, subaccount, steps };
    return makeStep(
      `operator: flow ${at} of ${scene.nameOf(house)}`,
      draft("houseFlow", scene.authority("operator"), payload),
    );
  });
}

/** Steps that name an account or none. */
export function listVenueSteps(scene: Scene): Step[] {
  const operator = scene.authority("operator");
  const steps = [
    makeStep("operator: fund insurance", draft("fundInsurance", operator, { amount: 12_345_679 })),
    makeStep(
      "operator: a market that exists",
      draft("createMarket", operator, creationOf(scene.state.marketNames[0] ?? "X")),
    ),
    makeStep("operator: a new market", draft("createMarket", operator, creationOf("NEW-PERP"))),
  ];
  for (const row of scene.listAccounts("normal")) {
    const { address, subaccount } = scene.keyOf(row);
    const who = scene.nameOf(row);
    const to = { to: address, toSubaccount: subaccount, amount: 3_333_333 };
    steps.push(
      makeStep(`operator: deposit to ${who}`, draft("deposit", operator, { ...to, reference: "" })),
      makeStep(`faucet: mint to ${who}`, draft("faucetMint", scene.authority("faucet"), to)),
      makeStep(
        `operator: set the collateral of ${who} to a third`,
        draft("devnetSet", operator, {
          what: DEVNET_TARGETS.indexOf("collateral"),
          account: address,
          subaccount,
          amount: Math.floor(Math.max(0, scene.state.accounts.collateral[row]!) / 3),
          market: "",
          price: 0,
        }),
      ),
      makeStep(
        `operator: cancel all for ${who}`,
        draft("devnetImpersonate", operator, {
          account: address,
          subaccount,
          action: "cancelAll",
          payload: new TextEncoder().encode('{"market":"","intents":true}'),
        }),
      ),
    );
  }
  return steps;
}

const creationOf = (market: string) => ({ market, preset: "minimal", parameters: [] });
