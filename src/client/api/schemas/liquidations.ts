import { type Static, Type } from "typebox";
import { CLOSE_KINDS, INSURANCE_CAUSES, LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { SIDES } from "../../../protocol/words.ts";
import {
  address,
  amount,
  count,
  height,
  nullable,
  price,
  rate,
  size,
  subaccount,
  text,
  timeMs,
  word,
} from "./common.ts";

const AccountName = Type.Object(
  { address: address("Its address."), subaccount: subaccount() },
  { $id: "AccountName", description: "An account." },
);

const LiquidationStep = Type.Object(
  {
    eventId: text("Its event."),
    height: height("Block."),
    stage: word(LIQUIDATION_STAGES, "Stage that was entered."),
    market: nullable(text("Market of the position concerned.")),
    bankruptcyPrice: nullable(price("Bankruptcy price of that position (LIQ); it may be negative.")),
    cooldownMs: nullable(timeMs("When the position may be closed further.")),
  },
  { $id: "LiquidationStep" },
);

const LiquidationClose = Type.Object(
  {
    eventId: text("Its event."),
    height: height("Block."),
    way: word(["book", ...CLOSE_KINDS], "`book`: filled by resting orders; the others were closed against an account."),
    market: text("Name of the market."),
    side: word(SIDES, "What the liquidated side did."),
    size: size("Size closed."),
    price: price("Price; off the book, value by size, toward zero."),
    value: amount("What was given for it."),
    counterparty: nullable(AccountName, "The account on the other side, off the book."),
  },
  { $id: "LiquidationClose" },
);

/** A liquidation record (LIQ). */
export const Liquidation = Type.Object(
  {
    liquidationId: text("`L-<height>-<n>`."),
    account: AccountName,
    marginAccount: text("`cross`, or the market of the isolated position."),
    stage: word(LIQUIDATION_STAGES, "Present stage; `recovered` and `completed` end it."),
    startedHeight: height("Block in which it began."),
    startedMs: timeMs("Time of that block."),
    endedHeight: nullable(height("Block in which it ended; null while it is open.")),
    equity: amount("Equity of the margin account when it began."),
    maintenance: amount("Maintenance margin when it began."),
    liquidationSteps: count("Blocks in which a liquidation step of it ran."),
    closedNotional: amount("Value of everything that was closed, without sign."),
    fee: amount("Liquidation fees paid."),
    insurance: amount("What the insurance fund paid for it."),
    socialized: amount("What others paid of its deficit."),
    steps: Type.Array(LiquidationStep, { description: "Stages, oldest first; the last 200." }),
    closes: Type.Array(LiquidationClose, { description: "What was closed, oldest first; the last 200." }),
  },
  { $id: "Liquidation", description: "A liquidation of a margin account." },
);
export type Liquidation = Static<typeof Liquidation>;

export const InsuranceFund = Type.Object(
  {
    asset: text("The settlement asset."),
    balance: amount("Collateral that it holds; never negative."),
    badDebt: amount("Deficits that no account paid, repaid first from the fund's income."),
    fees: amount("Trading fees less rebates that the venue kept."),
    byCause: Type.Record(Type.String(), Type.String(), {
      description: `Sums of what is kept in the history, by cause: ${INSURANCE_CAUSES.join(", ")}.`,
    }),
    backstops: Type.Array(
      Type.Object({
        account: AccountName,
        collateral: amount("Its collateral."),
        lossLimit: nullable(amount("How much it may lose; null for all of it.")),
      }),
      { description: "Accounts that take positions over (LIQ-3)." },
    ),
  },
  { $id: "InsuranceFund", description: "State of the insurance fund." },
);
export type InsuranceFund = Static<typeof InsuranceFund>;

export const InsuranceChange = Type.Object(
  {
    eventId: text("Its event."),
    height: height("Block."),
    timeMs: timeMs("Time of the block."),
    delta: amount("What came in; negative was paid."),
    cause: word(INSURANCE_CAUSES, "Why."),
    market: nullable(text("Market concerned.")),
    account: nullable(AccountName, "Account concerned."),
    balanceAfter: amount("What the fund held then."),
  },
  { $id: "InsuranceChange", description: "A change of the insurance fund." },
);
export type InsuranceChange = Static<typeof InsuranceChange>;

export const FundingRate = Type.Object(
  {
    eventId: text("Its event."),
    market: text("Name of the market."),
    height: height("Block."),
    timeMs: timeMs("Time of the block."),
    rate: rate("What was paid of notional; longs pay when positive."),
  },
  { $id: "FundingRate", description: "A funding payment of a market." },
);
export type FundingRate = Static<typeof FundingRate>;
