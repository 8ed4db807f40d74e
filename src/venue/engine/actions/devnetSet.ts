import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, type PriceE8, type TimeMs } from "../../../ground/math/fixed.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { actions } from "../../../protocol/actions/index.ts";
import { BALANCE_CAUSE } from "../../../protocol/events.ts";
import { movesPrices } from "../../../protocol/lifecycle.ts";
import { DEVNET_TARGET, MARK_METHOD, MARKET_STATUSES, ROLE } from "../../../protocol/words.ts";
import { FieldChecks } from "../handler/checkFields.ts";
import { defineHandler, type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { changeBalance } from "../insurance/insurance.ts";
import { refreshMarket } from "../prices/refreshMarket.ts";
import { createAccount, findAccount } from "../state/accounts.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

const FIELDS = new FieldChecks(actions.devnetSet);

interface DevnetSetPlan extends Plan {
  readonly key: AccountKey;
  readonly account: AccountRow;
  /** Change of the account's collateral, quote units; negative is taken. */
  readonly delta: Amount;
  /** NONE where collateral is set. */
  readonly market: MarketRow;
  readonly price: PriceE8;
}

/** Sets collateral or prices without any checks, on a devnet. Their consequences apply at once. */
export const handleDevnetSet = defineHandler<"devnetSet">("devnetSet")<DevnetSetPlan>({
  check(state, _context, payload) {
    if (!state.genesis.features.devnet) return reject("FEATURE_DISABLED", { feature: "devnet" });
    const { what, account: address, subaccount, amount, market, price } = payload;
    const refused = FIELDS.refuse(payload);
    if (refused !== undefined) return refused;
    const key = new AccountKey(address, subaccount);
    return what === DEVNET_TARGET.collateral
      ? planCollateral(state, key, amount)
      : planPrice(state, key, market, price);
  },

  apply(state, _context, plan) {
    if (plan.market === NONE) setCollateral(state, plan);
    else setPrices(state, plan.market, plan.price);
  },
});

function planCollateral(state: State, key: AccountKey, amount: Amount): DevnetSetPlan | Rejection {
  const account = findAccount(state, key);
  const held = account === NONE ? 0 : state.accounts.collateral[account];
  const delta = (amount - held) as Amount;
  if (delta === 0) return reject("NOTHING_TO_DO", { amount });
  if (amount > LIMIT / 4) return reject("NUMERIC_LIMIT", { amount, limit: LIMIT / 4 });
  return { rejected: false, key, account, delta, market: NONE as MarketRow, price: 0 as PriceE8 };
}

function planPrice(state: State, key: AccountKey, name: string, price: PriceE8): DevnetSetPlan | Rejection {
  const market = state.marketRows.get(name);
  if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
  const rules = state.parameters[market]!;
  if (!movesPrices(rules)) return reject("MARKET_CLOSED", { status: MARKET_STATUSES[rules.status]! });
  if (price === 0) return reject("PRICE_REQUIRED", { price, least: 1 });
  if (price > rules.priceMost) return reject("NUMERIC_LIMIT", { price, most: rules.priceMost });
  return { rejected: false, key, account: NONE as AccountRow, delta: 0 as Amount, market, price };
}

/** Conservation holds: an increase counts as an inflow, a decrease as a withdrawal (POS-4). */
function setCollateral(state: State, { key, account: found, delta }: DevnetSetPlan): void {
  const account = found === NONE ? createAccount(state, key, ROLE.normal) : found;
  if (delta > 0) state.totals.add(TOTAL.inflows, delta);
  else state.totals.add(TOTAL.withdrawals, (0 - delta) as Amount);
  changeBalance(state, account, delta, BALANCE_CAUSE.devnet);
  state.events.collateralSet({ account, delta });
}

/** Sets oracle, index and mark to the price; averages and pending checks of earlier prices are dropped. */
function setPrices(state: State, market: MarketRow, price: PriceE8): void {
  const { markets, events, timeMs } = state;
  const reported = state.parameters[market]!.markMethod === MARK_METHOD.reported || markets.reported[market] !== 0;
  markets.oracle[market] = price;
  markets.oracleTime[market] = timeMs as TimeMs;
  markets.oracleConfidence[market] = 0 as PriceE8;
  markets.candidate[market] = 0 as PriceE8;
  markets.confirmations[market] = 0;
  if (reported) {
    markets.reported[market] = price;
    markets.reportedTime[market] = timeMs as TimeMs;
  }
  events.oracleUpdated({
    market,
    price,
    confidence: 0,
    candidate: 0,
    confirmations: 0,
    reported: reported ? price : 0,
    rate: 0,
    settle: 0,
    timeMs,
  });
  markets.index[market] = price;
  markets.mark[market] = price;
  markets.basis[market] = 0 as PriceE8;
  events.pricesMoved({ market, index: price, mark: price, basis: 0 });
  refreshMarket(state, market);
}
