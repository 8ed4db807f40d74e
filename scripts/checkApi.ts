// Checks that the REST contract keeps everything that clients of the last release use. With --accept the present
// contract becomes the baseline: at a release, or for a breaking change that the changelog documents.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listBreakingChanges } from "../src/client/api/contractChanges.ts";
import { createOpenApi } from "../src/client/api/openapi.ts";

const baseline = join(import.meta.dirname, "../docs/reference/openapi.baseline.json");
const present = createOpenApi();

if (process.argv.includes("--accept")) {
  writeFileSync(baseline, `${JSON.stringify(present)}\n`);
  console.log("the present contract is the new baseline");
} else {
  const breaks = listBreakingChanges(JSON.parse(readFileSync(baseline, "utf8")), present);
  for (const line of breaks) console.log(line);
  console.log(`contract: ${breaks.length} breaking changes`);
  process.exitCode = breaks.length === 0 ? 0 : 1;
}
