import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { EventKind } from "../../../protocol/events.ts";
import { ROLE } from "../../../protocol/words.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL, TOTAL_NAMES } from "../../../venue/engine/state/totals.ts";
import { listPositionsOf } from "../../../venue/reads/rows.ts";
import { observeAccount } from "../expect/accounts.ts";
import { NOTICED } from "../expect/events.ts";
import type { EventText } from "../expect/eventText.ts";
import { lineOf, listOrdersOf } from "../expect/orders.ts";
import { observePosition } from "../expect/positions.ts";
import { priceText, ticksText, usd } from "../expect/units.ts";
import type { Flow } from "../write/payloadCells.ts";
import type { Actor } from "./nameActors.ts";

type Cells = Record<string, Flow>;

/** Events of a liquidation and of funding that are written with all of their fields. */
const WRITTEN_EVENTS: readonly EventKind[] = [...NOTICED, "liquidationStage", "insuranceChanged", "fundingSettled"];

const FILL_FIELDS = {
  maker: "makerAccount",
  taker: "takerAccount",
  side: "takerSide",
  size: "size",
  price: "price",
  makerFee: "makerFee",
  takerFee: "takerFee",
} as const;

/** Fills of a block, all of them, and events of liquidations and funding. */
export function expectEvents(state: State, events: readonly EventText[]): Cells {
  const fills = events.filter(({ kind }) => kind === "fill");
  const cells: Cells = {};
  if (fills.length > 0) {
    cells["fills"] = fills.map(({ fields }) => ({
      ...(state.marketNames.length === 1 ? {} : { market: fields["market"]! }),
      ...Object.fromEntries(Object.entries(FILL_FIELDS).map(([key, field]) => [key, fields[field]!])),
    }));
  }
  const byKind = WRITTEN_EVENTS.map(
    (kind) => [kind, events.filter((event) => event.kind === kind).map(({ fields }) => fields)] as const,
  ).filter(([, found]) => found.length > 0);
  if (byKind.length > 0) cells["events"] = Object.fromEntries(byKind);
  return cells;
}

/** Collateral and positions of an account, to find the blocks that changed them. */
export function readBalances(state: State, { address, subaccount }: Actor): string {
  const row = findAccount(state, new AccountKey(address, subaccount));
  if (row === NONE) return "none";
  const { accounts, positions } = state;
  const open = listPositionsOf(state, row).filter((at) => positions.signedLots[at] !== 0);
  const sizes = open.map((at) => `${positions.market[at]}:${positions.signedLots[at]}`);
  return [accounts.collateral[row], ...sizes].join(" ");
}

const ACCOUNT_FIGURES = ["collateral", "equity", "maintenance", "initial"] as const;
const POSITION_FIGURES = ["size", "cost", "liquidationPrice"] as const;

/** Accounts with their positions, as they are now. A house quotes for history: its figures say nothing to a reader. */
export function expectAccounts(state: State, actors: readonly Actor[]): Cells {
  const accounts: Cells = {};
  const positions: Cells = {};
  for (const { name, address, subaccount } of actors) {
    const row = findAccount(state, new AccountKey(address, subaccount));
    if (row === NONE) {
      accounts[name] = "none";
      continue;
    }
    if (isHouse(state, row)) continue;
    const read = observeAccount(state, row);
    accounts[name] = Object.fromEntries(ACCOUNT_FIGURES.map((figure) => [figure, read[figure]!()]));
    const own = positionsOf(state, row);
    if (own !== undefined) positions[name] = own;
  }
  return {
    ...(Object.keys(accounts).length === 0 ? {} : { accounts }),
    ...(Object.keys(positions).length === 0 ? {} : { positions }),
  };
}

function positionsOf(state: State, row: AccountRow): Flow | undefined {
  const { positions, marketNames } = state;
  const byMarket = listPositionsOf(state, row).map((at): [string, Flow] => {
    const market = positions.market[at]!;
    const read = observePosition(state, at, market);
    const isOpen = positions.signedLots[at] !== 0;
    const values = Object.fromEntries(POSITION_FIGURES.map((figure) => [figure, read[figure]!()]));
    return [marketNames[market]!, isOpen ? values : "none"];
  });
  if (byMarket.length === 0) return undefined;
  return marketNames.length === 1 ? byMarket[0]![1] : Object.fromEntries(byMarket);
}

/** Open orders of accounts: those of a house are many, and follow from its flow. */
export function expectOrders(state: State, actors: readonly Actor[]): Cells {
  const cells: Cells = {};
  for (const { name, address, subaccount } of actors) {
    const row = findAccount(state, new AccountKey(address, subaccount));
    if (row === NONE || isHouse(state, row)) continue;
    const lines = listOrdersOf(state, row).map((order) => lineOf(state, order, state.marketNames.length > 1));
    cells[name] = lines.length === 0 ? "none" : lines;
  }
  return Object.keys(cells).length === 0 ? {} : { orders: cells };
}

function isHouse({ accounts }: State, row: AccountRow): boolean {
  return accounts.role[row] === ROLE.house;
}

/** Prices of all markets, and the totals of the venue. */
export function expectVenue(state: State): Cells {
  const prices = Object.fromEntries(
    state.marketNames.map((name, at): [string, Flow] => {
      const market = at as MarketRow;
      const { index, mark, last } = state.markets;
      return [
        name,
        {
          index: priceText(index[market]!),
          mark: priceText(mark[market]!),
          last: ticksText(state, market, last[market]!),
        },
      ];
    }),
  );
  const totals = Object.fromEntries(TOTAL_NAMES.map((name) => [name, usd(state.totals.get(TOTAL[name]))]));
  return { ...(state.marketNames.length === 0 ? {} : { prices }), venue: totals };
}
