import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Static, Type } from "typebox";
import Value from "typebox/value";
import type { ParamValue } from "../client/strategy/params.ts";
import { findNearest } from "../ground/collections/nearest.ts";
import type { StrategyOptions } from "../product/backtest/strategyOptions.ts";
import { type CliError, usageError } from "./fail.ts";
import { readLinkTexts } from "./linkOptions.ts";
import { listExamples, loadStrategy } from "./loadStrategy.ts";

const closed = { additionalProperties: false } as const;
const Amount = Type.Union([Type.String(), Type.Number()]);
/** Ms, a distribution, or a path from the file. */
const Latency = Type.Union([Type.Number(), Type.String()]);

/** One strategy of the file. The options of the command give values that are left out. */
const Entry = Type.Object(
  {
    strategy: Type.String({ minLength: 1 }),
    params: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    deposit: Type.Optional(Amount),
    leverage: Type.Optional(Type.Number()),
    margin: Type.Optional(Type.Union([Type.Literal("cross"), Type.Literal("isolated")])),
    latency: Type.Optional(Latency),
    feedLatency: Type.Optional(Latency),
    receiptLatency: Type.Optional(Latency),
    rateLimit: Type.Optional(Type.String()),
    outages: Type.Optional(Type.Array(Type.String())),
    seed: Type.Optional(Amount),
  },
  closed,
);

const Portfolio = Type.Object({ strategies: Type.Record(Type.String(), Entry, { minProperties: 1 }) }, closed);

const KEYS = ["strategies", ...Object.keys(Entry.properties)];

/** A strategy of a portfolio file, and where its code is. */
export interface PortfolioEntry {
  readonly options: StrategyOptions;
  /** Absolute path of its module. */
  readonly path: string;
  /** Name of an example; undefined for a strategy of the user's. */
  readonly example: string | undefined;
}

/**
 * Reads the strategies of a portfolio file, YAML or JSON, and loads them. A path of a strategy is relative to the file.
 *
 * @throws {CliError} PORTFOLIO_INVALID with the line, and what `loadStrategy` throws
 */
export async function readPortfolioFile(path: string): Promise<PortfolioEntry[]> {
  const { strategies } = await parsePortfolio(path, readFileSync(path, "utf8"));
  const examples = listExamples();
  const found: PortfolioEntry[] = [];
  for (const [name, entry] of Object.entries(strategies)) {
    const { strategy: given, params, deposit, leverage, margin, seed, ...link } = entry;
    const { outages: outage, ...legs } = link;
    const example = examples.includes(given) ? given : undefined;
    const loaded = await loadStrategy(example ?? join(dirname(path), given));
    const options = {
      name,
      strategy: loaded.strategy,
      ...(params === undefined ? {} : { params: params as Record<string, ParamValue> }),
      ...(deposit === undefined ? {} : { deposit: String(deposit) }),
      ...(leverage === undefined ? {} : { leverage }),
      ...(margin === undefined ? {} : { margin }),
      ...(await readLinkTexts({ ...legs, outage }, dirname(path), (option) => `${name}.${option}`)),
      ...(seed === undefined ? {} : { seed: String(seed) }),
    };
    found.push({ options, path: loaded.path, example });
  }
  return found;
}

/** @throws {CliError} PORTFOLIO_INVALID */
async function parsePortfolio(path: string, text: string): Promise<Static<typeof Portfolio>> {
  const { isNode, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" });
  const refuse = (reason: string, line: number): CliError =>
    usageError("PORTFOLIO_INVALID", reason, {
      place: `${path}:${line}`,
      hint: "docs/guides/strategies.md has a portfolio file in full",
    });
  const [error] = document.errors;
  if (error !== undefined) throw refuse(error.message, lines.linePos(error.pos[0]).line);
  const page: unknown = document.toJS({ maxAliasCount: 0 });
  if (Value.Check(Portfolio, page)) return page;
  const { pointer, reason } = describeFault(page);
  const keys = pointer.split("/").slice(1);
  for (const known = [...keys]; known.length > 0; known.pop()) {
    const node = document.getIn(known, true);
    if (isNode(node) && node.range) throw refuse(`${keys.join(".")}: ${reason}`, lines.linePos(node.range[0]).line);
  }
  throw refuse(keys.length === 0 ? reason : `${keys.join(".")}: ${reason}`, 1);
}

/** The deepest fault of a page. */
function describeFault(page: unknown): { readonly pointer: string; readonly reason: string } {
  const depth = (path: string) => path.split("/").length;
  const errors = [...Value.Errors(Portfolio, page)];
  const error = errors.sort((a, b) => depth(b.instancePath) - depth(a.instancePath))[0];
  if (error === undefined) return { pointer: "", reason: "does not fit the form of a portfolio file" };
  if (error.keyword !== "boolean" && error.keyword !== "additionalProperties") {
    return { pointer: error.instancePath, reason: error.message };
  }
  const pointer =
    error.keyword === "boolean"
      ? error.instancePath
      : `${error.instancePath}/${String(error.params.additionalProperties[0])}`;
  const key = pointer.slice(pointer.lastIndexOf("/") + 1);
  const nearest = findNearest(key, KEYS);
  const meant = nearest === undefined || nearest === key ? "" : `; did you mean ${nearest}?`;
  return { pointer, reason: `there is no such key here${meant}` };
}
