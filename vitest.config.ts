import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    // Vitest leaves a core to itself, which on a machine with two is half of it, and needs little of it.
    maxWorkers: availableParallelism(),
    // The machines that matter here have two cores; a loaded one must not fail a test for being slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
