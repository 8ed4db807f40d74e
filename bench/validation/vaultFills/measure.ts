import { countDecimals } from "../decimals.ts";
import { findRecorded, type Row, readRows } from "../recorded.ts";
import { CLOSE_CLASSES, type CloseClass, type Continuation, PositionChains } from "./chain.ts";

export const FOLDER = "hyperliquid_vault_fills";
const COLUMNS = ["time_ms", "coin", "side", "px", "sz", "start_position", "dir", "closed_pnl", "vault"] as const;
export type VaultRow = Row<(typeof COLUMNS)[number]>;

export interface ClassFigures {
  readonly count: number;
  /** Greatest difference of one close, USDC. */
  readonly greatestDifference: number;
}

export interface VaultFills {
  readonly fills: number;
  readonly coins: number;
  readonly vaults: number;
  readonly continuations: Readonly<Record<Continuation, number>>;
  /** Closes of positions that were opened before the recording, or before a gap in it. */
  readonly unknownEntries: number;
  readonly closes: Readonly<Record<CloseClass, ClassFigures>>;
  /** Share of checked closes that are equal, by either of the first two classes. */
  readonly equalShare: number;
}

/** The recorded fills; undefined where they are absent. */
export function readVaultFills(pattern = "fills_*.csv.gz"): (() => Iterable<VaultRow>) | undefined {
  const folder = findRecorded(FOLDER);
  return folder === undefined ? undefined : () => readRows(folder, pattern, COLUMNS);
}

/** Holds every position by the engine's arithmetic, and counts how the recorded values compare. */
export function measureVaultFills(read: () => Iterable<VaultRow>): VaultFills {
  const chains = new PositionChains(findSizeDecimals(read()));
  const continuations = { first: 0, follows: 0, breaks: 0 };
  const closes = Object.fromEntries(CLOSE_CLASSES.map((name) => [name, { count: 0, greatestDifference: 0 }])) as Record<
    CloseClass,
    { count: number; greatestDifference: number }
  >;
  const [coins, vaults] = [new Set<string>(), new Set<string>()];
  let [fills, unknownEntries] = [0, 0];
  for (const row of read()) {
    const { continuation, close, isEntryUnknown } = chains.add(row);
    fills++;
    coins.add(row.coin);
    vaults.add(row.vault);
    continuations[continuation]++;
    if (close !== undefined) {
      const figures = closes[close.class];
      figures.count++;
      const difference = Math.abs(close.realized - close.recorded) / QUOTE_UNITS;
      if (difference > figures.greatestDifference) figures.greatestDifference = difference;
    }
    if (isEntryUnknown) unknownEntries++;
  }
  const checked = Object.values(closes).reduce((sum, { count }) => sum + count, 0);
  const equalShare = checked === 0 ? 0 : (closes.exact.count + closes.entryCut.count) / checked;
  return { fills, coins: coins.size, vaults: vaults.size, continuations, unknownEntries, closes, equalShare };
}

const QUOTE_UNITS = 1_000_000;

/** Most decimals of a size at this venue; text with more is the noise of doubles. */
const SIZE_DECIMALS_MOST = 6;

/** The lot of each coin is not recorded: it is the finest step of its sizes. */
export function findSizeDecimals(rows: Iterable<Pick<VaultRow, "coin" | "sz">>): Map<string, number> {
  const decimals = new Map<string, number>();
  for (const { coin, sz } of rows) {
    const places = countDecimals(sz);
    if (places <= SIZE_DECIMALS_MOST && places >= (decimals.get(coin) ?? 0)) decimals.set(coin, places);
  }
  return decimals;
}
