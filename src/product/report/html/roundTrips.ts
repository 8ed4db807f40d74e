import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import type { BacktestReport } from "../model.ts";
import { formatSignedUsd } from "../text/numbers.ts";
import { type Cell, type DataTable, renderDataTable, type TableColumn } from "./dataTable.ts";
import { toFileName } from "./fileName.ts";
import { html, type Markup, toMinus } from "./markup.ts";
import { alignPrices } from "./priceDigits.ts";

const usd = { kind: "decimal", unit: "USD", digits: 2 } as const;

const COLUMNS: readonly TableColumn[] = [
  { key: "entry", label: "Entry", kind: "time", unit: "UTC", meaning: "Time of the fill that opened the position." },
  {
    key: "exit",
    label: "Exit",
    kind: "time",
    unit: "UTC",
    meaning: "Time of the fill that left it flat; empty while it is open.",
  },
  { key: "market", label: "Market", kind: "text" },
  { key: "side", label: "Side", kind: "text" },
  { key: "size", label: "Size", kind: "decimal", unit: "base", meaning: "Greatest size of the position." },
  {
    key: "entryPrice",
    label: "In at",
    kind: "decimal",
    unit: "USD",
    meaning: "Mean price of the fills that increased it.",
  },
  {
    key: "exitPrice",
    label: "Out at",
    kind: "decimal",
    unit: "USD",
    meaning: "Mean price of the fills that reduced it.",
  },
  { key: "held", label: "Held", kind: "duration", meaning: "From entry to exit, or to the end of the run." },
  {
    ...usd,
    key: "pnl",
    label: "Net",
    isSigned: true,
    meaning: "Price result and funding, less fees and liquidation fees.",
  },
  {
    key: "return",
    label: "Return",
    kind: "percent",
    isSigned: true,
    meaning: "Net over the value of the fills that increased it.",
  },
  { ...usd, key: "price", label: "Price", isSigned: true, meaning: "Result of prices, realised and unrealised." },
  { ...usd, key: "fees", label: "Fees", meaning: "Trading and liquidation fees; below zero is a rebate." },
  {
    ...usd,
    key: "funding",
    label: "Funding",
    isSigned: true,
    meaning: "Received less paid while the position was open.",
  },
  {
    ...usd,
    key: "worst",
    label: "Worst",
    isSigned: true,
    meaning: "Lowest result of prices at any block of the trip.",
  },
  { ...usd, key: "best", label: "Best", isSigned: true, meaning: "Highest result of prices at any block of the trip." },
  { key: "fills", label: "Fills", kind: "count" },
  { key: "end", label: "End", kind: "text", meaning: "How it ended." },
];

/** Trips that the page carries. */
const TRIPS_CARRIED = 2_000;

/** Round trips, as many as the page carries: every n-th of the closed ones, and the open ones. */
export function getTripTable(report: BacktestReport): DataTable {
  const { roundTrips, run } = report;
  const { kept, total } = roundTrips;
  // A mean of fills has any number of digits; its CSV file has them all.
  const aligned = alignPrices(report, kept);
  const columns = COLUMNS.map((column) => (/Price$/.test(column.key) ? { ...column, ...aligned } : column));
  const stride = Math.max(1, Math.ceil(kept.length / TRIPS_CARRIED));
  return {
    name: `${toFileName(run.strategy.id)}-trips`,
    columns,
    rows: kept.filter(({ exitMs }, i) => exitMs === null || i % stride === 0).map((trip) => toRow(trip, run.endMs)),
    total,
    zoom: ["entry", "exit"],
    example: "long net<-100 2024-03",
  };
}

function toRow(trip: BacktestReport["roundTrips"]["kept"][number], endMs: number): Cell[] {
  const value = Number(trip.entryValue);
  return [
    trip.entryMs,
    trip.exitMs,
    trip.market,
    trip.side,
    trip.size,
    trip.entryPrice,
    trip.exitPrice,
    (trip.exitMs ?? endMs) - trip.entryMs,
    trip.net,
    value === 0 ? null : Number((Number(trip.net) / value).toPrecision(6)),
    addTexts(trip.realizedPnl, trip.unrealizedPnl),
    addTexts(trip.fees, trip.liquidationFees),
    trip.funding,
    trip.worst,
    trip.best,
    trip.fills,
    trip.exitMs === null ? "open" : trip.isLiquidated ? "liquidated" : "closed",
  ];
}

/** Sum of two amounts of at most six digits after the point. */
function addTexts(a: string, b: string): string {
  if (b === "0") return a;
  if (a === "0") return b;
  return formatDecimal(toUnits(a) + toUnits(b), AMOUNT_DECIMALS);
}

/** Sums over a long trip may be larger than what `parseDecimal` stores. */
function toUnits(text: string): bigint {
  const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(AMOUNT_DECIMALS, "0"));
  return text.startsWith("-") ? -units : units;
}

/** The table of round trips and how they add up; left out of a run without one. */
export function renderRoundTrips(report: BacktestReport, table: DataTable, id: number): Markup | false {
  const { roundTrips, attribution } = report;
  if (roundTrips.total === 0) return false;
  const outside =
    roundTrips.outside === "0"
      ? "that is the whole result, to the unit."
      : `with ${toMinus(formatSignedUsd(roundTrips.outside))} USD that belong to no trip (payments after a close, covered deficits) that is the whole result of ${toMinus(formatSignedUsd(attribution.total))} USD, to the unit.`;
  return html`<section id="trips"><h2>Round trips</h2>
<p class="lede">A position of one market from flat to flat; a fill through zero ends one and begins the next. All trips made ${toMinus(formatSignedUsd(roundTrips.net))} USD net: ${outside} Choose a row to see it in the charts.</p>
${renderDataTable(table, id)}</section>
`;
}
