import { BALANCE_CAUSE, EVENT_CODES } from "../../../protocol/events.ts";
import { LIQUIDATION_POLICY } from "../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";

/** Greatest fees of the policies with a fee of their own, ppm. */
const FEES: Readonly<Record<number, number>> = {
  [LIQUIDATION_POLICY.dydx]: 15_000,
  [LIQUIDATION_POLICY.hyperliquid]: 0,
};

/** Quote units that rounding may take from the value of a margin account. */
const ROUNDING = 1n;

/** The last fill of a liquidation: its market and value, and the equity of its margin account before it. */
interface LastFill {
  market: number;
  value: number;
  equity: bigint;
}

export const liquidationFeeWithin = defineInvariant<LastFill>({
  id: "liquidationFeeWithin",
  sentence:
    "A liquidation fee is at most the market's share of its fill, is never negative, and takes only equity that exists.",
  rules: ["LIQ-2"],
  catalogue: ["L06"],
  when: "events",
  kinds: ["fill", "balanceChanged"],
  slack: "quote units",
  start: () => ({ market: -1, value: 0, equity: 0n }),
  event(moment, at, last) {
    const { data, state } = moment;
    if (data[at] === EVENT_CODES.fill) {
      last.market = data[at + AT.fill.liquidation] === 0 ? -1 : data[at + AT.fill.market]!;
      last.value = data[at + AT.fill.value]!;
      if (last.market >= 0) last.equity = measureEquity(moment, data[at + AT.fill.takerAccount]!, last.market);
      return undefined;
    }
    if (data[at + AT.balanceChanged.cause] !== BALANCE_CAUSE.liquidationFee) return undefined;
    moment.met++;
    const fee = -data[at + AT.balanceChanged.delta]!;
    const name = `account ${data[at + AT.balanceChanged.account]}`;
    if (last.market < 0) return `${name} pays a liquidation fee of ${fee} without a fill`;
    const rules = state.parameters[last.market]!;
    const rate = FEES[rules.liquidationPolicy] ?? rules.liquidationFee;
    if (fee < 0 || BigInt(fee) * 1_000_000n > BigInt(last.value) * BigInt(rate) + 999_999n)
      return `${name} pays a liquidation fee of ${fee} for a fill of ${last.value}`;
    const left = measureEquity(moment, data[at + AT.balanceChanged.account]!, last.market) - BigInt(fee);
    const least = last.equity < 0n ? last.equity : 0n;
    near(moment, left + ROUNDING - least);
    if (left + ROUNDING >= least) return undefined;
    return `${name} pays a liquidation fee of ${fee}, which lowers its equity from ${last.equity} to ${left}`;
  },
});

/** Equity of the margin account of a position, less the amount that a backstop's loss limit keeps back. */
function measureEquity({ ledger, state }: Moment, account: number, market: number): bigint {
  const { accounts, positions, markets } = ledger.now;
  const view = { accounts, positions, markets, parameters: state.parameters };
  const row = ledger.positionRows.find(account, market) as PositionRow;
  if (row >= 0 && positions.mode[row] !== 0) return exactHealth(view, account as AccountRow, row).equity;
  const reserve = state.backstops.find((backstop) => backstop.account === account)?.reserve ?? 0;
  return exactHealth(view, account as AccountRow).equity - BigInt(reserve);
}
