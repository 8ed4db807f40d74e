import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listDeployFaults } from "../../scripts/deployFaults.ts";
import { projectRoot } from "../helpers/project.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

/** The faults of the files as they are, but for one change in one file. */
function plant(path: string, from: string | RegExp, to: string): string[] {
  const changed = read(path).replace(from, to);
  expect(changed).not.toBe(read(path));
  return listDeployFaults((name) => (name === path ? changed : read(name)));
}

test("the files of deploy fit the package", () => {
  expect(listDeployFaults(read)).toEqual([]);
});

test.each([
  ["deploy/Dockerfile", /BULLMQ_VERSION=\S+/, "BULLMQ_VERSION=5.0.0", "BULLMQ_VERSION is not"],
  ["deploy/Dockerfile", /IOREDIS_VERSION=\S+/, "IOREDIS_VERSION=5.0.0", "IOREDIS_VERSION is not"],
  ["deploy/Dockerfile", /BULLMQ_OTEL_VERSION=\S+/, "BULLMQ_OTEL_VERSION=1.0.0", "BULLMQ_OTEL_VERSION is not"],
  ["deploy/Dockerfile", / "bullmq-otel@\S+/, "", "the image does not install bullmq-otel"],
  ["deploy/Dockerfile", /FROM node:\S+ AS base\n/, "FROM node:24 AS base\n", "node:24 has no full version"],
  ["deploy/Dockerfile", "USER 1000\n", "", "the image runs as root"],
  ["deploy/Dockerfile", "USER 1000\n", "USER 1000\nUSER root\n", "the image runs as root"],
  ["deploy/Dockerfile", "FROM base AS package\n", "", "the last stage is not `package`"],
  ["deploy/kubernetes/autoscaling.yaml", /0000-node24:active/, "0000-node24:wait", "0000-node24:active do not count"],
  ["deploy/kubernetes/autoscaling.yaml", /jobs-1{16}/g, "jobs-0000000000000000", "a version has two queues"],
  ["deploy/compose.yaml", /redis:7\S+/, "redis:latest", "redis has no full version"],
  ["deploy/compose.yaml", "      - always\n", "      - everysec\n", "redis runs without --appendfsync always"],
  ["deploy/compose.yaml", "noeviction", "allkeys-lru", "redis runs without --maxmemory-policy noeviction"],
  ["deploy/compose.yaml", "      - --requirepass\n", "", "redis runs without --requirepass"],
  ["deploy/kubernetes/worker.yaml", /perplab:\d\S+/, "perplab:latest", "the image is not perplab:"],
] as const)("a fault in %s is named: %s", (path, from, to, fault) => {
  expect(plant(path, from, to).join("\n")).toContain(fault);
});
