/**
 * An order of a cross account below its initial margin, judged by the sentences of the rulebook (MRG-4) from plain
 * values in exact integers; the slow twin of `checkBelowInitial`. Units as in exactMargin.ts.
 */
import { ceilDiv, type ExactHealth, type ExactHolding, exactHealth, exactValue, floorDiv } from "./exactMargin.ts";

export interface PlainOrder {
  /** Which of the holdings it is in. */
  readonly at: number;
  readonly buys: boolean;
  /** In 1e-8 base. */
  readonly size: bigint;
  /** Worst price, in 1e-8. */
  readonly price: bigint;
  /** Taker fee, 1e-6. */
  readonly fee: bigint;
  readonly reduceOnly?: boolean;
}

export interface PlainJudgement {
  readonly before: ExactHealth;
  readonly orderCost: bigint;
  readonly requiredResting: bigint;
  readonly requiredFilled: bigint;
  readonly equityFilled: bigint;
  readonly maintenanceFilled: bigint;
  readonly accepted: boolean;
}

/** What filling a part costs at the worst price: the loss against the mark and the fee. */
export function plainCost({ mark }: ExactHolding, { buys, price, fee }: PlainOrder, size: bigint): bigint {
  const value = exactValue(size, price);
  const worth = buys ? floorDiv(size * mark, 10n ** 10n) : ceilDiv(size * mark, 10n ** 10n);
  const loss = buys ? value - worth : worth - value;
  return (loss > 0n ? loss : 0n) + ceilDiv(value * fee, 10n ** 6n);
}

/** Judges an order on the side that does not increase the position. */
export function judgePlainly(collateral: bigint, holdings: readonly ExactHolding[], order: PlainOrder): PlainJudgement {
  const { at, buys, size, reduceOnly } = order;
  const held = holdings[at]!;
  const measure = (changed: Partial<ExactHolding>) =>
    exactHealth(
      collateral,
      holdings.map((one, place) => (place === at ? { ...one, ...changed } : one)),
    );
  const before = measure({});
  const orderCost = plainCost(held, order, size);
  const rests = buys
    ? { buys: held.buys + size, buyOrderCost: held.buyOrderCost + orderCost }
    : { sells: held.sells + size, sellOrderCost: held.sellOrderCost + orderCost };
  const requiredResting = reduceOnly === true ? before.initial : measure(rests).initial;
  const filled = measure({ size: buys ? held.size + size : held.size - size });
  const equityFilled = before.equity - orderCost;
  const accepted =
    before.equity >= 0n &&
    requiredResting <= before.initial &&
    filled.initial <= before.initial &&
    filled.maintenance <= before.maintenance &&
    (filled.maintenance === 0n
      ? equityFilled >= 0n
      : equityFilled * before.maintenance >= before.equity * filled.maintenance);
  return {
    before,
    orderCost,
    requiredResting,
    requiredFilled: filled.initial,
    equityFilled,
    maintenanceFilled: filled.maintenance,
    accepted,
  };
}
