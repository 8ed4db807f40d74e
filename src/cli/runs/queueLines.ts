import type { Line } from "../../product/cluster/queue/line.ts";
import { readVersions } from "../bundles.ts";

/** What has to be equal where runs are made. */
export async function readLine(): Promise<Line> {
  const { perplab, code } = await readVersions();
  return { perplab, code, node: Number.parseInt(process.versions.node, 10) };
}

/** What has to be equal where cases of a search are run: the checks, too. So it has another queue. */
export async function readCaseLine(): Promise<Line> {
  const { CODE_ROOT, hashCode } = await import("../../product/research/runs/codeHash.ts");
  const { SEARCH_CODE } = await import("../../proof/cluster/caseTask.ts");
  return { ...(await readLine()), code: hashCode(CODE_ROOT, SEARCH_CODE) };
}
