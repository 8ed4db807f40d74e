/** The ranking of auto-deleveraging in big integers, from the rulebook's formulas (LIQ-5). */
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { LIQUIDATION_POLICY, ROLE } from "../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { exactMaintenance, exactNotional, exactValue } from "../machinery/exact/health.ts";
import type { Moment } from "../machinery/moment.ts";
import { measureDue } from "./stageHasReason.ts";

/** A counterparty in the ranking: its rank is over / under. */
export interface Ranked {
  readonly account: number;
  /** 0 with equity, 1 without, 2 for house accounts. */
  readonly group: number;
  readonly over: bigint;
  readonly under: bigint;
}

const MILLION = 1_000_000n;

/** Quote units by which rounding may separate two slices of one value. */
const SLICES = 2n;

/** The greatest number that is stored, less what the slices of one value may differ by (NUM-3). */
const CLEARLY_STORABLE = 9_000_000_000_000_000n - 16n;

/** The opposite side of a position as the ledger has it now, greatest rank first. */
export function rankOpposite(moment: Moment, row: PositionRow): Ranked[] {
  const { ledger, state, block } = moment;
  const { accounts, positions, markets } = ledger.now;
  const market = positions.market[row]!;
  const long = positions.signedLots[row]! > 0;
  const rules = state.parameters[market]!;
  const ranked: Ranked[] = [];
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    const signedLots = positions.signedLots[at]!;
    if (positions.market[at] !== market || signedLots === 0 || signedLots > 0 === long) continue;
    const account = positions.account[at]!;
    const { equity } = measure(moment, at);
    const group = state.accounts.role[account] === ROLE.house ? 2 : equity > 0n ? 0 : 1;
    if (equity <= 0n) {
      ranked.push({ account, group, over: 0n, under: 1n });
      continue;
    }
    const notional = exactNotional(rules, BigInt(signedLots), BigInt(markets.mark[market]!));
    const cost = BigInt(positions.cost[at]!);
    const count = accounts.rows.high;
    const turn = BigInt((account + count - (block.height % count)) % count);
    ranked.push({ account, group, ...computeRank(rules, { long: !long, notional, cost, equity, turn }) });
  }
  return ranked.sort((a, b) => {
    const lead = a.over * b.under - b.over * a.under;
    return a.group - b.group || (lead === 0n ? a.account - b.account : lead > 0n ? -1 : 1);
  });
}

interface RankTerms {
  readonly long: boolean;
  readonly notional: bigint;
  /** Signed as in the position. */
  readonly cost: bigint;
  readonly equity: bigint;
  /** Accounts between the one whose turn it is at this height and this one. */
  readonly turn: bigint;
}

/** Rank by the policy of the market: each policy has its own formula. */
function computeRank(
  { liquidationPolicy }: MarketParameters,
  { long, notional, cost, equity, turn }: RankTerms,
): Pick<Ranked, "over" | "under"> {
  if (liquidationPolicy === LIQUIDATION_POLICY.dydx) return { over: -turn, under: 1n };
  const paid = cost === 0n ? 1n : cost < 0n ? -cost : cost;
  if (liquidationPolicy === LIQUIDATION_POLICY.binance) {
    const profit = (long ? notional : -notional) - cost;
    return profit >= 0n
      ? { over: profit * notional, under: paid * equity }
      : { over: profit * equity, under: paid * notional };
  }
  return long ? { over: notional * notional, under: paid * equity } : { over: paid, under: equity };
}

/** By how many parts per million of itself a rank exceeds the next one; 0 for equal ranks. */
export function measureLead(first: Ranked, next: Ranked): bigint {
  if (first.group !== next.group) return MILLION;
  const [more, less] = [first.over * next.under, next.over * first.under];
  const whole = more < 0n ? -more : more;
  return whole === 0n ? 0n : ((more - less) * MILLION) / whole;
}

/**
 * Whether an account on the opposite side could clearly take lots at the price of another fill: it has equity, and
 * after the fill it meets maintenance margin. False if it is close.
 *
 * @param row  the position that is closed
 * @param fill lots of the other fill, and what they bring to the closed position
 */
export function couldTake(
  moment: Moment,
  row: PositionRow,
  account: number,
  fill: { readonly lots: number; readonly cash: number },
): boolean {
  const { ledger, state } = moment;
  const { positions, markets } = ledger.now;
  const market = positions.market[row]!;
  const rules = state.parameters[market]!;
  const mark = BigInt(markets.mark[market]!);
  const at = ledger.positionRows.find(account, market);
  const [open, held] = [BigInt(positions.signedLots[row]!), BigInt(positions.signedLots[at]!)];
  if (held === 0n || held > 0n === open > 0n) return false;
  const [size, most] = [open < 0n ? -open : open, held < 0n ? -held : held];
  const lots = size < most ? size : most;
  const then = held + (open > 0n ? lots : -lots);
  const before = measure(moment, at);
  const cash = (BigInt(fill.cash) * lots) / BigInt(fill.lots) + SLICES;
  const worth = exactValue(rules, then, mark) - exactValue(rules, held, mark);
  const maintenanceOf = (signedLots: bigint) => exactMaintenance(rules, exactNotional(rules, signedLots, mark));
  const equity = before.equity + worth - cash;
  const maintenance = before.maintenance - maintenanceOf(held) + maintenanceOf(then);
  const isStorable = [row, at].every((one) => isClearlyStorable(moment, one, cash));
  return isStorable && before.equity > 0n && equity >= maintenance;
}

/**
 * Whether a fill of a position clearly leaves every number storable: lots that would not be stay open. The rule counts
 * the cost and the cash twice over, once for what the fill may realise (NUM-3).
 */
function isClearlyStorable({ ledger }: Moment, row: PositionRow, cash: bigint): boolean {
  const { accounts, positions } = ledger.now;
  const [collateral, isolated, cost, paid] = [
    BigInt(accounts.collateral[positions.account[row]! as AccountRow]!),
    BigInt(positions.isolated[row]!),
    BigInt(positions.cost[row]!),
    cash,
  ].map((amount) => (amount < 0n ? -amount : amount)) as [bigint, bigint, bigint, bigint];
  const most = cost + paid;
  return 2n * most <= CLEARLY_STORABLE && collateral + isolated + 2n * most <= CLEARLY_STORABLE;
}

/** Health of the margin account of a position, without the amount that a loss limit keeps back. */
function measure({ ledger, state }: Moment, at: PositionRow) {
  const { accounts, positions, markets } = ledger.now;
  const view = { accounts, positions, markets, parameters: state.parameters };
  return measureDue(view, state, positions.account[at]! as AccountRow, positions.mode[at] === 0 ? undefined : at);
}
