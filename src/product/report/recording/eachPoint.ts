import type { BlockPoint, FundingInput, MarketPoint, PassedPayments, PassedPoints, Recorder } from "../input.ts";

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Records the first points one by one: payments of funding, each market, then the block. */
export function recordEachPoint(
  recorder: Pick<Recorder, "recordFunding" | "recordMarket" | "recordBlock">,
  points: PassedPoints,
  count: number,
): void {
  const { times, equity, maintenance, balance, markets, payments } = points;
  const payment = createPayment();
  let paid = 0;
  for (let at = 0; at < count; at++) {
    for (; paid < payments.count && payments.points[paid] === at; paid++) {
      fillPayment(payment, points, paid);
      recorder.recordFunding(payment);
    }
    for (let market = 0; market < markets.length; market++) {
      const { size, marks, lasts, unrealizedPnl } = markets[market]!;
      const point = { size, mark: marks[at], last: lasts[at], unrealizedPnl: unrealizedPnl[at] };
      const margin = { marginEquity: equity[at], marginMaintenance: maintenance[at] };
      recorder.recordMarket(market, { ...point, ...margin } as MarketPoint);
    }
    const own = { timeMs: times[at], equity: equity[at], balance: balance[at], maintenance: maintenance[at] };
    recorder.recordBlock({ ...own, fundingAccrued: 0 } as BlockPoint);
  }
}

/** A payment that is filled again and again. Numbers that start as `NaN` are stored as doubles. */
export function createPayment(): Open<FundingInput> {
  const none = Number.NaN;
  const payment = { timeMs: none, market: none, rate: none, amount: none, size: none, mark: none, index: none };
  return payment as Open<FundingInput>;
}

/** Fills in a payment of the points. */
export function fillPayment(payment: Open<FundingInput>, points: PassedPoints, place: number): void {
  const { times, markets, payments } = points;
  const at = payments.points[place]!;
  const market = payments.markets[place]!;
  payment.timeMs = times[at]!;
  payment.market = market;
  payment.rate = payments.rates[place] as FundingInput["rate"];
  payment.amount = payments.amounts[place] as FundingInput["amount"];
  payment.size = markets[market]!.size;
  payment.mark = markets[market]!.marks[at] as FundingInput["mark"];
  payment.index = payments.indexes[place] as FundingInput["index"];
}

/** The points without the first ones; shares their memory. */
export function dropFirst(
  { count, times, equity, maintenance, balance, markets, payments }: PassedPoints,
  first: number,
): PassedPoints {
  return {
    count: count - first,
    times: times.subarray(first),
    equity: equity.subarray(first),
    maintenance: maintenance.subarray(first),
    balance: balance.subarray(first),
    markets: markets.map(({ size, marks, lasts, unrealizedPnl }) => ({
      size,
      marks: marks.subarray(first),
      lasts: lasts.subarray(first),
      unrealizedPnl: unrealizedPnl.subarray(first),
    })),
    payments: dropPayments(payments, first),
  };
}

/** The payments that are not at the first points. */
function dropPayments({ count, points, markets, rates, amounts, indexes }: PassedPayments, first: number) {
  let paid = 0;
  while (paid < count && points[paid]! < first) paid++;
  return {
    count: count - paid,
    points: points.subarray(paid).map((point) => point - first),
    markets: markets.subarray(paid),
    rates: rates.subarray(paid),
    amounts: amounts.subarray(paid),
    indexes: indexes.subarray(paid),
  };
}
