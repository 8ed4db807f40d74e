/**
 * Margin in exact integers of any size, written from the rules (MRG-1, MRG-3, MRG-5) and from plain values; the twin of
 * src/venue/engine/margin. Prices and sizes are whole numbers of 1e-8, amounts of 1e-6, rates of 1e-6.
 */
export interface ExactTier {
  readonly from: bigint;
  readonly initial: bigint;
  readonly maintenance: bigint;
}

export interface ExactHolding {
  /** Signed size in 1e-8 base. */
  readonly size: bigint;
  /** Mark in 1e-8. */
  readonly mark: bigint;
  readonly cost: bigint;
  /** What is owed in funding, already rounded against the account. */
  readonly funding: bigint;
  readonly leverage: bigint;
  /** Resting orders that may increase, in 1e-8 base, and their charges. */
  readonly buys: bigint;
  readonly sells: bigint;
  readonly buyOrderCost: bigint;
  readonly sellOrderCost: bigint;
  readonly tiers: readonly ExactTier[];
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);
export const floorDiv = (a: bigint, b: bigint) => (a >= 0n ? a / b : -((-a + b - 1n) / b));
export const ceilDiv = (a: bigint, b: bigint) => -floorDiv(-a, b);

export const exactNotional = (size: bigint, mark: bigint) => ceilDiv(magnitude(size) * mark, 10n ** 10n);
export const exactValue = (size: bigint, mark: bigint) => floorDiv(size * mark, 10n ** 10n);

/** Tiered margin: what each slice of the notional costs at its own rate, added up; the last rounded up. */
function tiered(notional: bigint, tiers: readonly ExactTier[], rate: "initial" | "maintenance"): bigint {
  const place = Math.max(
    0,
    tiers.findLastIndex(({ from }) => notional >= from),
  );
  let deduction = 0n;
  for (let at = 1; at <= place; at++) {
    deduction += floorDiv(tiers[at]!.from * (tiers[at]![rate] - tiers[at - 1]![rate]), 10n ** 6n);
  }
  return ceilDiv(notional * tiers[place]![rate], 10n ** 6n) - deduction;
}

export const exactMaintenance = (notional: bigint, tiers: readonly ExactTier[]) =>
  tiered(notional, tiers, "maintenance");

export function exactInitial(notional: bigint, tiers: readonly ExactTier[], leverage: bigint): bigint {
  const byTier = tiered(notional, tiers, "initial");
  const chosen = leverage === 0n ? 0n : ceilDiv(notional, leverage);
  return chosen > byTier ? chosen : byTier;
}

export interface ExactHealth {
  readonly equity: bigint;
  readonly maintenance: bigint;
  readonly positionInitial: bigint;
  readonly initial: bigint;
  readonly notional: bigint;
  readonly free: bigint;
}

export function exactHealth(collateral: bigint, holdings: readonly ExactHolding[]): ExactHealth {
  let [equity, maintenance, positionInitial, initial, notional, losses] = [collateral, 0n, 0n, 0n, 0n, 0n];
  for (const { size, mark, cost, funding, leverage, buys, sells, buyOrderCost, sellOrderCost, tiers } of holdings) {
    const own = exactNotional(size, mark);
    const gain = exactValue(size, mark) - cost - funding;
    equity += gain;
    if (gain < 0n) losses += gain;
    notional += own;
    maintenance += exactMaintenance(own, tiers);
    positionInitial += exactInitial(own, tiers, leverage);
    const long = exactInitial(exactNotional(size + buys, mark), tiers, leverage) + buyOrderCost;
    const short = exactInitial(exactNotional(size - sells, mark), tiers, leverage) + sellOrderCost;
    initial += long > short ? long : short;
  }
  const tenth = ceilDiv(notional, 10n);
  const free = collateral + losses - (initial > tenth ? initial : tenth);
  return { equity, maintenance, positionInitial, initial, notional, free };
}
