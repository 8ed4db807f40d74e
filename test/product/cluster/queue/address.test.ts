import { describe, expect, test } from "vitest";
import { findTraces, hideSecrets, readAddress } from "../../../../src/product/cluster/queue/address.ts";

describe("the address of a queue", () => {
  test("is a redis or rediss URL, with a prefix of keys", () => {
    expect(readAddress("redis://127.0.0.1:6379")).toEqual({ url: "redis://127.0.0.1:6379", prefix: "perplab" });
    expect(readAddress("rediss://me:secret@host:1/2", "mine")).toEqual({
      url: "rediss://me:secret@host:1/2",
      prefix: "mine",
    });
  });

  test("takes a password from elsewhere where it has none", () => {
    expect(readAddress("redis://me@host:1", "p", "from env").url).toBe("redis://me:from%20env@host:1");
    expect(readAddress("redis://me:own@host:1", "p", "from env").url).toBe("redis://me:own@host:1");
  });

  test.each(["localhost:6379", "http://host", "redis://", "", "redis:6379"])("refuses %j", (url) => {
    expect(() => readAddress(url)).toThrow(expect.objectContaining({ code: "REDIS_URL", place: "--redis" }));
  });

  test.each(["", "a:b", "a b", "x".repeat(65)])("refuses the prefix %j", (prefix) => {
    expect(() => readAddress("redis://host", prefix)).toThrow(
      expect.objectContaining({ code: "REDIS_URL", place: "--redis-prefix" }),
    );
  });

  test("is shown without its password, also when it is refused", () => {
    expect(hideSecrets("rediss://me:secret@host:1/2")).toBe("rediss://me@host:1/2");
    expect(hideSecrets("redis://:secret@host")).toBe("redis://host");
  });

  // A password with / or @ ends an address early, and an option may be a password.
  test.each([
    "http://me:secret@host",
    "redis://me:a/secret@host",
    "redis://me:a?secret@host",
    "redis://:p@a/secret@host",
    "redis://me:secret",
    "me:secret@host:6379",
    "redis://host:6379?password=secret",
    "redis://host#secret",
  ])("refuses %j without showing its password", (url) => {
    expect(() => readAddress(url)).toThrow(expect.objectContaining({ code: "REDIS_URL" }));
    expect(() => readAddress(url)).not.toThrow(/secret/);
  });

  test("names a refused address that has no password", () => {
    expect(() => readAddress("localhost:6379")).toThrow('"localhost:6379" is not the address of a Redis');
  });
});

test.each([
  [{ OTEL_TRACES_EXPORTER: "otlp" }, "OTEL_TRACES_EXPORTER"],
  [{ OTEL_TRACES_EXPORTER: " none " }, undefined],
  [{ OTEL_TRACES_EXPORTER: "" }, undefined],
  [{ OTEL_TRACES_EXPORTER: "otlp", OTEL_SDK_DISABLED: "TRUE" }, undefined],
  [{ OTEL_SERVICE_NAME: "mine" }, undefined],
])("the environment %j asks for traces by %s", (env, place) => {
  expect(findTraces(env)).toBe(place);
});
