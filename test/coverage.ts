/**
 * With `PERPLAB_COVERAGE`, a folder, each worker writes there what V8 saw of `src` after each test file; `npm run
 * coverage` reads it. Processes that a test starts write theirs when they end.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { afterAll } from "vitest";

const folder = process.env["PERPLAB_COVERAGE"];
/** Test files of one worker share the session, which begins before the first of them loads a source. */
const shared = globalThis as { perplabCoverage?: Session };

if (folder !== undefined) {
  shared.perplabCoverage ??= start(folder);
  const session = shared.perplabCoverage;
  afterAll(() => {
    session.post("Profiler.takePreciseCoverage", (error, taken) => {
      if (error !== null) throw error;
      const result = taken.result.filter(({ url }) => url.includes("/src/") && !url.includes("/node_modules/"));
      writeFileSync(join(folder, `worker-${process.pid}-${process.hrtime.bigint()}.json`), JSON.stringify({ result }));
    });
  });
}

/** Whether a block ran, not how often: counting keeps V8 from optimising. */
function start(directory: string): Session {
  mkdirSync(directory, { recursive: true });
  process.env["NODE_V8_COVERAGE"] = directory;
  // What comes compiled from a cache is covered with less precision.
  process.env["NODE_DISABLE_COMPILE_CACHE"] = "1";
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  return session;
}
