import { expect, onTestFinished, test } from "vitest";
import { readAddress } from "../../../../src/product/cluster/queue/address.ts";
import { checkInfo, connect, toClusterError } from "../../../../src/product/cluster/queue/connection.ts";
import { NO_REDIS, TestRedis } from "../../../helpers/cluster/redis.ts";

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

test.each([
  ["a replica", "role:slave", "this Redis is a replica", "give the address of its primary"],
  ["a node of a cluster", "cluster_enabled:1", "this Redis is a node of a cluster", "without cluster-enabled"],
])("%s is refused, since it cannot keep a queue", (_name, field, reason, hint) => {
  expect(() => checkInfo(`${infoOf("7.0.15")}${field}\r\n`, "redis://host")).toThrow(
    expect.objectContaining({
      code: "REDIS_UNFIT",
      place: "redis://host",
      message: expect.stringContaining(reason),
      hint: expect.stringContaining(hint),
    }),
  );
  const primary = `${infoOf("7.0.15")}role:master\r\ncluster_enabled:0\r\n`;
  expect(() => checkInfo(primary, "redis://host")).not.toThrow();
});

test.each([
  ["READONLY You can't write against a read only replica.", "REDIS_UNFIT", "this Redis is a replica"],
  ["MISCONF Redis is configured to save RDB snapshots, but it's unable", "REDIS_UNFIT", "cannot write to its disk"],
  ["OOM command not allowed when used memory > 'maxmemory'.", "REDIS_FULL", "memory limit"],
])("an answer of Redis has a code: %s", (answer, code, reason) => {
  expect(toClusterError(new Error(answer), "redis://host")).toMatchObject({
    code,
    place: "redis://host",
    message: expect.stringContaining(reason),
    hint: expect.any(String),
  });
});

test.skipIf(NO_REDIS !== undefined)("a database that Redis does not have is refused, not replaced by 0", async () => {
  const redis = await TestRedis.start();
  onTestFinished(() => redis.close());
  await expect(connect(readAddress(`${redis.url}/99`))).rejects.toMatchObject({
    code: "REDIS_URL",
    place: `${redis.url}/99`,
    message: "this Redis has no database of this number",
  });
  await (await connect(readAddress(`${redis.url}/15`))).close();
});
