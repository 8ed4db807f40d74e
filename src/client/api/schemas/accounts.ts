import { type Static, Type } from "typebox";
import { DOMAINS } from "../../../protocol/action.ts";
import { MARGIN_MODES, ROLES } from "../../../protocol/words.ts";
import {
  address,
  amount,
  count,
  flag,
  hash,
  height,
  id,
  nullable,
  price,
  rate,
  size,
  subaccount,
  text,
  word,
} from "./common.ts";

export const POSITION_SIDES = ["long", "short"] as const;

/** Collateral of a subaccount. */
export const Balance = Type.Object(
  {
    subaccount: subaccount(),
    role: word(ROLES, "What kind of account it is (ACC)."),
    asset: text("The settlement asset."),
    collateral: amount("Cross collateral."),
    isolated: amount("Collateral in the margin accounts of isolated positions."),
    total: amount("Both together."),
    unrealizedPnl: amount("Of all positions, at the mark."),
    unsettledFunding: amount("Funding that positions owe and that is not settled yet; negative is owed to them."),
    equity: amount("total + unrealizedPnl - unsettledFunding."),
    reserved: amount("Initial margin of the cross margin account with resting orders (MRG-3)."),
    available: amount("Cross equity above `reserved`; 0 if it is below."),
    withdrawable: amount(
      "Free to leave the cross margin account (MRG-5), before the venue's gates; 0 where there is nothing.",
    ),
    simulated: flag("A simulated test asset without redemption value."),
  },
  { $id: "Balance", description: "Balance state of a subaccount." },
);
export type Balance = Static<typeof Balance>;

export const Position = Type.Object(
  {
    market: text("Name of the market."),
    subaccount: subaccount(),
    side: word(POSITION_SIDES, "Direction."),
    size: size("Signed: positive is long."),
    cost: amount("Paid for the open size; negative for a short (POS-1)."),
    entryPrice: price("|cost| / |size|, 8 decimals, toward zero."),
    markPrice: price("The mark: what PnL and margin come from."),
    notional: amount("|size| x mark, rounded up."),
    unrealizedPnl: amount("size x mark - cost, the value rounded down (POS-3)."),
    unsettledFunding: amount("Funding that it owes since it was last settled; negative is owed to it."),
    realizedPnl: nullable(
      amount("Realised since the position was opened, fees not counted; null where that is not kept."),
    ),
    fundingPaid: nullable(
      amount("Funding paid since the position was opened, negative is received; null where that is not kept."),
    ),
    openedHeight: nullable(height("Block in which it was opened or turned; null where that is not kept.")),
    marginMode: word(MARGIN_MODES, "Margin account whose collateral backs it (MRG-2)."),
    isolatedMargin: nullable(amount("Collateral of its own margin account; null for a cross position.")),
    leverage: count("Leverage in force: chosen, or the market's greatest."),
    initialMargin: amount("Initial margin."),
    maintenanceMargin: amount("Maintenance margin."),
    liquidationPrice: nullable(
      price(
        "First mark at which its margin account is liquidatable while other marks stay unchanged (MRG-6); null where none is.",
      ),
    ),
  },
  { $id: "Position", description: "An open position." },
);
export type Position = Static<typeof Position>;

export const NonceState = Type.Object(
  {
    lane: Type.Object({
      account: address("Acting account."),
      subaccount: subaccount(),
      signer: address("Who signs: the owner, an agent, or an authority."),
      domain: word(DOMAINS, "Class of actions."),
    }),
    scheme: text("`sequential`, or `window:N` (NON-2)."),
    committedNext: id("Next nonce by what is committed; in a window, one more than the highest used."),
    pendingNext: id("First nonce that is neither committed nor pending: what to sign with next."),
    pending: Type.Array(Type.Object({ nonce: id("Nonce."), txId: hash("The transaction that waits with it.") }), {
      description: "Transactions of the lane that wait for a block, by nonce.",
    }),
  },
  { $id: "NonceState", description: "State of a nonce lane (NON)." },
);
export type NonceState = Static<typeof NonceState>;

export const RISK_STATES = ["healthy", "marginCall", "liquidatable", "liquidating", "bankrupt"] as const;

const riskFields = {
  state: word(
    RISK_STATES,
    "`marginCall`: equity below the initial margin with orders; `liquidatable`: below maintenance; `liquidating`: a liquidation is under way; `bankrupt`: equity is negative.",
  ),
  collateral: amount("Collateral."),
  equity: amount("Collateral + unrealised PnL - unsettled funding."),
  unrealizedPnl: amount("Of its positions, at the mark."),
  unsettledFunding: amount("Funding that its positions owe; negative is owed to them."),
  notional: amount("Of its positions, at the mark."),
  initialMargin: amount("Initial margin with resting orders (MRG-3)."),
  maintenanceMargin: amount("Maintenance margin."),
  freeCollateral: amount("Free to leave the margin account (MRG-5); negative for a shortfall."),
  marginRatio: nullable(
    rate("Maintenance margin by equity, rounded up: 1 is where liquidation begins. null where equity is not positive."),
  ),
  leverage: nullable(rate("Notional by equity, 2 decimals, rounded up. null where equity is not positive.")),
};

const PositionRisk = Type.Object(
  {
    market: text("Name of the market."),
    size: size("Signed: positive is long."),
    notional: amount("|size| x mark, rounded up."),
    maintenanceMargin: amount("Maintenance margin."),
    liquidationPrice: nullable(price("First mark at which the margin account is liquidatable (MRG-6).")),
    distance: nullable(rate("How far the mark is from it, as a share of the mark, rounded down.")),
  },
  { $id: "PositionRisk" },
);

export const MarginAccountRisk = Type.Object(
  {
    marginAccount: text("`cross`, or the market of the isolated position."),
    ...riskFields,
    positions: Type.Array(PositionRisk),
    liquidationId: nullable(text("The liquidation in progress.")),
  },
  { $id: "MarginAccountRisk", description: "Collateral with the positions that it backs (MRG-2)." },
);
export type MarginAccountRisk = Static<typeof MarginAccountRisk>;

export const AccountRisk = Type.Object(
  {
    subaccount: subaccount(),
    role: word(ROLES, "House accounts are exempt from margin (ACC)."),
    state: word(RISK_STATES, "The worst of its margin accounts'."),
    marginAccounts: Type.Array(MarginAccountRisk, {
      description: "The cross margin account, then isolated positions by market.",
    }),
    scheduledCancelMs: nullable(count("Block time at which all its orders are cancelled; null for none.")),
  },
  { $id: "AccountRisk", description: "Risk state of a subaccount." },
);
export type AccountRisk = Static<typeof AccountRisk>;
