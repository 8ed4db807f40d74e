/**
 * A million changes of books to clients whose streams lose one message of a hundred: every gap is found, and every book
 * equals the venue's after the next heartbeat. Results go to `docs/evidence/socket.json`.
 *
 *     npm run campaign:socket               npm run campaign:socket -- --deltas 1e5 --seed 2
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runLossy } from "../test/helpers/lossyStreams.ts";

const { values } = parseArgs({
  options: { deltas: { type: "string", default: "1e6" }, seed: { type: "string", default: "1" } },
});
const [deltas, seed] = [Number(values.deltas), Number(values.seed)];
let reported = 0;
const run = await runLossy({
  seed,
  deltas,
  clients: 24,
  oneOf: 100,
  onProgress(done) {
    const percent = Math.floor((done * 100) / deltas);
    if (percent < reported + 10) return;
    reported = percent;
    console.log(`${Math.min(100, percent)} %, ${done.toLocaleString("en")} messages`);
  },
});
const file = join(import.meta.dirname, "..", "docs", "evidence", "socket.json");
writeFileSync(file, `${JSON.stringify({ seed, ...run }, null, 2)}\n`);
console.log(run);
process.exitCode = run.wrong + run.corruptions === 0 ? 0 : 1;
