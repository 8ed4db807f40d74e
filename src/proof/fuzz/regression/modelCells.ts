import { NONE } from "../../../ground/collections/table.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { type EventScope, readEventText, unitsOf } from "../../../product/scenario/expect/eventText.ts";
import { describeReceipt } from "../../../product/scenario/expect/receipts.ts";
import { lotsText, priceText, ticksText, usd } from "../../../product/scenario/expect/units.ts";
import type { Flow } from "../../../product/scenario/write/payloadCells.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { EventKind, VenueEvent } from "../../../protocol/events.ts";
import type { ActionResult, Receipt } from "../../../protocol/receipt.ts";
import type { RejectionNumbers } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { MARGIN_MODES } from "../../../protocol/words.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { TOTAL, TOTAL_NAMES } from "../../../venue/engine/state/totals.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import type { MarketOf } from "../../../venue/simulation/explain/marketsOfBlock.ts";
import { readNumber, rulesOf } from "../../../venue/simulation/explain/numberText.ts";
import type { EmittedEvent } from "../../model/emitted.ts";
import type { ModelReceipt, Numbers } from "../../model/receipts.ts";
import type { Account, Market, ModelState, Position } from "../../model/state.ts";
import { BY_ORDER, IN_ORDER } from "../differential/compareEvents.ts";

/** Cells of `expect`, by key. */
export type Cells = Record<string, Flow>;

/** Undefined if there is no cell. */
const filled = (cells: Cells): Cells | undefined => (Object.keys(cells).length === 0 ? undefined : cells);

/** A larger number is reported as the bound. */
const isReported = (value: bigint | number | string) =>
  typeof value === "string" || Number.isSafeInteger(Number(value)) === true;

/**
 * The model's outcome of a transaction, with its results or numbers if only these differ from the venue's; undefined if
 * all are equal.
 */
export function cellOfReceipt(
  state: State,
  transaction: Transaction,
  venue: Receipt,
  model: ModelReceipt,
): Flow | undefined {
  const { code = "", status, results = [], numbers } = model;
  if (status !== venue.status || code !== (venue.code ?? "")) return describeReceipt({ status, code } as Receipt);
  const isSame = ({ status: ours, code: why }: ActionResult, other: ActionResult | undefined) =>
    ours === other?.status && why === other.code;
  const emitted = venue.results ?? [];
  if (status === "applied") {
    if (emitted.length === results.length && results.every((result, at) => isSame(result, emitted[at])))
      return undefined;
    return { applied: results.map((result) => [result.status, result.code].filter(Boolean).join(" ")) };
  }
  const own = Object.entries(numbers ?? {}).filter(([, value]) => isReported(value));
  if (own.every(([name, value]) => String(venue.numbers?.[name]) === String(value))) return undefined;
  const plain = plainNumbers(own);
  const rules = rulesOf(state, transaction, venue.numbers);
  const texts = own.map(([name]) => [name, readNumber(code, name, plain, rules).text]);
  return { [status]: code, ...Object.fromEntries(texts) };
}

function plainNumbers(numbers: readonly [string, Numbers[string]][]): RejectionNumbers {
  return Object.fromEntries(
    numbers.map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  ) as RejectionNumbers;
}

/** The model's events of a block, for the kinds of events in which venue and model differ. */
export function cellsOfEvents(
  state: State,
  events: readonly VenueEvent[],
  emitted: readonly EmittedEvent[],
  names: Names,
  texts: readonly string[],
  marketOf: MarketOf,
): Cells {
  const scope = { state, names, texts, marketOf };
  const cells: Cells = {};
  for (const kind of [...IN_ORDER, ...BY_ORDER]) {
    const ours = events.filter((event) => event.kind === kind);
    const theirs = BY_ORDER.some((other) => other === kind)
      ? sortLike(
          ours,
          emitted.filter((one) => one.kind === kind),
        )
      : emitted.filter((one) => one.kind === kind);
    const read = ours.map((event) => readEventText(scope, event).fields);
    const wanted = theirs.map((one, at) => fieldsOf(scope, one, ours[at]));
    const isSame = (fields: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>) =>
      Object.entries(fields).every(([name, text]) => other[name] === text);
    if (ours.length === theirs.length && wanted.every((fields, at) => isSame(fields, read[at]!))) continue;
    cells[kind] = wanted.length === 0 ? "none" : wanted;
  }
  return cells;
}

/**
 * Sorts the model's events of a kind without a prescribed order: like the venue's events of the same orders. Events
 * without a counterpart come last, by order id.
 */
function sortLike(ours: readonly VenueEvent[], theirs: readonly EmittedEvent[]): readonly EmittedEvent[] {
  const idOf = (event: object) => Number((event as { order: number }).order);
  const ids = ours.map(idOf);
  const places = theirs.map((one) => {
    const id = idOf(one.fields);
    const place = ids.indexOf(id);
    if (place !== -1) ids[place] = Number.NaN;
    return { one, id, place: place === -1 ? ids.length : place };
  });
  return places.sort((a, b) => a.place - b.place || a.id - b.id).map(({ one }) => one);
}

/** Fields that the model emits, as texts in traders' units. */
function fieldsOf(
  scope: EventScope,
  { kind, fields }: EmittedEvent,
  venue: VenueEvent | undefined,
): Record<string, string> {
  const known = Object.keys(unitsOf(kind as EventKind)).filter((name) => fields[name] !== undefined);
  const numbers = Object.fromEntries(
    known.map((name) => [name, typeof fields[name] === "string" ? 0 : Number(fields[name])]),
  );
  const blank = Object.fromEntries(Object.keys(unitsOf(kind)).map((name) => [name, -1]));
  // Ticks and lots need the market's units, and not every kind of the model names its market.
  const event = { ...blank, market: (venue as { market?: number } | undefined)?.market ?? -1, ...numbers, kind };
  const texts = readEventText({ ...scope, texts: [] }, event as unknown as VenueEvent).fields;
  return Object.fromEntries(
    known.map((name) => [name, typeof fields[name] === "string" ? (fields[name] as string) : texts[name]!]),
  );
}

/** The model's values after a block that differ from the venue's. */
export function cellsOfState(state: State, model: ModelState, names: Names): Cells {
  const found: Cells = {};
  const prices: Cells = {};
  const markets: Cells = {};
  for (const market of model.markets) {
    const { prices: ours, values } = cellsOfMarket(state, market);
    if (ours !== undefined) prices[market.name] = ours;
    if (values !== undefined) markets[market.name] = values;
  }
  const accounts: Cells = {};
  const positions: Cells = {};
  for (const account of model.accounts) {
    const name = names.nameOf(account.owner, account.subaccount);
    const row = findAccount(state, new AccountKey(account.owner, account.subaccount));
    if (!names.has(name) || row === NONE) continue;
    const collateral = different({ collateral: [usd(state.accounts.collateral[row]!), usd(account.collateral)] });
    if (collateral !== undefined) accounts[name] = collateral;
    const own = cellsOfPositions(state, account);
    if (own !== undefined) positions[name] = own;
  }
  const totals = different(
    Object.fromEntries(
      TOTAL_NAMES.map((name) => [name, [usd(state.totals.get(TOTAL[name])), usd(model.totals[name])] as const]),
    ),
  );
  for (const [key, cells] of Object.entries({ accounts, positions, prices, markets, venue: totals ?? {} }))
    if (Object.keys(cells).length > 0) found[key] = cells;
  return found;
}

/** The model's text of each value that differs from the venue's. */
function different(texts: Readonly<Record<string, readonly [venue: string, model: string]>>): Cells | undefined {
  return filled(
    Object.fromEntries(
      Object.entries(texts)
        .filter(([, [venue, model]]) => venue !== model)
        .map(([name, [, model]]) => [name, model]),
    ),
  );
}

function cellsOfMarket(
  state: State,
  market: Market,
): { readonly prices?: Cells | undefined; readonly values?: Cells | undefined } {
  const { markets } = state;
  const row = state.marketRows.get(market.name);
  if (row === undefined) return {};
  const price = (venue: number, model: bigint) => [priceText(venue), formatDecimal(model, 8)] as const;
  return {
    prices: different({
      oracle: price(markets.oracle[row]!, market.oracle),
      index: price(markets.index[row]!, market.index),
      mark: price(markets.mark[row]!, market.mark),
      last: [
        ticksText(state, row, markets.last[row]!),
        formatDecimal(market.last * BigInt(state.parameters[row]!.tickSize), 8),
      ],
    }),
    values: different({
      fundingDue: [formatDecimal(markets.fundingDue[row]!, 9), formatDecimal(market.funding.due, 9)],
      dust: [usd(markets.dust[row]!), usd(market.dust)],
    }),
  };
}

function cellsOfPositions(state: State, account: Account): Cells | undefined {
  const row = findAccount(state, new AccountKey(account.owner, account.subaccount));
  const cells: Cells = {};
  for (const position of account.positions.values()) {
    const own = cellsOfPosition(state, position, position.market.ordinal as MarketRow, row);
    if (own !== undefined) cells[position.market.name] = own;
  }
  return filled(cells);
}

function cellsOfPosition(
  state: State,
  model: Position,
  market: MarketRow,
  account: ReturnType<typeof findAccount>,
): Cells | undefined {
  const { positions, parameters } = state;
  const row = getPosition(state, account, market);
  const of = (column: { readonly [row: number]: number }) => (row === NONE ? 0 : column[row]!);
  return different({
    size: [
      lotsText(state, market, of(positions.signedLots)),
      formatDecimal(model.signedLots * BigInt(parameters[market]!.lotSize), 8),
    ],
    cost: [usd(of(positions.cost)), usd(model.cost)],
    isolated: [usd(of(positions.isolated)), usd(model.isolated)],
    leverage: [String(of(positions.leverage)), String(model.leverage)],
    mode: [MARGIN_MODES[of(positions.mode)]!, model.mode],
  });
}
