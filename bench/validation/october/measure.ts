import { readScaled } from "../decimals.ts";
import { compareFunding, type FundingRow } from "../fundingRates/measure.ts";
import { findRecorded, type Row, readRows } from "../recorded.ts";
import { PositionChains } from "../vaultFills/chain.ts";
import { FOLDER, findSizeDecimals } from "../vaultFills/measure.ts";

/** The hour in which most positions were liquidated. */
export const FROM_MS: number = Date.UTC(2025, 9, 10, 21);
export const TO_MS: number = FROM_MS + 3_600_000;

const COLUMNS = [
  "time_ms",
  "coin",
  "side",
  "px",
  "sz",
  "start_position",
  "dir",
  "closed_pnl",
  "vault",
  "liq_self",
] as const;
export type OctoberRow = Row<(typeof COLUMNS)[number]>;

/** Fills of one kind within the hour. */
export interface KindOfFill {
  readonly fills: number;
  /** Whose size before the fill is the size that the fills before left. */
  readonly chained: number;
  readonly closes: number;
  readonly equalCloses: number;
}

export interface October {
  readonly vaults: number;
  readonly coins: number;
  readonly kinds: Readonly<Record<Kind, KindOfFill>>;
  /** BTC fills of the hour, USD. */
  readonly highest: number;
  readonly lowest: number;
  /**
   * Vaults whose position was closed by deleveraging, and how many of them held a position of the other side in another
   * coin.
   */
  readonly deleveragedVaults: number;
  readonly hedgedVaults: number;
  /** Settlements at the beginning and the end of the hour. */
  readonly funding: readonly {
    readonly market: string;
    readonly timeMs: number;
    readonly premium: string;
    readonly rate: string;
    readonly isEqual: boolean;
  }[];
}

export const KINDS = ["traded", "liquidated", "deleveraged"] as const;
export type Kind = (typeof KINDS)[number];

/** The fills from the start of the recording to the end of the hour; undefined where they are absent. */
export function readOctober(): (() => Iterable<OctoberRow>) | undefined {
  const folder = findRecorded(FOLDER);
  if (folder === undefined) return undefined;
  return function* () {
    for (const row of readRows(folder, "fills_2025-{02,03,04,05,06,07,08,09,10}.csv.gz", COLUMNS)) {
      if (Number(row.time_ms) >= TO_MS) return;
      yield row;
    }
  };
}

/**
 * @param read    fills from the start of the recording on, so that positions are known when the hour begins
 * @param funding recorded hours of each market
 */
export function measureOctober(
  read: () => Iterable<OctoberRow>,
  funding: Readonly<Record<string, readonly FundingRow[]>>,
): October {
  const decimals = findSizeDecimals(read());
  const chains = new PositionChains(decimals);
  const books = new Map<string, Map<string, number>>();
  const kinds = Object.fromEntries(
    KINDS.map((kind) => [kind, { fills: 0, chained: 0, closes: 0, equalCloses: 0 }]),
  ) as Record<Kind, { fills: number; chained: number; closes: number; equalCloses: number }>;
  const [vaults, coins, deleveraged, hedged] = [new Set(), new Set(), new Set<string>(), new Set<string>()];
  let [highest, lowest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

  for (const row of read()) {
    const { continuation, close } = chains.add(row);
    const { vault, coin } = row;
    const places = decimals.get(coin)!;
    const start = readScaled(row.start_position, places);
    const sizes = books.get(vault) ?? new Map<string, number>();
    books.set(vault, sizes);
    sizes.set(coin, start + (row.side === "B" ? 1 : -1) * readScaled(row.sz, places));
    if (Number(row.time_ms) < FROM_MS) continue;

    vaults.add(vault);
    coins.add(coin);
    const kind = kindOf(row);
    const counts = kinds[kind];
    counts.fills++;
    if (continuation === "follows" || (continuation === "first" && start === 0)) counts.chained++;
    if (close !== undefined) {
      counts.closes++;
      if (close.class === "exact" || close.class === "entryCut") counts.equalCloses++;
    }
    if (kind === "deleveraged") {
      deleveraged.add(vault);
      const isHedged = [...sizes].some(([other, lots]) => other !== coin && lots !== 0 && lots > 0 !== start > 0);
      if (isHedged) hedged.add(vault);
    }
    if (coin !== "BTC") continue;
    highest = Math.max(highest, Number(row.px));
    lowest = Math.min(lowest, Number(row.px));
  }
  return {
    vaults: vaults.size,
    coins: coins.size,
    kinds,
    highest,
    lowest,
    deleveragedVaults: deleveraged.size,
    hedgedVaults: hedged.size,
    funding: Object.entries(funding).flatMap(([market, rows]) => checkFunding(market, rows)),
  };
}

/** A liquidated account's own fill has a direction of its own, or the mark that `liq_self` 1 marks as its. */
function kindOf({ dir, liq_self }: OctoberRow): Kind {
  if (dir === "Auto-Deleveraging") return "deleveraged";
  return dir.startsWith("Liquidated") || liq_self === "1" ? "liquidated" : "traded";
}

function checkFunding(market: string, rows: readonly FundingRow[]): October["funding"] {
  const isAtHour = ({ time_ms }: FundingRow) =>
    [FROM_MS, TO_MS].includes(Math.floor(Number(time_ms) / 60_000) * 60_000);
  return rows.filter(isAtHour).map((row) => ({
    market,
    timeMs: Number(row.time_ms),
    premium: row.premium,
    rate: row.funding_rate,
    isEqual: compareFunding(market, [row]).equal === 1,
  }));
}
