/**
 * Equity and margins of a margin account (MRG), in quote units. If any of them exceeds what a `number` holds exactly,
 * `overflow` is set and the bigint fields hold it. The numbers start as `NaN`, which is stored as a double, so that
 * their shape never changes. A measurement writes them all.
 */
export class Health {
  equity = Number.NaN;
  /** Maintenance margin of the open positions. */
  maintenance = Number.NaN;
  /** Initial margin of the open positions, resting orders not counted. */
  positionInitial = Number.NaN;
  /** Initial margin with resting orders (MRG-3). */
  initial = Number.NaN;
  /** Notional of the open positions. */
  notional = Number.NaN;
  /** Of `initial`, what the market asked about takes. */
  marketInitial = Number.NaN;
  /** Sum of min(0, unrealised PnL + unsettled funding) over positions (MRG-5). */
  losses = Number.NaN;
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
