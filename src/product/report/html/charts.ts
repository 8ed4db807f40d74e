import { formatCount } from "../../../ground/math/counts.ts";
import type { BacktestReport } from "../model.ts";
import { formatFixed } from "../text/numbers.ts";
import { getOwnMetrics } from "../text/ownMetrics.ts";
import type { Chart, ChartFrame, ChartLine } from "./chart.ts";
import { getPriceDigits } from "./priceDigits.ts";
import { getRollingCharts } from "./returns.ts";
import type { ChartGroup } from "./stack.ts";
import { getStrategyCharts } from "./strategies.ts";

/**
 * Decimal text as the page shows it elsewhere: rounded half away from zero, so that one figure reads the same
 * everywhere.
 */
const rounded = (text: string, digits: number) => Number(formatFixed(text, digits).replaceAll(",", ""));

const numbers = (column: readonly (string | null)[], digits: number) =>
  column.map((text) => (text === null ? null : rounded(text, digits)));

/** Digits of money. */
const CENTS = 2;

/** The time range of all charts. A run that took no time gets a millisecond, so that there is something to draw on. */
export function getFrame({ run, liquidations }: BacktestReport): ChartFrame {
  return {
    fromMs: run.startMs,
    toMs: Math.max(run.endMs, run.startMs + 1),
    events: [...new Set(liquidations.kept.map(({ timeMs }) => timeMs))],
  };
}

/** Charts in the order of the page. A market that was never traded is folded. */
export function getChartGroups(report: BacktestReport): ChartGroup[] {
  const traded = report.markets.filter(({ market }) => isTraded(report, market));
  const others = report.markets.filter(({ market }) => !isTraded(report, market));
  return [
    { charts: [equityChart(report), drawdownChart(report)] },
    ...(report.strategies.length === 0 ? [] : [{ charts: getStrategyCharts(report) }]),
    ...traded.map((market) => ({ charts: [priceChart(report, market), positionChart(market)] })),
    { charts: [marginChart(report), fundingChart(report), costChart(report), ...insuranceChart(report)] },
    ...getOwnMetricGroups(report),
    { charts: getRollingCharts(report) },
    ...others.map((market) => ({
      charts: [priceChart(report, market)],
      foldedTitle: `${market.market}: never traded`,
    })),
  ];
}

function getOwnMetricGroups(report: BacktestReport): ChartGroup[] {
  const all = getOwnMetrics(report);
  return all.length === 0 ? [] : [{ charts: all.map(ownMetricChart) }];
}

function isTraded({ attribution }: BacktestReport, name: string): boolean {
  return attribution.markets.some(({ market, tradedValue }) => market === name && tradedValue !== "0");
}

/** A curve that begins with the run itself: the deposit, before the first block. */
function withStart<T>(startMs: number, start: T, times: readonly number[], values: readonly T[]) {
  return { times: [startMs, ...times], values: [start, ...values] };
}

function equityChart({ run, account, summary, strategies }: BacktestReport): Chart {
  const initial = rounded(summary.initialEquity, CENTS);
  return {
    title: "Equity",
    note: "USD, at the mark",
    height: 280,
    suffix: "",
    digits: 2,
    canLog: true,
    lines: [
      {
        label: "Buy and hold",
        tone: "bench",
        shape: "line",
        ...withStart(run.startMs, initial as number | null, account.timeMs, numbers(account.buyAndHold, CENTS)),
      },
      {
        label: strategies.length === 0 ? "Strategy" : "All accounts",
        tone: "equity",
        shape: "line",
        ...withStart(run.startMs, initial as number | null, account.timeMs, numbers(account.equity, CENTS)),
      },
    ],
  };
}

function drawdownChart({ account, strategies }: BacktestReport): Chart {
  return {
    title: "Drawdown",
    note: "from the highest equity so far",
    height: 130,
    suffix: " %",
    digits: 2,
    include: [0],
    lines: [
      {
        label: strategies.length === 0 ? "Strategy" : "All accounts",
        tone: "loss",
        shape: "area",
        times: account.timeMs,
        values: account.drawdown.map((value) => -value * 100 + 0),
      },
    ],
  };
}

type Market = BacktestReport["markets"][number];

function priceChart({ fills, liquidations }: BacktestReport, market: Market): Chart {
  const dotsOf = (side: "buy" | "sell") =>
    fills.kept
      .filter((fill) => fill.market === market.market && fill.side === side && fill.liquidationId === null)
      .map((fill) => [fill.timeMs, Number(fill.price), Number(fill.size)] as const);
  const digits = getPriceDigits(market.mark);
  const some =
    fills.kept.length < fills.total ? `, ${formatCount(fills.kept.length)} of ${formatCount(fills.total)} fills` : "";
  const liquidated = liquidations.kept
    .filter((item) => item.market === market.market)
    .flatMap((item) => item.fills.map((fill) => [fill.timeMs, Number(fill.price), Number(fill.size)] as const));
  return {
    title: `${market.market} price`,
    note: `USD${some}`,
    height: 280,
    suffix: "",
    digits,
    canLog: true,
    lines: [
      { label: "Last", tone: "last", shape: "line", times: market.timeMs, values: numbers(market.last, digits) },
      { label: "Mark", tone: "mark", shape: "line", times: market.timeMs, values: numbers(market.mark, digits) },
      ...liquidationLine(market, digits),
    ],
    dots: [
      { label: "Buy", tone: "buy", points: dotsOf("buy") },
      { label: "Sell", tone: "sell", points: dotsOf("sell") },
      ...(liquidated.length === 0 ? [] : [{ label: "Liquidation", tone: "liquidation" as const, points: liquidated }]),
    ],
  };
}

/** The price at which the position would be liquidated, in pieces from flip to flip; none for a market without one. */
function liquidationLine(market: Market, digits: number): ChartLine[] {
  if (market.liquidation.every((price) => price === null)) return [];
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (const [row, price] of numbers(market.liquidation, digits).entries()) {
    const isFlip = row > 0 && market.size[row]!.startsWith("-") !== market.size[row - 1]!.startsWith("-");
    if (isFlip) {
      times.push(market.timeMs[row]!);
      values.push(null);
    }
    times.push(market.timeMs[row]!);
    values.push(price);
  }
  return [{ label: "Liquidation price", tone: "loss", shape: "step", isSoft: true, times, values }];
}

function positionChart(market: Market): Chart {
  const digits = Math.min(getPriceDigits(market.size), 4);
  return {
    title: `${market.market} position`,
    note: "base, positive is long",
    height: 120,
    suffix: "",
    digits,
    include: [0],
    lines: [
      {
        label: "Size",
        tone: "equity",
        shape: "stepArea",
        isHeld: true,
        times: market.timeMs,
        values: numbers(market.size, digits),
      },
    ],
  };
}

/** Above this the curve is cut: the reader needs to see only that it crossed 100 %. */
const MARGIN_CEILING = 130;
/** The lowest ratio drawn on the logarithmic scale, on which 4 % and 100 % are both read. */
const MARGIN_FLOOR = 0.5;

function marginChart({ account, liquidations }: BacktestReport): Chart {
  const points = account.timeMs.map((timeMs, i) => {
    const ratio = account.marginRatio[i]!;
    return { timeMs, value: ratio === null ? MARGIN_CEILING : ratio * 100 };
  });
  // A liquidation begins and ends within a block, so the ratio that triggered it is in its record alone.
  for (const item of liquidations.kept) {
    const equity = Number(item.equity);
    const value = equity <= 0 ? MARGIN_CEILING : (Number(item.maintenance) / equity) * 100;
    points.push({ timeMs: item.timeMs, value });
  }
  // At equal times the record of the liquidation comes first: it describes the block's beginning.
  points.sort((a, b) => a.timeMs - b.timeMs || b.value - a.value);
  return {
    title: "Margin ratio",
    note: "maintenance margin over equity; at 100 % the account is liquidated",
    height: 150,
    suffix: " %",
    digits: 2,
    include: [MARGIN_FLOOR, 100],
    ceiling: MARGIN_CEILING,
    canLog: true,
    isLog: true,
    logFloor: MARGIN_FLOOR,
    threshold: { value: 100, label: "liquidation" },
    lines: [
      {
        label: "Account",
        tone: "warn",
        shape: "area",
        times: points.map(({ timeMs }) => timeMs),
        values: points.map(({ value }) => value),
      },
    ],
  };
}

function fundingChart({ account }: BacktestReport): Chart {
  return {
    title: "Funding",
    note: "USD, received above zero, paid below,",
    height: 120,
    suffix: "",
    digits: 2,
    include: [0],
    bins: { label: "Funding", times: account.timeMs, sums: account.funding.map(Number) },
    lines: [],
  };
}

function costChart({ account }: BacktestReport): Chart {
  const line = (label: string, tone: string, values: number[]): ChartLine => ({
    label,
    tone,
    shape: "step",
    isHeld: true,
    times: account.timeMs,
    values,
  });
  return {
    title: "Funding and fees, cumulative",
    note: "USD, below zero is paid",
    height: 150,
    suffix: "",
    digits: 2,
    include: [0],
    lines: [
      line(
        "Funding",
        "equity",
        account.funding.map((text) => rounded(text, CENTS)),
      ),
      line(
        "Fees",
        "loss",
        account.fees.map((text) => -rounded(text, CENTS) + 0),
      ),
    ],
  };
}

/** Significant digits of a figure of the strategy's own. */
const OWN_DIGITS = 5;

function ownMetricChart({ name, least, greatest, count, timeMs, values }: BacktestReport["ownMetrics"][number]): Chart {
  let digits = OWN_DIGITS - 1;
  for (let size = Math.max(Math.abs(least), Math.abs(greatest)); size >= 10 && digits > 0; size /= 10) digits--;
  for (let size = Math.max(Math.abs(least), Math.abs(greatest)); size > 0 && size < 1 && digits < 8; size *= 10)
    digits++;
  const some = values.length < count ? `, ${formatCount(values.length)} of ${formatCount(count)} values` : "";
  return {
    title: name,
    note: `the strategy's own figure${some}`,
    height: 130,
    suffix: "",
    digits,
    lines: [
      {
        label: name,
        tone: "neutral",
        shape: "step",
        times: timeMs,
        values: values.map((value) => Number(value.toFixed(digits))),
      },
    ],
  };
}

/** Only when the fund moved. */
function insuranceChart({ insurance, run }: BacktestReport): Chart[] {
  const { kept } = insurance;
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    {
      title: "Insurance fund",
      note: "USD",
      height: 110,
      suffix: "",
      digits: 2,
      lines: [
        {
          label: "Balance",
          tone: "neutral",
          shape: "step",
          times: [run.startMs, ...kept.map(({ timeMs }) => timeMs), run.endMs],
          values: [
            Number(first.balance) - Number(first.amount),
            ...kept.map(({ balance }) => rounded(balance, CENTS)),
            rounded(last.balance, CENTS),
          ],
        },
      ],
    },
  ];
}
