/**
 * The event of a funding payment, which is written again for each payment. Its fields start as `NaN`, which is stored
 * as a double: an object literal would have fields whose kind depends on the first payment.
 */
export class PaidFunding {
  market = Number.NaN;
  rate = Number.NaN;
  due = Number.NaN;
  carry = Number.NaN;
  indexHigh = Number.NaN;
  indexLow = Number.NaN;
  settledMs = Number.NaN;
}
