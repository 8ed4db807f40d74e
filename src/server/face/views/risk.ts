import { type AccountRisk, type MarginAccountRisk, RISK_STATES } from "../../../client/api/schemas/accounts.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import { ROLE, ROLES } from "../../../protocol/words.ts";
import { getLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import { marginAccountOf } from "../../../venue/engine/state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { computeMaintenanceBig, computeNotionalBig } from "../../../venue/engine/valuation/notional.ts";
import { formatAmount, formatLots, formatPrice } from "../../../venue/formulas/text.ts";
import { type MarginAccountFigures, readMarginAccount } from "../../../venue/reads/figures.ts";
import { listMarginAccountsOf, subaccountOf } from "../../../venue/reads/rows.ts";
import { getLiquidation } from "./liquidationOf.ts";
import { listOpenPositions } from "./positions.ts";
import { positiveOrNull, ratioDown, ratioUp } from "./text.ts";

export function viewRisk(state: State, account: AccountRow): AccountRisk {
  const marginAccounts = listMarginAccountsOf(state, account).map((marginAccount) =>
    viewMarginAccount(state, account, marginAccount),
  );
  const worst = Math.max(...marginAccounts.map(({ state: name }) => RISK_STATES.indexOf(name)));
  return {
    subaccount: subaccountOf(state, account),
    role: ROLES[state.accounts.role[account]!]!,
    state: RISK_STATES[worst]!,
    marginAccounts,
    scheduledCancelMs: positiveOrNull(state.accounts.cancelTime[account]!),
  };
}

export function viewMarginAccount(state: State, account: AccountRow, isolated: PositionRow): MarginAccountRisk {
  const figures = readMarginAccount(state, account, isolated);
  const { equity, maintenance, notional } = figures;
  const liquidation = getLiquidation(state, account, isolated);
  return {
    marginAccount: isolated === NONE ? "cross" : state.marketNames[state.positions.market[isolated]!]!,
    state: nameState(state, account, figures, liquidation !== 0),
    collateral: formatAmount(figures.collateral),
    equity: formatAmount(equity),
    unrealizedPnl: formatAmount(figures.unrealizedPnl),
    unsettledFunding: formatAmount(figures.unsettledFunding),
    notional: formatAmount(notional),
    initialMargin: formatAmount(figures.initial),
    maintenanceMargin: formatAmount(maintenance),
    freeCollateral: formatAmount(figures.free),
    marginRatio: equity > 0n ? ratioUp(maintenance, equity, 6) : null,
    leverage: equity > 0n ? ratioUp(notional, equity, 2) : null,
    positions: listOpenPositions(state, account)
      .filter((at) => marginAccountOf(state, at) === isolated)
      .map((at) => viewPositionRisk(state, at)),
    liquidationId: liquidation === 0 ? null : nameLiquidation(liquidation),
  };
}

function nameState(
  { accounts }: State,
  account: AccountRow,
  { equity, maintenance, initial }: MarginAccountFigures,
  isOpen: boolean,
): MarginAccountRisk["state"] {
  if (accounts.role[account]! === ROLE.house) return "healthy";
  if (equity < 0n) return "bankrupt";
  if (isOpen) return "liquidating";
  if (equity < maintenance) return "liquidatable";
  return equity < initial ? "marginCall" : "healthy";
}

function viewPositionRisk(state: State, at: PositionRow): MarginAccountRisk["positions"][number] {
  const { positions, markets } = state;
  const market = positions.market[at]!;
  const rules = state.parameters[market]!;
  const mark = markets.mark[market]!;
  const notional = computeNotionalBig(rules, positions.signedLots[at]!, mark);
  const price = getLiquidationPrice(state, at);
  return {
    market: state.marketNames[market]!,
    size: formatLots(rules, positions.signedLots[at]!),
    notional: formatAmount(notional),
    maintenanceMargin: formatAmount(computeMaintenanceBig(rules, notional)),
    liquidationPrice: price === undefined ? null : formatPrice(price),
    distance: price === undefined ? null : ratioDown(BigInt(Math.abs(mark - price)), BigInt(mark), 6),
  };
}
