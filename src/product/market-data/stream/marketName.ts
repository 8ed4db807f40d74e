import { basename } from "node:path";
import { findNearest } from "../../../ground/collections/nearest.ts";
import { DataError, quote } from "../errors.ts";
import { parseDuration } from "../mapping/units.ts";
import { leanSymbol } from "../readers/leanPath.ts";
import { JSON_LAYOUT_NAMES, KNOWN_LAYOUTS, PATH_LAYOUTS, PLAIN_TABLES, REFUSED_LAYOUTS } from "../readers/table.ts";
import type { SourceFile } from "../types.ts";

/** A delay: at most 999,999 of a unit. */
const DURATION = /^[0-9]{1,6}(ms|s|m|h|d)$/;

const MARKET = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

/** A file of Tardis as its clients name it: `binance-futures_trades_2024-03-05_BTCUSDT.csv.gz`. */
const TARDIS_FILE = /^[a-z0-9-]+_[a-zA-Z0-9_]+_\d{4}-\d\d-\d\d_([A-Za-z0-9_-]+)\./;
/** A file of Bybit, whose date follows the symbol at once: `BTCUSDT2024-03-05.csv.gz`. */
const DATED_FILE = /^([A-Z0-9]*[A-Z])\d{4}-\d\d-\d\d\./;
/** Order books of Bybit, whose names begin with the date: `2025-05-09_BTCUSDT_ob200.data.zip`. */
const BYBIT_BOOK_FILE = /^\d{4}-\d\d-\d\d_([A-Za-z0-9-]+)_ob\d+\./;

/**
 * The market of a source: as given, or the beginning of the file name up to the first part that is no name
 * (`BTCUSDT-1h-2020-03.zip` and `BTCUSDT_funding_8h.csv.gz` are both BTCUSDT, `BTC-PERP-klines-1h.csv` is BTC-PERP).
 * Names of Tardis and Bybit have the symbol elsewhere.
 *
 * @throws {DataError} SOURCE_INVALID
 */
export function marketOf({ market, path }: SourceFile): string {
  const name = market ?? leanSymbol(path) ?? guessMarket(basename(path));
  if (!MARKET.test(name)) {
    throw new DataError("SOURCE_INVALID", `${quote(name)} is not the name of a market`, {
      file: path,
      hint: "give it a name: MARKET=PATH, at most 32 letters, digits, - and _",
    });
  }
  return name;
}

function guessMarket(file: string): string {
  const symbol = TARDIS_FILE.exec(file)?.[1] ?? DATED_FILE.exec(file)?.[1] ?? BYBIT_BOOK_FILE.exec(file)?.[1];
  if (symbol !== undefined) return symbol;
  const [stem = ""] = file.split(".");
  const [first = "", second] = stem.split(/[-_]/);
  return second === "PERP" || second === "USD" || second === "USDT" ? `${first}-${second}` : first;
}

/**
 * Reads `[MARKET[:LAYOUT[+DELAY]]=]PATH`, as command lines name a source. LAYOUT is a known layout or a mapping file. A
 * known layout with series may have a delay (`metrics+10m`): its values are known so long after their own time.
 *
 * @throws {DataError} SOURCE_INVALID
 */
export function parseSource(text: string): SourceFile {
  const equals = text.indexOf("=");
  if (equals < 0) return checked({ path: text }, text);
  const label = text.slice(0, equals);
  const path = text.slice(equals + 1);
  const colon = label.indexOf(":");
  const market = colon < 0 ? label : label.slice(0, colon);
  // A path may itself have an equals sign: then the text before it is no market.
  if (market !== "" && !MARKET.test(market)) return checked({ path: text }, text);
  const named = colon < 0 ? {} : splitDelay(label.slice(colon + 1));
  return checked({ path, ...(market === "" ? {} : { market }), ...named }, text);
}

function splitDelay(text: string): Pick<SourceFile, "layout" | "delayMs"> {
  const plus = text.lastIndexOf("+");
  // The path of a mapping may have a plus sign of its own.
  if (plus < 0 || MAPPING.test(text)) return { layout: text };
  const [layout, delay] = [text.slice(0, plus), text.slice(plus + 1)];
  if (!SERIES_LAYOUTS.includes(layout)) {
    throw new DataError("SOURCE_INVALID", `${quote(layout)} has no delay`, {
      hint: MAPPING.test(layout)
        ? "the delay of a mapping is its key: delay: 10m"
        : `only layouts of series have one: ${SERIES_LAYOUTS.join(", ")}`,
    });
  }
  if (!DURATION.test(delay)) {
    throw new DataError("SOURCE_INVALID", `${quote(delay)} is no delay`, {
      hint: `write a length such as ${layout}+0s, ${layout}+30s or ${layout}+10m`,
    });
  }
  return { layout, delayMs: parseDuration(delay) };
}

/** Known layouts whose values are series. */
const SERIES_LAYOUTS: readonly string[] = KNOWN_LAYOUTS.filter(
  ({ streams }) => typeof streams !== "function" && streams.some(({ shape }) => shape === "series"),
).map(({ name }) => name);

const MAPPING = /\.ya?ml$/i;

/** Whether a layout is named by the path of a mapping file. */
export function isMappingPath(layout: string | undefined): layout is string {
  return layout !== undefined && MAPPING.test(layout);
}

function suggest(word: string, known: readonly string[]): string {
  const nearest = findNearest(word, known);
  return nearest === undefined ? "" : `did you mean ${nearest}? `;
}

function checked(source: SourceFile, text: string): SourceFile {
  const { path, layout } = source;
  if (path === "") throw new DataError("SOURCE_INVALID", `${quote(text)} names no file`, { hint: "write MARKET=PATH" });
  const known = [...KNOWN_LAYOUTS.map(({ name }) => name), ...JSON_LAYOUT_NAMES, ...PATH_LAYOUTS, ...PLAIN_TABLES];
  const isRefused = REFUSED_LAYOUTS.some(({ name }) => name === layout);
  if (layout !== undefined && !isMappingPath(layout) && !isRefused && !known.includes(layout)) {
    throw new DataError("SOURCE_INVALID", `there is no layout ${quote(layout)}`, {
      hint: `${suggest(layout, known)}use ${known.join(", ")}, or the path of a mapping file (.yaml)`,
    });
  }
  return source;
}
