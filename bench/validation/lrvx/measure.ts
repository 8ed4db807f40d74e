import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineStrategy, Type } from "../../../src/client/strategy/index.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { openData } from "../../../src/product/market-data/readSources.ts";
import { createVenueDriver } from "../../../src/venue/simulation/driver/venueDriver.ts";
import { explainMissing, findPython, runPeer } from "../../peers/environments.ts";
import { explainAbsent, findRecorded } from "../recorded.ts";
import { BARS, FOLDER, FROM_MS, runSma } from "../sma/run.ts";

/** A fill in USD and units of base. */
export interface Fill {
  readonly price: number;
  readonly size: number;
}

interface PeerLimits {
  readonly version: string;
  readonly loss: {
    readonly return: number;
    readonly drawdown: number;
    readonly fees: number;
    readonly final: number;
    readonly liquidations: number;
    readonly positionsOfStack: number;
    readonly equityOfStack: number;
  };
  readonly purchase: readonly Fill[];
  readonly held: { readonly final: number; readonly bars: readonly (readonly number[])[] };
}

/** The averages with one bitcoin and 1,000 USD. */
export interface Loss {
  readonly leverage: number;
  readonly liquidations: number;
  /** Of the first: when, and with how much equity below which maintenance margin, USD. */
  readonly liquidation: {
    readonly timeMs: number;
    readonly equity: number;
    readonly maintenance: number;
  } | null;
  readonly final: number;
  readonly drawdown: number;
  /** Orders that the account could not pay for; the strategy repeats one with every bar. */
  readonly refusedOrders: number;
}

export interface OwnLimits {
  /** By leverage. */
  readonly losses: readonly Loss[];
  /** A purchase of 100 from a book with three on offer. */
  readonly purchase: { readonly fills: readonly Fill[]; readonly status: string };
  /** One unit that is held until the end. */
  readonly held: { readonly entryPrice: number; readonly lastPrice: number; readonly final: number };
}

export interface LrvxLimits {
  readonly fee: string;
  readonly perplab: OwnLimits;
  readonly lrvx: Omit<PeerLimits, "held"> & { readonly held: { readonly final: number } };
}

/** The fee that the peer's venue stack charges a taker. */
export const FEE = "0.0004";
/** The most that the market allows, and a usual one. */
export const LEVERAGES: readonly number[] = [40, 10];
const DEPOSIT = "1000";

/** The three limits here and in lrvx; undefined where data or lrvx are absent, which is printed. */
export async function measureLrvx(): Promise<LrvxLimits | undefined> {
  const folder = findRecorded(FOLDER);
  const python = findPython("lrvx");
  if (folder === undefined) return explainAbsent(FOLDER);
  if (python === undefined) {
    console.log(explainMissing("lrvx"));
    return undefined;
  }
  const theirs = runPeer<PeerLimits>(python, "lrvx_limits.py", [join(folder, BARS), `${FROM_MS}`]);
  const { held, ...others } = theirs;
  const losses: Loss[] = [];
  for (const leverage of LEVERAGES) losses.push(await lose(leverage));
  const perplab = { losses, purchase: buyBeyondBook("100"), held: await hold(held.bars) };
  return { fee: FEE, perplab, lrvx: { ...others, held: { final: held.final } } };
}

/** The averages with one bitcoin, to the end of the account or of the data. */
export async function lose(leverage: number): Promise<Loss> {
  const { report } = (await runSma({ share: 0, fee: FEE, withFunding: false, deposit: DEPOSIT, leverage }))!;
  const { summary, liquidations } = report;
  const metricOf = (id: string) => Number(summary.metrics.find((metric) => metric.id === id)?.value ?? Number.NaN);
  const [first] = liquidations.kept;
  return {
    leverage,
    liquidations: liquidations.total,
    liquidation:
      first === undefined
        ? null
        : { timeMs: first.timeMs, equity: Number(first.equity), maintenance: Number(first.maintenance) },
    final: Number(summary.finalEquity),
    drawdown: metricOf("maxDrawdown"),
    refusedOrders: metricOf("rejected"),
  };
}

/** A market purchase in a book with one unit at 100, 101 and 102 each. */
export function buyBeyondBook(size: string): OwnLimits["purchase"] {
  const venue = createVenueDriver({
    markets: { "BTC-PERP": { preset: "minimal" } },
    accounts: { maker: "100000", buyer: "100000" },
  });
  venue.setPrice("100");
  for (const price of ["100", "101", "102"]) {
    venue.account("maker").placeOrder({ side: "sell", size: "1", price });
  }
  venue.block();
  const order = venue.account("buyer").placeOrder({ side: "buy", size, price: "110", timeInForce: "IOC" });
  const { events } = venue.block();
  const fills = events.flatMap((event): Fill[] =>
    event.kind === "fill" ? [{ price: Number(event.price), size: Number(event.size) }] : [],
  );
  return { fills, status: order.receipt.results[0]?.status ?? order.receipt.code ?? "none" };
}

const holder = defineStrategy({
  id: "holder",
  params: Type.Object({}),
  init: () => ({ isBought: false }),
  onBar(ctx) {
    if (ctx.memory.isBought) return;
    ctx.memory.isBought = true;
    ctx.place({ side: "buy", size: 1, slippage: 0.05 });
  },
});

/** @param bars open time in ms, open, high, low, close, volume */
export async function hold(bars: readonly (readonly number[])[]): Promise<OwnLimits["held"]> {
  const folder = mkdtempSync(join(tmpdir(), "perplab-validation-"));
  try {
    const path = join(folder, "BTC-PERP-bars.csv");
    writeFileSync(path, `time,open,high,low,close,volume\n${bars.map((bar) => `${bar.join(",")}\n`).join("")}`);
    const data = await openData([path]);
    const fees = { maker: "0", taker: "0" };
    const options = { deposit: DEPOSIT, leverage: 1, fees, participation: "1", tick: "0.01", lot: "0.001" };
    const { report } = await runBacktest({ strategy: holder, data, ...options });
    await data.close();
    const [entry] = report.fills.kept;
    if (entry === undefined) throw new Error("the holder bought nothing");
    return {
      entryPrice: Number(entry.price),
      lastPrice: bars.at(-1)![4]!,
      final: Number(report.summary.finalEquity),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
