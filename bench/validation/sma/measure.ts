import { join } from "node:path";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import { explainMissing, findPython, type Peer, runPeer } from "../../peers/environments.ts";
import { findRecorded, readRows } from "../recorded.ts";
import { type Bar, compareEntries, deriveEntries, type Entry, type EntryComparison } from "./entries.ts";
import { type Settlement, sumFunding } from "./funding.ts";
import { BARS, DEPOSIT, FOLDER, FROM_MS, FUNDING, runSma } from "./run.ts";

const TICK = 0.01;
const HOUR_MS = 3_600_000;

/** Equity at the end, USD: one bitcoin without fees, and 0.9 x 3 x equity at a fee of 0.05 %. */
export interface Equities {
  readonly fixed: number;
  readonly compounding: number | null;
}

export interface PeerFigures extends Equities {
  readonly name: string;
  readonly version: string;
  readonly script: string;
  readonly comparison: EntryComparison;
  /** Price of a fill: the open of the next bar, or the close of the bar that gave the signal. */
  readonly fillsAt: "open" | "close";
  /** Entries whose price is that of the bar, to the tick. */
  readonly atBarPrice: number;
  /** Greater difference of an equity to the one here, as a share of the deposit. */
  readonly equityDifference: number;
}

export interface Sma {
  readonly bars: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly deposit: number;
  readonly perplab: Equities & {
    readonly entries: number;
    readonly fixedWithFunding: number;
    readonly compoundingWithFunding: number;
    readonly funding: number;
    readonly payments: number;
  };
  /** Entries that the bars alone give. */
  readonly derived: EntryComparison;
  readonly funding: { readonly payments: number; readonly received: number; readonly difference: number };
  readonly peers: readonly PeerFigures[];
}

interface PeerRun extends Equities {
  readonly version: string;
  readonly entries: readonly Entry[];
}

const PEERS: readonly { name: string; peer: Peer; script: string; fillsAt: "open" | "close" }[] = [
  { name: "backtesting.py", peer: "backtesting", script: "sma/backtesting_py.py", fillsAt: "open" },
  { name: "NautilusTrader", peer: "nautilus", script: "sma/nautilus.py", fillsAt: "close" },
  { name: "lrvx", peer: "lrvx", script: "sma/lrvx_bars.py", fillsAt: "open" },
];

export const PEER_COUNT: number = PEERS.length;

/** The bars of the run; undefined where they are absent. */
export function readBars(): { bars: Bar[]; settlements: Settlement[] } | undefined {
  const folder = findRecorded(FOLDER);
  if (folder === undefined) return undefined;
  const bars = [...readRows(folder, BARS, ["open_time_ms", "open", "close"])];
  return {
    bars: bars.filter(({ open_time_ms }) => Number(open_time_ms) >= FROM_MS),
    settlements: [...readRows(folder, FUNDING, ["funding_time_ms", "funding_rate"])],
  };
}

/** Everything but the peers: what a machine without Python can repeat. */
export async function measureOwnSma(
  bars: readonly Bar[],
  settlements: readonly Settlement[],
): Promise<{ readonly figures: Omit<Sma, "peers">; readonly entries: readonly Entry[] }> {
  const run = async (share: number, fee: string, withFunding: boolean) =>
    (await runSma({ share, fee, withFunding }))!.report;
  const plain = await run(0, "0", false);
  const funded = await run(0, "0", true);
  const entries = listEntries(plain);
  const derived = deriveEntries(bars);
  const equity = ({ summary }: BacktestReport) => Number(summary.finalEquity);
  const received = Number(funded.attribution.funding);
  const expected = sumFunding(bars, settlements, derived);
  const figures = {
    bars: bars.length,
    fromMs: Number(bars[0]!.open_time_ms),
    toMs: Number(bars.at(-1)!.open_time_ms) + HOUR_MS,
    deposit: DEPOSIT,
    perplab: {
      entries: entries.length,
      fixed: equity(plain),
      fixedWithFunding: equity(funded),
      compounding: equity(await run(0.9, "0.0005", false)),
      compoundingWithFunding: equity(await run(0.9, "0.0005", true)),
      funding: received,
      payments: funded.funding.total,
    },
    derived: compareEntries(entries, derived, TICK),
    funding: {
      payments: expected.payments,
      received: round(expected.received),
      difference: round(received - expected.received),
    },
  };
  return { figures, entries };
}

/** The same decisions in the peers; those that are not installed are named on the console. */
export function measurePeers(
  bars: readonly Bar[],
  { perplab }: Pick<Sma, "perplab">,
  entries: readonly Entry[],
): PeerFigures[] {
  const path = join(findRecorded(FOLDER)!, BARS);
  return PEERS.flatMap(({ name, peer, script, fillsAt }) => {
    const python = findPython(peer);
    if (python === undefined) {
      console.log(explainMissing(peer));
      return [];
    }
    const theirs = runPeer<PeerRun>(python, script, [path, `${FROM_MS}`]);
    return [{ name, script, fillsAt, ...comparePeer(bars, { perplab, entries }, theirs, fillsAt) }];
  });
}

/** One peer next to the run here. */
export function comparePeer(
  bars: readonly Bar[],
  ours: { readonly perplab: Equities; readonly entries: readonly Entry[] },
  theirs: PeerRun,
  fillsAt: "open" | "close",
): Omit<PeerFigures, "name" | "script" | "fillsAt"> {
  const differences = [theirs.fixed - ours.perplab.fixed];
  if (theirs.compounding !== null) differences.push(theirs.compounding - ours.perplab.compounding!);
  return {
    version: theirs.version,
    comparison: compareEntries(ours.entries, theirs.entries, TICK),
    atBarPrice: compareEntries(deriveAt(bars, fillsAt), theirs.entries, TICK / 100).withinTick,
    fixed: round(theirs.fixed),
    compounding: theirs.compounding === null ? null : round(theirs.compounding),
    equityDifference: round(Math.max(...differences.map(Math.abs)) / DEPOSIT),
  };
}

/** Entries of the bars alone, at the open after the signal or at the close of its bar. */
function deriveAt(bars: readonly Bar[], fillsAt: "open" | "close"): Entry[] {
  const closes = new Map(bars.map(({ open_time_ms, close }) => [Number(open_time_ms) + HOUR_MS, Number(close)]));
  return deriveEntries(bars).map(([timeMs, side, open]) => [
    timeMs,
    side,
    fillsAt === "open" ? open : closes.get(timeMs)!,
  ]);
}

/** First fill of each round trip. */
function listEntries({ roundTrips }: BacktestReport): Entry[] {
  if (roundTrips.kept.length !== roundTrips.total) throw new Error("the report has not kept every round trip");
  return roundTrips.kept.map(({ entryMs, side, entryPrice }) => [
    entryMs,
    side === "long" ? 1 : -1,
    Number(entryPrice),
  ]);
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
