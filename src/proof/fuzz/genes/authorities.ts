/** System transactions of genes: collateral, markets, and house flows. */
import { NONE } from "../../../ground/collections/table.ts";
import { MARKET_STATUS, ROLE } from "../../../protocol/words.ts";
import { measure } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { addressOf } from "./addresses.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { near } from "./edges.ts";
import { drawHouse } from "./house.ts";
import type { Operation } from "./operations.ts";
import { getMarketName, getMarketsMost } from "./references.ts";
import { type Drawn, draw, drawCreation, drawOperatorTransaction } from "./systemPayloads.ts";
import { drawUpdate, getRelief, isLast, isStrangled } from "./updates.ts";

export const AMOUNTS = [
  ...[100_000_000, 1_000_000_000, 2_000_000_000, 50_000_000, 100_000_000, 1_000_000_000, 500_000_000],
  ...[1, 1, 10_000, 0, 9e15, 2_250_000_000_000_000],
] as const;
/** Settlement prices, in thousandths of the price. */
const SETTLEMENTS = [1000, 1000, 1001, 950, 700, 1300, 2500] as const;

/** Returns the system transaction of a gene. */
export function drawAuthority(
  builder: BlockBuilder,
  operation: Operation,
  account: AccountRow,
  market: MarketRow,
): Drawn {
  switch (operation) {
    case "deposit":
    case "faucetMint":
      return drawCredit(builder, operation, account);
    case "fundInsurance":
      return draw("fundInsurance", { amount: builder.choices.pick(AMOUNTS) });
    case "createMarket":
      return drawMarket(builder);
    case "devnetSet":
      return drawOperatorTransaction(builder.choices, builder.profile, builder.scene, builder.choices.below(12) === 11);
    case "settleMarket":
      return drawSettlement(builder, market);
    case "houseFlow":
      return drawHouse(builder, market);
    default:
      return drawUpdate(builder, market);
  }
}

/** Credits an account: a round amount, an edge, or the amount at which equity equals maintenance margin. */
function drawCredit(builder: BlockBuilder, operation: "deposit" | "faucetMint", account: AccountRow): Drawn {
  const { choices, scene, profile, state } = builder;
  const way = choices.next();
  const amountOf = () => choices.pick(AMOUNTS);
  const sibling = way - SIBLING;
  const isSibling = sibling >= 0 && sibling < SIBLINGS.most;
  if (way % 16 === NEWCOMER && !isSibling) return drawNewcomer(builder, operation, way >> 4, amountOf());
  if (isSibling) {
    const to = { to: scene.keyOf(account).address, toSubaccount: SIBLINGS.first + sibling, amount: amountOf() };
    return operation === "faucetMint" ? draw("faucetMint", to) : draw("deposit", { ...to, reference: "" });
  }
  const to = way % 8 === 7 ? profile.strangers[(way >> 3) % profile.strangers.length]! : scene.keyOf(account);
  let amount: number = amountOf();
  if (way % 4 === 2) {
    const { overflow, equity, maintenance } = measure(state, account, 0);
    if (!overflow && equity < maintenance) amount = near(choices, maintenance - equity);
  } else if (way % 8 === ALIKE) {
    amount = Math.max(0, getMostEquity(state) - scene.equityOf(account));
  }
  const payload = { to: to.address, toSubaccount: to.subaccount, amount };
  return operation === "faucetMint"
    ? draw("faucetMint", payload)
    : draw("deposit", { ...payload, reference: way % 2 === 0 ? "" : "bank 7" });
}

/** Choice of a credit that raises an account to the largest collateral of any account. */
export const ALIKE = 5;

/** First choice of a credit to another subaccount of an account's owner; a drawn gene hardly ever has one. */
export const SIBLING = 0xc20;
/** Their subaccount numbers, and how many there are. */
const SIBLINGS = { first: 100, most: 4 } as const;

/** Choice of a credit to a new account. */
export const NEWCOMER = 13;
/** Address range of new accounts, apart from owners and agents; at most this many per block. */
const NEWCOMERS = { first: 20_000, most: 16 } as const;

function drawNewcomer(
  builder: BlockBuilder,
  operation: "deposit" | "faucetMint",
  place: number,
  amount: number,
): Drawn {
  const number = NEWCOMERS.first + NEWCOMERS.most * builder.state.accounts.rows.high + (place % NEWCOMERS.most);
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

function drawMarket(builder: BlockBuilder): Drawn {
  const { choices, scene, prices } = builder;
  const faulty = choices.below(8) === 7;
  const { drawn, market } = drawCreation(choices, scene, faulty, getMarketsMost(builder.state));
  const { payload } = drawn;
  // A market created twice in a block keeps its first price.
  if (market !== undefined && !prices.some((path) => path.market.name === market.name)) {
    prices.push({ market: { ...market, process: "calm" }, price: market.start });
  }
  const parameters = payload.parameters.map(({ name, value }) => ({ name, value: value || FLAT }));
  return draw("createMarket", { ...payload, parameters });
}

/** A neutral tier: a message cannot have an empty text, so it cannot remove the second tier of the preset. */
const FLAT = "150000000 1 0.5";

/** If no market trades, the operator reactivates one or creates a new one. */
export function drawRevival(builder: BlockBuilder): Drawn[] {
  const { parameters, marketNames } = builder.state;
  const active = parameters.findIndex(({ status }) => status === MARKET_STATUS.active) as MarketRow;
  if (active >= 0) {
    if (!isStrangled(builder, active)) return [];
    const list = Object.entries(getRelief(builder, active)).map(([name, value]) => ({ name, value }));
    return [draw("updateMarket", { market: marketNames[active]!, parameters: list })];
  }
  const market = parameters.findIndex(({ status }) => status < MARKET_STATUS.settling);
  if (market < 0) return [drawMarket(builder)];
  const value = parameters[market]!.status === MARKET_STATUS.initializing ? "postOnly" : "active";
  return [draw("updateMarket", { market: marketNames[market]!, parameters: [{ name: "status", value }] })];
}

/** The first market from a row on that is settling; that row if there is none. */
function findEnding({ parameters }: State, from: MarketRow): MarketRow {
  for (let step = 0; step < parameters.length; step++) {
    const row = ((from + step) % parameters.length) as MarketRow;
    if (parameters[row]!.status === MARKET_STATUS.settling) return row;
  }
  return from;
}

/** Settles a market, at its price or far from it. A trading market sometimes first changes to settling. */
function drawSettlement(builder: BlockBuilder, named: MarketRow): Drawn {
  const { choices, state, prices } = builder;
  const way = choices.next();
  const market = way % 8 === 0 ? findEnding(state, named) : named;
  const name = getMarketName(builder, market);
  if (state.parameters[market]!.status < MARKET_STATUS.settling && way % 4 !== 3) {
    // Mostly keep the last market that trades.
    if (way % (isLast(builder, market) ? 64 : 8) !== 2) return drawUpdate(builder, market);
    return draw("updateMarket", { market: name, parameters: [{ name: "status", value: "settling" }] });
  }
  const world = prices.find((path) => path.market.name === name)?.price ?? 1e8;
  const around = way % 8 < 4 ? world : state.markets.mark[market]! || 1e8;
  const price = Math.max(1, Math.floor((around / 1000) * choices.pick(SETTLEMENTS)));
  return draw("settleMarket", { market: name, price: way >= 0xe000 ? ((way >> 4) & 1) * 9e15 : price + (way & 1) });
}
