import type { Recording } from "./input.ts";

/** Parts of a result in quote units; `total` is the gain of the account without transfers. */
export interface Attribution {
  /** Realized and unrealized PnL of prices. */
  readonly price: bigint;
  /** Funding received less paid, accrued included. */
  readonly funding: bigint;
  /** Trading fees paid less rebates. Subtracted. */
  readonly fees: bigint;
  /** Cost of liquidation: liquidation fees and socialized losses, less deficits that others covered. Subtracted. */
  readonly liquidation: bigint;
  readonly total: bigint;
  /** total - (price + funding - fees - liquidation). Not 0 means that an event is missing from the record. */
  readonly residual: bigint;
}

/** Input of `computeAttribution`, in quote units. */
export interface AttributionInput {
  readonly initialEquity: bigint;
  readonly finalEquity: bigint;
  readonly transfers: bigint;
  readonly realizedPnl: bigint;
  readonly unrealizedPnl: bigint;
  /** Settled and accrued; received is positive. */
  readonly funding: bigint;
  readonly tradingFees: bigint;
  readonly liquidationFees: bigint;
  /** Negative: paid by the account. */
  readonly lossSocialized: bigint;
  /** Positive: paid for the account. */
  readonly deficitCovered: bigint;
}

/**
 * Splits the gain of an account into its causes, exactly.
 *
 *     total = final - initial - transfers = price + funding - fees - liquidation + residual
 */
export function computeAttribution(input: AttributionInput): Attribution {
  const price = input.realizedPnl + input.unrealizedPnl;
  const fees = input.tradingFees;
  const liquidation = input.liquidationFees - input.lossSocialized - input.deficitCovered;
  const total = input.finalEquity - input.initialEquity - input.transfers;
  const residual = total - (price + input.funding - fees - liquidation);
  return { price, funding: input.funding, fees, liquidation, total, residual };
}

/** Reads the parts out of a recording. */
export function getAttributionInput({ initialEquity, totals, statistics }: Recording): AttributionInput {
  let realizedPnl = 0n;
  let unrealizedPnl = 0n;
  for (const market of totals.perMarket) {
    realizedPnl += market.realizedPnl;
    unrealizedPnl += market.unrealizedPnl;
  }
  return {
    initialEquity: BigInt(initialEquity),
    finalEquity: BigInt(statistics.finalEquity),
    transfers: totals.transfers,
    realizedPnl,
    unrealizedPnl,
    funding: totals.fundingReceived - totals.fundingPaid + BigInt(statistics.finalFundingAccrued),
    tradingFees: totals.makerFees + totals.takerFees,
    liquidationFees: totals.liquidationFees,
    lossSocialized: totals.lossSocialized,
    deficitCovered: totals.deficitCovered,
  };
}
