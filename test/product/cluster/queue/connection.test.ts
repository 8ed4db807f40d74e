import { expect, test } from "vitest";
import { checkInfo } from "../../../../src/product/cluster/queue/connection.ts";

const infoOf = (version: string, policy = "noeviction") =>
  `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n`;

test.each(["6.2.0", "6.10.1", "7.0.15", "10.0.0"])("Redis %s is new enough", (version) => {
  expect(() => checkInfo(infoOf(version), "redis://host")).not.toThrow();
});

test.each(["5.0.14", "6.0.16", "6.1.240", ""])("Redis %j is refused as too old", (version) => {
  expect(() => checkInfo(infoOf(version), "redis://host")).toThrow(
    expect.objectContaining({ code: "REDIS_UNFIT", place: "redis://host", hint: "use Redis 6.2 or newer" }),
  );
});

test("a Redis that may evict keys is refused", () => {
  expect(() => checkInfo(infoOf("7.0.15", "allkeys-lru"), "redis://host")).toThrow(
    expect.objectContaining({ code: "REDIS_UNFIT", hint: "set maxmemory-policy noeviction" }),
  );
});
