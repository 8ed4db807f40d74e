import { BALANCE_CAUSE, EVENT_CODES } from "../../protocol/events.ts";
import { LIQUIDATION_POLICY } from "../../protocol/words.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";

/** Greatest fees of policies that have one of their own, ppm. */
const FEES: Readonly<Record<number, number>> = {
  [LIQUIDATION_POLICY.dydx]: 15_000,
  [LIQUIDATION_POLICY.hyperliquid]: 0,
};

/** The last fill of a liquidation: its market and value. */
interface LastFill {
  market: number;
  value: number;
}

export const liquidationFeeWithin = defineInvariant<LastFill>({
  id: "liquidationFeeWithin",
  sentence: "A liquidation fee is no more than the market's share of its fill, and it is never paid out.",
  rules: ["LIQ-2"],
  catalogue: ["L06"],
  when: "events",
  kinds: ["fill", "balanceChanged"],
  start: () => ({ market: -1, value: 0 }),
  event(look, at, last) {
    const { data, state } = look;
    if (data[at] === EVENT_CODES.fill) {
      last.market = data[at + AT.fill.liquidation] === 0 ? -1 : data[at + AT.fill.market]!;
      last.value = data[at + AT.fill.value]!;
      return undefined;
    }
    if (data[at + AT.balanceChanged.cause] !== BALANCE_CAUSE.liquidationFee) return undefined;
    look.met++;
    const fee = -data[at + AT.balanceChanged.delta]!;
    const name = `account ${data[at + AT.balanceChanged.account]}`;
    if (last.market < 0) return `${name} pays a liquidation fee of ${fee} without a fill`;
    const rules = state.parameters[last.market]!;
    const rate = FEES[rules.liquidationPolicy] ?? rules.liquidationFee;
    if (fee >= 0 && BigInt(fee) * 1_000_000n <= BigInt(last.value) * BigInt(rate) + 999_999n) return undefined;
    return `${name} pays a liquidation fee of ${fee} for a fill of ${last.value}`;
  },
});
