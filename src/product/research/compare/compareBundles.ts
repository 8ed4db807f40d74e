import { createHash } from "node:crypto";
import type { BundledStrategy, BundleHeader } from "../bundle/bundle.ts";
import type { ReadBundle } from "../bundle/format.ts";
import { type DifferenceGroup, diffValues, groupOf } from "./difference.ts";
import { countFigure, type RunFigures, usdFigure } from "./runFigures.ts";

/** What two bundles do not share. No code of either is run. */
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

/** Compares two bundles: why they may differ first, then how. */
export function compareBundles(a: ReadBundle, b: ReadBundle): BundleComparison {
  const [one, other] = [a.header, b.header];
  const groups = [
    ...groupOf("strategy", diffValues(strategyOf(one.strategy), strategyOf(other.strategy))),
    ...groupOf("parameters", diffValues(one.params, other.params)),
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
function strategyOf({ files, ...strategy }: BundledStrategy): object {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  return { ...strategy, files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, hash(text)])) };
}

/** Whether a bundle carries its data is no difference of its run. */
function dataOf({ data: { hash, names } }: BundleHeader): object {
  return { hash, names };
}

function countEqual(a: Uint32Array, b: Uint32Array): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) if (a[at] !== b[at]) return at;
  return most;
}
