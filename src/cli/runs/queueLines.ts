import type { Line } from "../../product/cluster/queue/line.ts";
import { readVersions } from "../bundles.ts";

/** The line of runs of strategies. */
export async function readLine(): Promise<Line> {
  const { perplab, code } = await readVersions();
  return { perplab, code, node: Number.parseInt(process.versions.node, 10) };
}

/**
 * The line of all other jobs. Cases, scenarios and paths depend on more of the code than a run does, so they have
 * another queue.
 */
export async function readFullLine(): Promise<Line> {
  const { ALL_FOLDERS, CODE_ROOT, hashCode } = await import("../../product/research/runs/codeHash.ts");
  return { ...(await readLine()), code: hashCode(CODE_ROOT, ALL_FOLDERS) };
}
