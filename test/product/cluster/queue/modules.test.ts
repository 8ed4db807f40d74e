import { expect, test } from "vitest";
import manifest from "../../../../package.json" with { type: "json" };
import { loadModules, loadTelemetry } from "../../../../src/product/cluster/queue/modules.ts";

const lacking = (missing: string) => async (name: string) => {
  if (name !== missing) return { Redis: class {} };
  throw Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" });
};

test.each(["bullmq", "ioredis"])("without %s, one error says how to install both", async (missing) => {
  await expect(loadModules(lacking(missing))).rejects.toMatchObject({
    code: "CLUSTER_MODULES",
    hint: "install them next to perplab: npm install bullmq@6 ioredis@5",
  });
});

test("without bullmq-otel, a wish for traces is one error that says how to install it", async () => {
  await expect(loadTelemetry("--telemetry", lacking("bullmq-otel"))).rejects.toMatchObject({
    code: "CLUSTER_MODULES",
    place: "--telemetry",
    hint: "install it next to perplab: npm install bullmq-otel@2",
  });
});

// No SDK is started in this process.
test("traces that nothing would read are refused", async () => {
  await expect(loadTelemetry("OTEL_TRACES_EXPORTER")).rejects.toMatchObject({
    code: "TRACES_UNREAD",
    place: "OTEL_TRACES_EXPORTER",
    hint: expect.stringContaining("NODE_OPTIONS="),
  });
});

test("another fault of a package is not hidden", async () => {
  const broken = async () => {
    throw new SyntaxError("oh");
  };
  await expect(loadModules(broken)).rejects.toThrow("oh");
  await expect(loadTelemetry("--telemetry", broken)).rejects.toThrow("oh");
});

// Goal: what `npm i perplab` installs does not grow.
test("all are optional peers in the versions that the error names, and no dependencies", () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, devDependencies } = manifest;
  for (const [name, major] of [
    ["bullmq", "6"],
    ["ioredis", "5"],
    ["bullmq-otel", "2"],
  ] as const) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(peerDependencies[name].replace("^", "").split(".")[0]).toBe(major);
    expect(devDependencies[name].split(".")[0]).toBe(major);
    expect({ ...dependencies, ...optionalDependencies }).not.toHaveProperty(name);
  }
  expect(Object.keys(peerDependencies)).toEqual(Object.keys(peerDependenciesMeta));
});
