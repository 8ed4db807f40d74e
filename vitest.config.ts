import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import slow from "./test/slow.json" with { type: "json" };

// `npm test` runs what takes a moment, `npm run test:slow` the files of test/slow.json, each listed with its reason.
const slowFiles = slow.map(({ file }) => file);

export default defineConfig({
  test: {
    setupFiles: ["test/seed.ts"],
    // Vitest leaves a core to itself, which on a machine with two is half of it, and needs little of it.
    maxWorkers: availableParallelism(),
    // The machines that matter here have two cores; a loaded one must not fail a test for being slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "fast", include: ["test/**/*.test.ts"], exclude: slowFiles } },
      { extends: true, test: { name: "slow", include: slowFiles } },
    ],
  },
});
