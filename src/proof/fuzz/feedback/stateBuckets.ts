/**
 * State of a venue after a block in coarse buckets: distances of accounts to their limits, book, funding, insurance and
 * prices. Distances count by order of magnitude. So a run that comes closer to a limit than any before reaches a new
 * place.
 */
import { NONE } from "../../../ground/collections/table.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { VALIDITIES } from "../../../protocol/validity.ts";
import { MARKET_STATUSES } from "../../../protocol/words.ts";
import { DEPTH, measure, measureIsolated } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import type { CoverageMap } from "./coverageMap.ts";
import { CONTRIBUTORS_START, magnitude, STATE_START } from "./layout.ts";

/** Regions of the state's places, with their sizes. */
const SIZES = {
  /** Distance that a rejection compared: 64 orders of magnitude per code. */
  slack: 8192,
  /** Equity over maintenance margin, by number of positions. */
  health: 512,
  /** Equity minus maintenance margin, and minus initial margin. */
  maintenance: 128,
  initial: 128,
  isolated: 128,
  insurance: 64,
  /** Spread in ticks, and which sides exist. */
  book: 256,
  orders: 16,
  waiting: 16,
  /** Margin tier of a position, by side. */
  tier: 64,
  funding: 128,
  price: 512,
  mark: 64,
  openInterest: 64,
  intents: 16,
  events: 64,
  /** One place per entry of `ODDITIES`. */
  odd: 16,
} as const;
/** States that need unusual market parameters, or unrealistic books. */
const ODDITIES = ["oddLots", "wholeLots", "denseTiers", "askBeyondPrice", "bookFar", "waitingInPause"] as const;
const ODD = Object.fromEntries(ODDITIES.map((name, place) => [name, place])) as Record<
  (typeof ODDITIES)[number],
  number
>;
/** Spread in ticks of a very wide book: more than its first pages hold. */
const FAR = 1 << 18;
/** Number of tiers of a market whose bounds are close together. */
const DENSE = 10;
type Region = keyof typeof SIZES;

const STARTS = {} as Record<Region, number>;
let end = STATE_START;
for (const region of Object.keys(SIZES) as Region[]) {
  STARTS[region] = end;
  end += SIZES[region];
}
if (end > CONTRIBUTORS_START) throw new Error("the coverage map is too small for the state buckets");

/** Insurance fund over open interest, times 1024: empty fund. */
const FUND_EMPTY = 22;

/** Maps both signs to one range; magnitudes are below 64. */
function signed(value: number): number {
  return value < 0 ? 64 + magnitude(-value) : magnitude(value);
}

/** Counts the distance between two numbers that a rejection compared. */
export function countSlack(map: CoverageMap, code: number, distance: number): void {
  map.count(STARTS.slack + (((code & 127) << 6) | magnitude(Math.abs(distance))));
}

export function countAccount(map: CoverageMap, state: State, account: AccountRow): void {
  const { positions } = state;
  let count = 0;
  for (let at = state.accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
    if (positions.signedLots[at] === 0) continue;
    count++;
    countPosition(map, state, at);
  }
  if (count === 0) return;
  const { equity, maintenance, initial, overflow } = measure(state, account, DEPTH.orders);
  if (overflow || maintenance === 0) return;
  const ratio = Math.min(31, magnitude(Math.max(0, Math.floor((equity * 16) / maintenance))));
  map.count(STARTS.health + ((Math.min(count, 4) - 1) * 64 + (equity < 0 ? 32 : 0) + ratio));
  map.count(STARTS.maintenance + signed(equity - maintenance));
  map.count(STARTS.initial + signed(equity - initial));
  if (equity < maintenance && isPaused(state, account)) map.count(STARTS.odd + ODD.waitingInPause);
}

/** True if the account has a position in a market with paused liquidations. */
function isPaused(state: State, account: AccountRow): boolean {
  const { positions, parameters } = state;
  for (let at = state.accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
    if (positions.signedLots[at] !== 0 && parameters[positions.market[at]!]!.pauseLiquidate !== 0) return true;
  }
  return false;
}

function countPosition(map: CoverageMap, state: State, at: PositionRow): void {
  const { positions, markets } = state;
  const market = positions.market[at]!;
  const signedLots = positions.signedLots[at]!;
  const { tiers, lotNumerator, lotDenominator } = state.parameters[market]!;
  const notional = Math.abs(signedLots) * ((markets.mark[market]! * lotNumerator) / lotDenominator);
  let tier = 0;
  while (tier + 1 < tiers.length && tier < 15 && notional >= tiers[tier + 1]!.from) tier++;
  map.count(STARTS.tier + ((tier << 2) | (signedLots > 0 ? 2 : 0) | (positions.mode[at] === 0 ? 0 : 1)));
  if (positions.mode[at] === 0) return;
  const { equity, maintenance, overflow } = measureIsolated(state, at);
  if (!overflow) map.count(STARTS.isolated + signed(equity - maintenance));
}

export function countMarkets(map: CoverageMap, state: State): void {
  const { markets, totals } = state;
  const insurance = totals.cap(TOTAL.insurance);
  for (let row = 0; row < state.marketNames.length; row++) {
    const market = row as MarketRow;
    const rules = state.parameters[market]!;
    const mark = markets.mark[market]!;
    const book = state.books[market]!;
    const bid = book.bestBid;
    const ask = book.bestAsk;
    const sides = (bid === 0 ? 0 : 2) | (ask === 0 ? 0 : 1);
    map.count(STARTS.book + (sides << 6) + (sides === 3 ? magnitude(ask - bid) : 0));
    const open = markets.openInterest[market]! * ((mark * rules.lotNumerator) / rules.lotDenominator);
    map.count(STARTS.openInterest + magnitude(markets.openInterest[market]!));
    if (open > 0) map.count(STARTS.insurance + Math.min(63, FUND_EMPTY + magnitude((insurance * 1024) / open)));
    map.count(STARTS.funding + signed(markets.fundingRate[market]!));
    const validity = Math.min(markets.validity[market]!, 7);
    const odd = (markets.restarting[market] === 0 ? 0 : 2) | (markets.candidate[market] === 0 ? 0 : 1);
    map.count(STARTS.price + ((Math.min(rules.status, 15) << 5) | (validity << 2) | odd));
    map.count(STARTS.mark + magnitude(Math.abs(mark - markets.index[market]!)));
    if (open > 0) countMake(map, rules);
    if (ask * rules.tickSize > rules.priceMost) map.count(STARTS.odd + ODD.askBeyondPrice);
    if (sides === 3 && ask - bid >= FAR) map.count(STARTS.odd + ODD.bookFar);
  }
  map.count(STARTS.orders + Math.min(15, magnitude(state.orders.rows.count)));
  map.count(STARTS.intents + Math.min(15, magnitude(state.intents.rows.count)));
  map.count(STARTS.waiting + Math.min(15, state.risk.queueFull.size));
}

/** Counts unusual parameters of a market in which an account has a position. */
function countMake(map: CoverageMap, { lotNumerator, lotDenominator, tiers }: MarketParameters): void {
  if (lotNumerator > 1) map.count(STARTS.odd + ODD.oddLots);
  if (lotDenominator === 1) map.count(STARTS.odd + ODD.wholeLots);
  if (tiers.length >= DENSE) map.count(STARTS.odd + ODD.denseTiers);
}

/** @param events number of events of the block @param liquidations number of them that started a liquidation */
export function countBlock(map: CoverageMap, events: number, liquidations: number): void {
  map.count(STARTS.events + Math.min(31, magnitude(events)));
  map.count(STARTS.events + 32 + Math.min(31, magnitude(liquidations)));
}

/**
 * Rare states that a search should reach, by place: every status of a market, every validity of a price, and states
 * that need other states first.
 */
export function listRareStates(): { readonly place: number; readonly name: string }[] {
  const range = (name: string, region: Region, is: (place: number) => boolean) =>
    Array.from({ length: SIZES[region] }, (_, place) => place)
      .filter(is)
      .map((place) => ({ place: STARTS[region] + place, name: `state ${name}` }));
  return [
    ...MARKET_STATUSES.flatMap((word, status) => range(`market ${word}`, "price", (place) => place >> 5 === status)),
    ...VALIDITIES.flatMap((word, validity) => range(`price ${word}`, "price", (at) => ((at >> 2) & 7) === validity)),
  ].concat(
    range("marketRestarting", "price", (place) => (place & 2) !== 0),
    range("priceUnconfirmed", "price", (place) => (place & 1) !== 0),
    range("equityNegative", "health", (place) => (place & 32) !== 0),
    range("belowMaintenance", "maintenance", (place) => place > 64),
    range("belowInitial", "initial", (place) => place > 64),
    range("isolatedBelowMaintenance", "isolated", (place) => place > 64),
    range("manyPositions", "health", (place) => place >= 3 * 64),
    range("upperTier", "tier", (place) => place >> 2 >= 1),
    range("isolatedShort", "tier", (place) => (place & 3) === 1),
    range("bookEmpty", "book", (place) => place >> 6 === 0),
    range("bookOneSided", "book", (place) => place >> 6 === 1 || place >> 6 === 2),
    range("bookOneTickWide", "book", (place) => place >> 6 === 3 && (place & 63) === 1),
    range("fundEmpty", "insurance", (place) => place === FUND_EMPTY),
    range("fundingNegative", "funding", (place) => place > 64),
    range("marketsFrozen", "waiting", (place) => place >= 1),
    range("cascade", "events", (place) => place >= 32 + 3),
    ...ODDITIES.map((name) => range(name, "odd", (place) => place === ODD[name])),
  );
}
