import { createHash } from "node:crypto";
import type { BundledEntry, BundleHeader, PortfolioBundleHeader } from "../bundle/bundle.ts";
import { codeOf, listModules } from "../bundle/bundledStrategy.ts";
import type { ReadBundle } from "../bundle/format.ts";
import { type DifferenceGroup, diffValues, groupOf } from "./difference.ts";
import { countFigure, type RunFigures, usdFigure } from "./runFigures.ts";

/** The differences between two bundles. No code of either is run. */
export interface BundleComparison {
  readonly kind: "bundles";
  /** Strategy, parameters, data, options and every block are equal. */
  readonly equal: boolean;
  /** From causes to results. */
  readonly groups: readonly DifferenceGroup[];
  /** Height of the first block whose events differ, or that only one of them has; undefined where there is none. */
  readonly firstBlock: number | undefined;
  /** Blocks that are equal before it. */
  readonly equalBlocks: number;
}

/** Compares two bundles: first the possible causes of a difference, then the results. */
export function compareBundles(a: ReadBundle, b: ReadBundle): BundleComparison {
  const [one, other] = [a.header, b.header];
  const groups = [
    ...groupOf("strategy", diffValues(strategyOf(one), strategyOf(other))),
    ...groupOf("parameters", diffValues(paramsOf(one), paramsOf(other))),
    ...groupOf("accounts", diffValues(accountsOf(one), accountsOf(other))),
    ...groupOf("data", diffValues(dataOf(one), dataOf(other))),
    ...groupOf("options", diffValues(one.options, other.options)),
    ...groupOf("versions", diffValues(one.versions, other.versions)),
    ...groupOf("results", diffValues(one.result, other.result)),
  ];
  const equalBlocks = countEqual(a.effects, b.effects);
  const isSame = equalBlocks === a.effects.length && equalBlocks === b.effects.length;
  const firstBlock = isSame ? undefined : equalBlocks + 1;
  return { kind: "bundles", equal: groups.length === 0 && isSame, groups, firstBlock, equalBlocks };
}

/** Figures that a bundle has of its run; its curve is known when it is run again. */
export function readBundleFigures({ path, header: { result } }: ReadBundle): RunFigures {
  return {
    name: path,
    figures: [
      usdFigure("Final equity", result.finalEquity),
      countFigure("Blocks", result.blocks),
      countFigure("Transactions", result.transactions),
    ],
    curve: undefined,
  };
}

/** Files by their names and hashes: a difference names the file. */
function strategyOf(header: BundleHeader): object {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const { files, packages } = codeOf(header);
  const hashes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, hash(text)]));
  const modules = listModules(header).map(({ id, example, entry }) => ({ id, example, entry }));
  const strategies = "strategies" in header ? { strategies: byName(header, (_, at) => modules[at]) } : modules[0];
  return { ...strategies, packages, files: hashes };
}

function paramsOf(header: BundleHeader): object {
  return "strategies" in header ? byName(header, ({ params }) => params) : header.params;
}

/** The account of a run of one strategy is in its options. */
function accountsOf(header: BundleHeader): object {
  return "strategies" in header ? byName(header, ({ account }) => account) : {};
}

function byName(
  { strategies }: PortfolioBundleHeader,
  read: (entry: BundledEntry, at: number) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(strategies.map((entry, at) => [entry.name, read(entry, at)]));
}

/** Two runs are equal even if only one bundle carries its data. */
function dataOf({ data: { hash, names } }: BundleHeader): object {
  return { hash, names };
}

function countEqual(a: Uint32Array, b: Uint32Array): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (a[at] !== b[at]) return at;
  return most;
}
