import type { JobKinds } from "../../product/jobs/kind.ts";

/** Every kind of job that commands give to threads, and to workers of a queue. */
export const KINDS: JobKinds = {
  paths: async () => (await import("../../product/research/monte-carlo/pathJobs.ts")).pathKind,
  around: async () => (await import("../../proof/fuzz/explore/around/aroundKind.ts")).aroundKind,
  world: async () => (await import("../../proof/fuzz/explore/world/worldKind.ts")).worldKind,
  scenario: async () => (await import("./scenarioKind.ts")).scenarioKind,
};
