/**
 * Data of Lean (QuantConnect) for crypto: a CSV without a header in a zip. What a file has is in its path only: folders
 * for the resolution and the symbol, the date in the name. Times of a day are milliseconds since midnight UTC, prices
 * are as they are (those of Lean's equities are ten-thousandths, and in the time of New York: they are not taken).
 */
import { DataError } from "../errors.ts";
import { bindMapping } from "../mapping/bindMapping.ts";
import type { Mapping } from "../mapping/schema.ts";
import { dateOfName } from "../mapping/since.ts";
import type { SourceFile } from "../types.ts";
import type { Layout } from "./layout.ts";
import { LEAN } from "./leanPath.ts";

const MINUTE_MS = 60_000;
const LENGTHS_MS: Readonly<Record<string, number>> = { second: 1000, minute: MINUTE_MS };
const INTERVALS: Readonly<Record<string, string>> = { second: "1s", minute: "1m", hour: "1h", daily: "1d" };

/** Content of a file, according to its path. */
interface LeanFile {
  readonly resolution: string;
  readonly type: string;
  /** Midnight of its day; undefined where rows have dates. */
  readonly dayMs: number | undefined;
}

/** A file of Lean as far as it has to be known. */
export interface LeanStart {
  readonly source: SourceFile;
  readonly file: string;
  /** Name of the file in its archive, which has the date, the symbol and the resolution, too. */
  readonly member: string | undefined;
  readonly rows: readonly (readonly string[])[];
}

/**
 * @throws {DataError} DATA_LAYOUT for one that has nothing to read, or whose path does not say what it has
 */
export function bindLean({ source, file, member, rows }: LeanStart): Layout {
  const path = member === undefined ? source.path : `${source.path}/${member}`;
  const refuse = (reason: string, hint: string): DataError =>
    new DataError("DATA_LAYOUT", reason, { file, line: 1, hint });
  const found = describe(path);
  if (found === undefined) {
    throw refuse(
      "the path does not say what the file has",
      "keep Lean's folders and names, such as crypto/coinbase/minute/btcusd/20240305_trade.zip",
    );
  }
  if (/\bcryptofuture\b/.test(path) && /(binance|bybit)/.test(path) && /usd[_/.]/.test(path)) {
    throw refuse(
      "the symbol is an inverse contract, whose volumes are contracts",
      "write a mapping file with the size of a contract",
    );
  }
  const mapping = map(found);
  if (typeof mapping === "string") throw refuse(mapping, "import the file of trades of the same days");
  const names = rows[0] ?? [];
  if (names.length !== mapping.columns) {
    throw refuse(
      `the rows have ${names.length} columns, and ${mapping.columns} are expected`,
      "name another layout, or write a mapping file",
    );
  }
  return bindMapping({ mapping, file }, { file, path: source.path, names, rows });
}

function describe(path: string): LeanFile | undefined {
  if (/margin_interest/.test(path)) return { resolution: "", type: "funding", dayMs: undefined };
  const resolution = path.match(/(?<=[_/\\])(tick|second|minute|hour|daily)(?=[_/\\])/g)?.at(-1);
  const type = path
    .match(/_(trade|quote|openinterest)\b/g)
    ?.at(-1)
    ?.slice(1);
  if (resolution === undefined || type === undefined) return undefined;
  if (resolution === "hour" || resolution === "daily") return { resolution, type, dayMs: undefined };
  const days = path.split(/[\\/]/).flatMap((name) => dateOfName(name) ?? []);
  const dayMs = days.at(-1);
  return dayMs === undefined ? undefined : { resolution, type, dayMs };
}

/** The mapping of a file, or why there is none. */
function map({ resolution, type, dayMs }: LeanFile): Mapping | string {
  const since = (laterMs: number) => ({
    column: 1,
    unit: "ms",
    since: new Date((dayMs ?? 0) + laterMs).toISOString(),
    zone: "UTC",
  });
  const dated = { column: 1, unit: "text", format: "YYYYMMDD HH:mm", zone: "UTC" };
  const quotes = (columns: readonly [bid: number, bidSize: number, ask: number, askSize: number]) => [
    { kind: "quotes", bid: { price: columns[0], size: columns[1] }, ask: { price: columns[2], size: columns[3] } },
  ];
  const build = (columns: number, time: object, streams: object[], notes: string[] = []): Mapping =>
    ({ mapping: LEAN, header: false, columns, exponents: true, time, streams, notes }) as unknown as Mapping;
  if (type === "funding") {
    const rate = { column: 2, unit: "fraction" };
    const note = "The interval of funding is not in the file; eight hours are assumed.";
    return build(2, { ...dated, format: "YYYYMMDD HH:mm:ss" }, [{ kind: "funding", rate, interval: "8h" }], [note]);
  }
  if (type === "openinterest") return "the file has open interest, which a tape does not hold";
  if (type === "quote") {
    if (resolution === "tick") return build(5, since(0), quotes([2, 3, 4, 5]));
    const length = LENGTHS_MS[resolution];
    if (length === undefined) return "best prices once an hour or a day are too few for quotes";
    const note = "Of each bar of bid and ask the last best prices are read, at its end.";
    return build(11, since(length), quotes([5, 6, 10, 11]), [note]);
  }
  if (resolution === "tick") {
    return build(3, since(0), [{ kind: "trades", price: 2, size: 3 }], ["The file does not say which side took."]);
  }
  const bars = {
    kind: "bars",
    label: "open",
    interval: INTERVALS[resolution],
    open: 2,
    high: 3,
    low: 4,
    close: 5,
    volume: 6,
  };
  return build(6, dayMs === undefined ? dated : since(0), [bars]);
}
