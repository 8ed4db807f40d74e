/**
 * Equity and margins of a margin account (MRG), in quote units. If any of them exceeds what a `number` holds exactly,
 * `overflow` is set and the bigint fields hold it.
 */
export class Health {
  equity = 0;
  /** Maintenance margin of the open positions. */
  maintenance = 0;
  /** Initial margin of the open positions, resting orders not counted. */
  positionInitial = 0;
  /** Initial margin with resting orders (MRG-3). */
  initial = 0;
  /** Notional of the open positions. */
  notional = 0;
  /** Of `initial`, what the market asked about takes. */
  marketInitial = 0;
  /** Sum of min(0, unrealised PnL + unsettled funding) over positions (MRG-5). */
  losses = 0;
  /** Of a cross margin account: the account also has isolated margin accounts. */
  hasIsolated = false;
  overflow = false;
  bigEquity = 0n;
  bigMaintenance = 0n;
  bigPositionInitial = 0n;
  bigInitial = 0n;
  bigNotional = 0n;
  bigLosses = 0n;
}
