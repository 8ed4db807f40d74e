import { formatCount } from "../../../ground/math/counts.ts";
import { formatUsd } from "../../report/text/numbers.ts";
import { formatTime } from "../../report/text/times.ts";
import type { BundleHeader, PortfolioBundleHeader, SingleBundleHeader } from "./bundle.ts";
import { codeOf } from "./bundledStrategy.ts";
import type { BundleProof } from "./proveBundle.ts";

/** The contents of a bundle, for a terminal. */
export function renderBundle(path: string, header: BundleHeader): string {
  const { versions, data, result } = header;
  const { packages } = codeOf(header);
  return align([
    [path, ""],
    ...("strategies" in header ? listSeveral(header) : listOne(header)),
    ...(packages.length === 0 ? [] : [["  packages", packages.join(", ")] as const]),
    ["  data", `${data.names.join(", ")}${data.included ? "" : "; by hash, not in the bundle"}`],
    ["  made with", `perplab ${versions.perplab}, protocol ${versions.protocol}`],
    ["  blocks", formatCount(result.blocks)],
    ["  final equity", `${formatUsd(result.finalEquity)} USD`],
    ["  state root", result.root],
  ]);
}

function listOne({ strategy, params }: SingleBundleHeader): string[][] {
  const files = Object.keys(strategy.files);
  return [
    [
      "  strategy",
      strategy.example === null ? `${strategy.id}, ${files.join(", ")}` : `the example ${strategy.example}`,
    ],
    ["  parameters", formatWords(params) || "none"],
  ];
}

function listSeveral({ strategies, code }: PortfolioBundleHeader): string[][] {
  const files = Object.keys(code.files);
  return [
    ...strategies.flatMap(({ name, id, example, entry, params, account }) => [
      [`  ${name}`, example === null ? `${id}, ${entry}` : `the example ${example}`],
      ["    parameters", formatWords(params) || "none"],
      ["    account", formatWords(account)],
    ]),
    ...(files.length === 0 ? [] : [["  files", files.join(", ")]]),
  ];
}

function formatWords(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** The outcome of making the run again, for a terminal. */
export function renderProof(path: string, proof: BundleProof): string {
  const { bundled, again } = proof;
  if (proof.equal) {
    return align([
      [`${path} is proved: the run gives the same venue again, block by block.`, ""],
      ["  blocks", formatCount(again.blocks)],
      ["  final equity", `${formatUsd(again.finalEquity)} USD`],
      ["  effects head", again.head],
      ["  state root", again.root],
    ]);
  }
  return [
    `${path} is not proved: ${describeProof(proof)}.`,
    align([
      ["", "bundle", "again"],
      ["  blocks", formatCount(bundled.blocks), formatCount(again.blocks)],
      ["  final equity", formatUsd(bundled.finalEquity), formatUsd(again.finalEquity)],
      ["  state root", bundled.root, again.root],
    ]),
  ].join("\n");
}

/** Why a run is not the one of the bundle, as part of a sentence. */
export function describeProof({ firstBlock }: BundleProof): string {
  if (firstBlock === undefined) return "every block has the same events, and the root is another";
  const { height, timeMs } = firstBlock;
  const at = timeMs === undefined ? "which this run does not have" : `${formatTime(timeMs)} UTC`;
  return `block ${formatCount(height)} is the first whose events differ (${at})`;
}

function align(rows: readonly (readonly string[])[]): string {
  const body = rows.filter(([, value]) => value !== "");
  const widths = [0, 1].map((column) => Math.max(...body.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row[1] === ""
        ? row[0]!
        : row
            .map((cell, at) => cell.padEnd(widths[at] ?? 0))
            .join("  ")
            .trimEnd(),
    )
    .join("\n");
}
