import { CLOSE_KIND } from "../../../protocol/events.ts";
import { LIQUIDATION_POLICY, ROLE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth, type HealthView } from "../machinery/exact/health.ts";
import type { Books } from "../machinery/ledger/books.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

/** The current walk through a ranking. */
interface Walk {
  height: number;
  liquidation: number;
  market: number;
}

const { liquidation: LIQUIDATION, way: WAY, market: MARKET, counterparty: COUNTERPARTY, size: SIZE } = AT.deleveraged;

/**
 * The model checks rankings in full. This check needs no formula. Two positions with the same size, cost, equity and
 * maintenance have the same rank by any formula; each may be closed by the same amount.
 */
export const twinsInOrder = defineInvariant<Walk>({
  id: "twinsInOrder",
  sentence: "Of two positions that are equal to the unit, the one of the earlier account is deleveraged first.",
  rules: ["LIQ-5", "DET-3"],
  catalogue: ["L10", "D04"],
  when: "events",
  kinds: ["deleveraged"],
  start: () => ({ height: -1, liquidation: -1, market: -1 }),
  event(moment, at, walk) {
    const { data, ledger, state, block } = moment;
    const [liquidation, market] = [data[at + LIQUIDATION]!, data[at + MARKET]!];
    const isFirst = walk.height !== block.height || walk.liquidation !== liquidation || walk.market !== market;
    Object.assign(walk, { height: block.height, liquidation, market });
    if (data[at + WAY] === CLOSE_KIND.takeover) return undefined;
    // This policy's ranking changes with the height and has no ties.
    if (state.parameters[market]!.liquidationPolicy === LIQUIDATION_POLICY.dydx) return undefined;
    moment.met++;
    const { positions } = ledger.now;
    const taken = ledger.positionRows.find(data[at + COUNTERPARTY]!, market);
    // The walk may have passed over an earlier account that could not take a larger amount.
    if (!isFirst && data[at + SIZE] !== Math.abs(positions.signedLots[taken]!)) return undefined;
    for (let row = 0 as PositionRow; row < positions.rows.high; row++) {
      if (positions.signedLots[row] !== positions.signedLots[taken] || positions.cost[row] !== positions.cost[taken])
        continue;
      if (positions.market[row] !== market || positions.account[row]! >= positions.account[taken]!) continue;
      if (areTwins(moment, row, taken))
        return `account ${positions.account[taken]} is deleveraged before account ${positions.account[row]}, which has an equal position`;
    }
    return undefined;
  },
});

/** Equal when the pass began, and still equal. */
function areTwins({ ledger, state }: Moment, one: PositionRow, other: PositionRow): boolean {
  const forms = [ledger.was, ledger.now].flatMap((books) => [one, other].map((at) => form(books, state, at)));
  return forms[0] !== "" && forms.every((text) => text === forms[0]);
}

function form(
  { accounts, positions }: Books,
  { parameters, markets, accounts: live }: Moment["state"],
  at: PositionRow,
): string {
  const account: AccountRow = positions.account[at]!;
  if (live.role[account] !== ROLE.normal) return "";
  const view: HealthView = { accounts, positions, markets, parameters };
  const { equity, maintenance } = exactHealth(view, account, positions.mode[at] === 0 ? undefined : at);
  const mark: number = markets.mark[positions.market[at] as MarketRow]!;
  return [positions.signedLots[at], positions.cost[at], equity, maintenance, mark].join(" ");
}
