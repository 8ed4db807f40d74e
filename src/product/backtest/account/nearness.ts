import { compareProducts } from "../../../ground/math/fixed.ts";

/** Whether a margin account is nearer to its liquidation than another: its maintenance is more of its equity. */
export function isNearer(equity: number, maintenance: number, otherEquity: number, otherMaintenance: number): boolean {
  if (maintenance === 0) return false;
  if (otherMaintenance === 0) return true;
  if (equity <= 0 || otherEquity <= 0) return equity <= 0 && (otherEquity > 0 || equity < otherEquity);
  return compareProducts(maintenance, otherEquity, otherMaintenance, equity) > 0;
}
