import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longestFirst.ts";
import slow from "./test/slow.json" with { type: "json" };

// `npm test` runs what takes a moment, `npm run test:slow` the files of test/slow.json, each listed with its reason.
const slowFiles = slow.map(({ file }) => file);

// Files that put other modules in the place of the project's: these need a worker each, and Vitest's own loader.
const MOCKING = [
  "test/product/market-data/files/noZstd.test.ts",
  "test/product/scenario/frozenRules.test.ts",
  "test/proof/fuzz/differential/houseFlowsPlanted.test.ts",
  "test/proof/fuzz/regression/outcomes.test.ts",
  "test/proof/fuzz/regression/planted.test.ts",
];

// Node loads TypeScript itself: nothing is transformed, and the engine runs as it does outside the tests.
const experimental = { viteModuleRunner: false };

// Where a report of every test's time is written, besides what is printed; `npm run slowest` reads it.
const report = process.env["PERPLAB_TEST_REPORT"];

export default defineConfig({
  test: {
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    setupFiles: ["test/coverage.ts", "test/seed.ts", "test/cleanUp.ts"],
    // Vitest leaves a core to itself, which on a machine with two is half of it, and needs little of it.
    maxWorkers: availableParallelism(),
    // Ends a test that hangs, and never one for being slow: no test has a limit of its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files share a worker with its modules: loading them took half of the time of the fast ones. So a test leaves
      // nothing behind in a module, a global or the environment.
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [...slowFiles, ...MOCKING],
          isolate: false,
          experimental,
        },
      },
      { extends: true, test: { name: "mocking", include: MOCKING } },
      { extends: true, test: { name: "slow", include: slowFiles, isolate: false, experimental } },
    ],
  },
});
