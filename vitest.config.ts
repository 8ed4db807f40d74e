import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import slow from "./test/slow.json" with { type: "json" };

// `npm test` runs what takes a moment, `npm run test:slow` the files of test/slow.json, each listed with its reason.
const slowFiles = slow.map(({ file }) => file);

// Rooms that keep no state in modules: their files share a worker with its modules, which saves half of their time. Files that
// put other modules in the place of the project's have a worker of their own.
const MOCKING = ["test/proof/fuzz/regression/outcomes.test.ts", "test/proof/fuzz/regression/planted.test.ts"];
const PURE = ["test/{ground,protocol,venue,proof}/**/*.test.ts"];
const OTHERS = ["test/*.test.ts", "test/!(ground|protocol|venue|proof)/**/*.test.ts", ...MOCKING];

export default defineConfig({
  test: {
    setupFiles: ["test/seed.ts"],
    // Vitest leaves a core to itself, which on a machine with two is half of it, and needs little of it.
    maxWorkers: availableParallelism(),
    // The machines that matter here have two cores; a loaded one must not fail a test for being slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "pure", include: PURE, exclude: [...slowFiles, ...MOCKING], isolate: false } },
      { extends: true, test: { name: "fast", include: OTHERS, exclude: slowFiles } },
      { extends: true, test: { name: "slow", include: slowFiles } },
    ],
  },
});
