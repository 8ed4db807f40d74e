/** System transactions of genes: collateral, markets, and history through the house. */
import { NONE } from "../../collections/table.ts";
import { measure } from "../../engine/margin/health.ts";
import type { AccountRow, MarketRow, OwnerRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { addressOf } from "../../generators/flowProfile.ts";
import {
  type Drawn,
  draw,
  drawCreation,
  drawHouseFlow,
  drawPoke,
  type FlowPrice,
} from "../../generators/flowSystem.ts";
import { formatDecimal } from "../../math/decimal.ts";
import { MARKET_STATUS, MARKET_STATUSES, ROLE } from "../../protocol/words.ts";
import type { Desk } from "./desk.ts";
import { beside } from "./edges.ts";
import type { CaseMarket } from "./marketProfile.ts";
import type { Operation } from "./operations.ts";
import { getMarketName, getMarketsMost, UNKNOWN_MARKET } from "./references.ts";

const AMOUNTS = [
  ...[100_000_000, 1_000_000_000, 2_000_000_000, 50_000_000, 100_000_000, 1_000_000_000, 500_000_000],
  ...[1, 1, 10_000, 0, 9e15, 2_250_000_000_000_000],
] as const;
/** Settled at this many thousandths of the price. */
const SETTLEMENTS = [1000, 1000, 1001, 950, 700, 1300, 2500] as const;

/** What an authority does at a gene. */
export function drawAuthority(desk: Desk, operation: Operation, account: AccountRow, market: MarketRow): Drawn {
  switch (operation) {
    case "deposit":
    case "faucetMint":
      return drawCredit(desk, operation, account);
    case "fundInsurance":
      return draw("fundInsurance", { amount: desk.choices.pick(AMOUNTS) });
    case "createMarket":
      return drawMarket(desk);
    case "devnetSet":
      return drawPoke(desk.choices, desk.profile, desk.scene, desk.choices.below(12) === 11);
    case "settleMarket":
      return drawSettlement(desk, market);
    case "houseFlow": {
      const spoilt = desk.choices.below(12) === 11;
      return drawHouseFlow(desk.choices, desk.profile, desk.scene, market, spoilt);
    }
    default:
      return drawUpdate(desk, market);
  }
}

/** Collateral for somebody: round, at an edge, or what makes equity meet maintenance. */
function drawCredit(desk: Desk, operation: "deposit" | "faucetMint", account: AccountRow): Drawn {
  const { choices, scene, profile, state } = desk;
  const way = choices.next();
  const amountOf = () => choices.pick(AMOUNTS);
  if (way % 16 === NEWCOMER) return drawNewcomer(desk, operation, way >> 4, amountOf());
  const to = way % 8 === 7 ? profile.strangers[(way >> 3) % profile.strangers.length]! : scene.keyOf(account);
  let amount: number = amountOf();
  if (way % 4 === 2) {
    const { wide, equity, maintenance } = measure(state, account, 0);
    if (!wide && equity < maintenance) amount = beside(choices, maintenance - equity);
  } else if (way % 8 === ALIKE) {
    amount = Math.max(0, getMostEquity(state) - scene.equityOf(account));
  }
  const payload = { to: to.address, toSubaccount: to.subaccount, amount };
  return operation === "faucetMint"
    ? draw("faucetMint", payload)
    : draw("deposit", { ...payload, reference: way % 2 === 0 ? "" : "bank 7" });
}

/** Choice of a credit that leaves an account with as much as whoever has most. */
export const ALIKE = 5;

/** Choice of a credit to somebody new. */
export const NEWCOMER = 13;
/** Newcomers' addresses, far from owners and agents; so many of them in a block. */
const NEWCOMERS = { first: 20_000, most: 16 } as const;

function drawNewcomer(desk: Desk, operation: "deposit" | "faucetMint", place: number, amount: number): Drawn {
  const number = NEWCOMERS.first + NEWCOMERS.most * desk.state.accounts.rows.high + (place % NEWCOMERS.most);
  const payload = { to: addressOf(number), toSubaccount: 0, amount };
  return operation === "faucetMint" ? draw("faucetMint", payload) : draw("deposit", { ...payload, reference: "" });
}

function getMostEquity({ accounts }: State): number {
  let most = 0;
  for (let row = 0 as AccountRow; row < accounts.rows.high; row++) {
    if (accounts.role[row] !== ROLE.house && accounts.position[row] === NONE) {
      most = Math.max(most, accounts.collateral[row]!);
    }
  }
  return most;
}

function drawMarket(desk: Desk): Drawn {
  const { choices, scene, prices } = desk;
  const made: FlowPrice[] = [];
  const spoilt = choices.below(8) === 7;
  const { payload } = drawCreation(choices, scene, made, spoilt, getMarketsMost(desk.state)) as Drawn<"createMarket">;
  // A market that is created twice in a block has one price.
  for (const { market, price } of made) {
    if (prices.some((path) => path.market.name === market.name)) continue;
    prices.push({ market: { ...market, process: "calm" } as CaseMarket, price });
  }
  const parameters = payload.parameters.map(({ name, value }) => ({ name, value: value || FLAT }));
  return draw("createMarket", { ...payload, parameters });
}

/** A tier that changes nothing: no message has an empty text, so none can take away the second tier of the preset. */
const FLAT = "150000000 1 0.5";

/** What may change in a market, and what may not; the plainest first. */
const CHANGES: readonly Readonly<Record<string, string>>[] = [
  { takerFee: "0.002", makerFee: "0" },
  { takerFee: "0", makerFee: "0" },
  { takerFee: "0.0005", makerFee: "-0.0005" },
  { openOrdersMax: "2" },
  { priceBand: "0.1" },
  { priceBand: "0.01" },
  { tier1: "0 0.25 0.12" },
  { tier1: "0 0.1 0.05" },
  { tier1: "0 0.1 0.05", tier2: "5000 0.2 0.1" },
  { tier1: "0 1 0.5" },
  { minSize: "0.5" },
  { maxSize: "1" },
  { positionLimit: "1" },
  { openInterestLimit: "1" },
  { openInterestLower: "1000", openInterestUpper: "5000" },
  { liquidationPolicy: "dydx" },
  { liquidationPolicy: "binance" },
  { liquidationPolicy: "hyperliquid" },
  { fundingMethod: "hyperliquid", fundingInterval: "10000", fundingSample: "1000" },
  { fundingMethod: "external" },
  { fundingMethod: "dydx" },
  { markClamp: "0.01" },
  { oracleStale: "10000" },
  { blockGap: "10000" },
  { insuranceCapBlock: "1" },
  { feeTier1: "500 0.0002 0.0001" },
  { sources: "a:1" },
  { sources: "a:2 b:5 c:1 idle:1" },
  { tickSize: "0.3" },
  { status: "?" },
  { unknown: "0" },
  {},
];
/** Detail of a plain change after which ten seconds without a block are a gap. */
export const TO_GAPS = CHANGES.findIndex(({ blockGap }) => blockGap === "10000");
/** Parameters of every unit, and texts for them that are no number, one that does not fit, or one at an edge. */
const ODD_NAMES = [
  ...["takerFee", "minNotional", "maxSize", "positionLimit", "priceBand", "openOrdersMax", "fundingInterval"],
  ...["liquidationFee", "fundingCap", "tier1", "feeTier1", "markClamp", "insuranceCapBlock", "oracleVolatile"],
] as const;
const ODD_TEXTS = [
  ...["1.", ".5", "01", "-0", "-1", "1e3", "0.10", "+1", " 1", "0.5x", "/", ":", "-", "1.5.1", "0x10", "0.:", "0./"],
  ...["0.000001", "0.0000001", "0.00000001", "0.000000001", "0.0000000001", "0", "1", "100", "1000000"],
  ...["9000000000", "9000000000.000001", "9007199254.740993", "90000000", "90071992.54740993", "99999999999999999999"],
  ...["9000000000000000", "9000000000000001", "0 0.1", "0 0.1 0.05 1", "1 0.1 0.05", "0 0.05 0.1", "0 2 1", "0 0 0"],
] as const;
const PAUSES = ["pauseTrade", "pauseLiquidate", "pauseFund", "pauseWithdraw"] as const;
const NO_PAUSE = { pauseTrade: "off", pauseLiquidate: "off", pauseFund: "off", pauseWithdraw: "off" } as const;

/** A change of a market. What stands still is mostly set going again. */
function drawUpdate(desk: Desk, market: MarketRow): Drawn {
  const { choices, state } = desk;
  const way = choices.next();
  const detail = choices.next();
  const { status, pauseTrade, pauseLiquidate, pauseFund, pauseWithdraw } = state.parameters[market]!;
  const update = (texts: Readonly<Record<string, string>>) =>
    draw("updateMarket", {
      market: way >= 0xfc00 ? UNKNOWN_MARKET : getMarketName(desk, market),
      parameters: Object.entries(texts).map(([name, value]) => ({ name, value })),
    });
  const stopped = status !== MARKET_STATUS.active && status < MARKET_STATUS.settling;
  if (stopped && way % 4 !== 3)
    return update({ status: status === MARKET_STATUS.initializing ? "postOnly" : "active" });
  if (pauseTrade + pauseLiquidate + pauseFund + pauseWithdraw > 0 && way % 4 !== 3) return update(NO_PAUSE);
  if (isStrangled(desk, market) && way % 4 !== 3) return update(getRelief(desk, market));
  switch (way % 16) {
    case 3:
      return update({ status: MARKET_STATUSES[detail % 6]! });
    case 7:
      return update({ [PAUSES[detail % 4]!]: "on" });
    case 11: {
      const end = detail % 8 >= MARKET_STATUS.settling;
      const isAny = detail % 32 < 8 && !(end && isLast(desk, market) && way < 0xf000);
      return update({ status: MARKET_STATUSES[isAny ? detail % 8 : 2]! });
    }
    case 15: {
      const tier = drawFeeTier(desk, detail);
      return update(tier === undefined ? CHANGES[detail % CHANGES.length]! : { feeTier1: tier });
    }
    case 13: {
      const text = ODD_TEXTS[detail % ODD_TEXTS.length]!;
      return update({ [ODD_NAMES[(detail >> 6) % ODD_NAMES.length]!]: text });
    }
    default:
      return update(CHANGES[detail % CHANGES.length]!);
  }
}

/** A tier of fees that begins at what somebody has traded, to the unit, or beside it; undefined where nobody has. */
function drawFeeTier({ choices, state }: Desk, detail: number): string | undefined {
  const { volumePast } = state.owners;
  const traded = Array.from({ length: state.owners.rows.high }, (_, row) => volumePast[row as OwnerRow]!);
  const volumes = traded.filter((volume) => volume > 0);
  if (volumes.length === 0) return undefined;
  return `${formatDecimal(beside(choices, volumes[detail % volumes.length]!), 6)} 0.0002 0.0001`;
}

/** Whether the least order that a market takes at its mark is more than the greatest. */
function isStrangled({ state }: Desk, market: MarketRow): boolean {
  const { minLots, maxLots, minNotional, lotSize } = state.parameters[market]!;
  const perLot = (state.markets.mark[market]! * lotSize) / 1e10;
  return perLot > 0 && Math.max(minLots, minNotional / perLot) > maxLots;
}

function getRelief({ state }: Desk, market: MarketRow): Readonly<Record<string, string>> {
  return { minNotional: "0", minSize: formatDecimal(state.parameters[market]!.lotSize, 8) };
}

/** Whether no other market trades, or so many are over already that there may hardly be another one. */
function isLast({ state }: Desk, market: MarketRow): boolean {
  if (state.marketNames.length >= getMarketsMost(state)) return true;
  return !state.parameters.some(({ status }, row) => row !== market && status === MARKET_STATUS.active);
}

/** Where no market trades, the operator sets one going again, or makes a new one. */
export function drawRevival(desk: Desk): Drawn[] {
  const { parameters, marketNames } = desk.state;
  const active = parameters.findIndex(({ status }) => status === MARKET_STATUS.active) as MarketRow;
  if (active >= 0) {
    if (!isStrangled(desk, active)) return [];
    const list = Object.entries(getRelief(desk, active)).map(([name, value]) => ({ name, value }));
    return [draw("updateMarket", { market: marketNames[active]!, parameters: list })];
  }
  const market = parameters.findIndex(({ status }) => status < MARKET_STATUS.settling);
  if (market < 0) return [drawMarket(desk)];
  const value = parameters[market]!.status === MARKET_STATUS.initializing ? "postOnly" : "active";
  return [draw("updateMarket", { market: marketNames[market]!, parameters: [{ name: "status", value }] })];
}

/** The end of a market, at its price or far from it; one that trades is told to settle first, now and then. */
function drawSettlement(desk: Desk, market: MarketRow): Drawn {
  const { choices, state, prices } = desk;
  const way = choices.next();
  const name = getMarketName(desk, market);
  if (state.parameters[market]!.status < MARKET_STATUS.settling && way % 4 !== 3) {
    // The last market that trades is kept, mostly.
    if (way % (isLast(desk, market) ? 64 : 8) !== 2) return drawUpdate(desk, market);
    return draw("updateMarket", { market: name, parameters: [{ name: "status", value: "settling" }] });
  }
  const world = prices.find((path) => path.market.name === name)?.price ?? 1e8;
  const around = way % 8 < 4 ? world : state.markets.mark[market]! || 1e8;
  const price = Math.max(1, Math.floor((around / 1000) * choices.pick(SETTLEMENTS)));
  return draw("settleMarket", { market: name, price: way >= 0xe000 ? (way & 1) * 9e15 : price + (way & 1) });
}
