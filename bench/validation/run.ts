/**
 * Compares perplab with recordings of real venues and with other backtesters, and writes what it finds to
 * docs/evidence/validation.json and docs/validation.md.
 *
 *     npm run validation                            every check whose data is there
 *     npm run validation -- --install ../peers      and the other backtesters, which are installed there first
 *     npm run validation -- --only vaultFills       one check
 *
 * `PERPLAB_PEERS` names the folder of the other backtesters where nothing is to be installed. A check that is skipped
 * prints why, and keeps its earlier result.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { installPeers } from "../peers/environments.ts";
import { MEASURES } from "./measures.ts";
import { renderValidation } from "./page.ts";
import { CHECKS, type Check, joinResults, type Results } from "./results.ts";

const { values } = parseArgs({ options: { install: { type: "string" }, only: { type: "string" } } });
if (values.only !== undefined && !CHECKS.includes(values.only as Check)) {
  console.error(`there is no check ${values.only}; write one of ${CHECKS.join(", ")}`);
  process.exit(2);
}
if (values.install !== undefined) {
  const folder = resolve(values.install);
  installPeers(folder);
  process.env["PERPLAB_PEERS"] = folder;
}

const docs = join(import.meta.dirname, "..", "..", "docs");
const path = join(docs, "evidence", "validation.json");
const earlier = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : {};
const measured: Partial<Record<Check, unknown>> = {};
for (const name of values.only === undefined ? CHECKS : [values.only as Check]) {
  measured[name] = await MEASURES[name]();
  console.log(`${name}: ${measured[name] === undefined ? "skipped" : "measured"}`);
}
const results = joinResults(earlier, measured as Results);
writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
writeFileSync(join(docs, "validation.md"), renderValidation(results));
