import { findNearest } from "../ground/collections/nearest.ts";
import type { FindingKind, QualityPolicy } from "../product/market-data/types.ts";
import { usageError } from "./fail.ts";

/** Options for the handling of findings in data. */
export interface PolicyOptions {
  readonly allow?: string;
  readonly deny?: string;
}

/** @throws {CliError} FINDING_UNKNOWN */
export async function readPolicy({ allow, deny }: PolicyOptions): Promise<QualityPolicy> {
  return {
    ...(allow === undefined ? {} : { allow: await parseKinds("--allow", allow) }),
    ...(deny === undefined ? {} : { deny: await parseKinds("--deny", deny) }),
  };
}

async function parseKinds(option: string, text: string): Promise<FindingKind[]> {
  const { FINDING_KINDS } = await import("../product/market-data/quality.ts");
  return text.split(",").map((word) => {
    const kind = FINDING_KINDS.find((name) => name === word.trim());
    if (kind !== undefined) return kind;
    const nearest = findNearest(word.trim(), FINDING_KINDS);
    throw usageError("FINDING_UNKNOWN", `there is no finding ${JSON.stringify(word.trim())}`, {
      place: option,
      hint: `${nearest === undefined ? "" : `did you mean ${nearest}? `}use ${FINDING_KINDS.join(", ")}`,
    });
  });
}

/** Bytes of the files that exist; a missing one is reported by its reader. */
export async function sizeOf(paths: readonly string[]): Promise<number> {
  const { stat } = await import("node:fs/promises");
  const { splitArchivePath } = await import("../product/market-data/files/archivePath.ts");
  let bytes = 0;
  for (const path of paths) {
    const found = await stat(splitArchivePath(path).path).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
