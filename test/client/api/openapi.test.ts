import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { listBreakingChanges } from "../../../src/client/api/contractChanges.ts";
import type { Json, JsonObject } from "../../../src/client/api/jsonSchema.ts";
import { createDevnetOpenApi, createOpenApi } from "../../../src/client/api/openapi.ts";
import { devnetRoutes } from "../../../src/client/api/routes/devnet.ts";
import { OPERATION_IDS, routes } from "../../../src/client/api/routes.ts";
import { renderReference } from "../../../src/server/face/pages/reference.ts";

/** What the document says of signing, besides what JSON Schema knows. */
const SIGNING_KEYWORDS = [
  "x-eip712",
  "x-eip712-domain",
  "x-eip712-type",
  "x-nonce-domains",
  "x-scope",
  "x-authority",
  "x-decimals",
  "x-empty",
  "x-maximum",
];

const document = createOpenApi();
const control = createDevnetOpenApi();
const folder = join(import.meta.dirname, "../../../docs/reference");
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as JsonObject;

function* referencesOf(value: Json): Generator<string> {
  if (value === null || typeof value !== "object") return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "$ref" && typeof member === "string") yield member;
    else yield* referencesOf(member as Json);
  }
}

function operationsOf(whole: JsonObject): { path: string; operation: JsonObject }[] {
  return Object.entries(whole["paths"] as JsonObject).flatMap(([path, methods]) =>
    Object.values(methods as JsonObject).map((operation) => ({ path, operation: operation as JsonObject })),
  );
}

test("the document in the repository is the present contract", () => {
  expect(read("openapi.json")).toEqual(document);
  expect(read("openapi.devnet.json")).toEqual(control);
});

test("no operation, field or word that clients use was removed", () => {
  expect(listBreakingChanges(read("openapi.baseline.json"), document)).toEqual([]);
});

test.each([
  ["the venue", document, 60],
  ["control", control, 30],
])("every reference of the document of %s points at something in it", (_, whole, least) => {
  const references = new Set(referencesOf(whole));
  expect(references.size).toBeGreaterThan(least);
  for (const reference of references) {
    let at: Json | undefined = whole;
    for (const name of reference.slice(2).split("/")) at = (at as JsonObject | undefined)?.[name];
    expect(at, reference).toBeDefined();
  }
});

test.each([
  ["the venue", document, OPERATION_IDS],
  ["control", control, Object.keys(devnetRoutes)],
] as const)(
  "every operation of %s has a name of its own, a summary, and each parameter of its path",
  (_, whole, ids) => {
    const operations = operationsOf(whole);
    expect(operations.map(({ operation }) => operation["operationId"]).sort()).toEqual([...ids].sort());
    for (const { path, operation } of operations) {
      expect(operation["summary"], path).toMatch(/^[A-Z].*[^.]$/);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const given = ((operation["parameters"] ?? []) as readonly JsonObject[]).filter((one) => one["in"] === "path");
      expect(given.map((one) => one["name"]).sort(), path).toEqual(named.sort());
      for (const one of given) expect(one["required"]).toBe(true);
    }
  },
);

test("every field of every schema has a description", () => {
  const schemas = (document["components"] as JsonObject)["schemas"] as Readonly<Record<string, JsonObject>>;
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [field, member] of Object.entries((schema["properties"] ?? {}) as JsonObject)) {
      const { description, $ref } = member as JsonObject;
      if ($ref !== undefined || (member as JsonObject)["const"] !== undefined || name.startsWith("Signed")) continue;
      const items = (member as JsonObject)["items"] as JsonObject | undefined;
      const isDocumented = typeof description === "string" && description !== "";
      const isList = items !== undefined;
      const isGroup = (member as JsonObject)["properties"] !== undefined;
      expect(isDocumented || isList || isGroup, `${name}.${field}`).toBe(true);
    }
  }
});

test("every schema of the document is one of JSON Schema 2020-12", () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateFormats: false });
  ajv.addVocabulary(["components", ...SIGNING_KEYWORDS]);
  ajv.addSchema({ $id: "doc", components: document["components"] }, "doc");
  const schemas = (document["components"] as JsonObject)["schemas"] as JsonObject;
  for (const name of Object.keys(schemas)) {
    expect(() => ajv.compile({ $ref: `doc#/components/schemas/${name}` }), name).not.toThrow();
  }
});

test("the page documents every operation and schema, and fetches nothing", () => {
  const page = renderReference(document);
  for (const [id, { path }] of Object.entries(routes)) {
    expect(page).toContain(`<article id="${id}">`);
    expect(page).toContain(`<code>${path}</code>`);
  }
  for (const name of Object.keys((document["components"] as JsonObject)["schemas"] as JsonObject)) {
    expect(page).toContain(`id="schema-${name}"`);
  }
  expect(page).not.toMatch(/<script|https?:|@import|url\(/);
});

test("every operation documents the refusals that any request may get before it is read", () => {
  for (const [whole, least] of [
    [document, 30],
    [control, 15],
  ] as const) {
    const operations = operationsOf(whole);
    expect(operations.length).toBeGreaterThan(least);
    for (const { path, operation } of operations) {
      expect(Object.keys(operation["responses"] as JsonObject), path).toEqual(
        expect.arrayContaining(["400", "405", "408", "413", "414", "415", "421", "431"]),
      );
    }
    const { responses, headers } = whole["components"] as Readonly<
      Record<string, Readonly<Record<string, JsonObject>>>
    >;
    expect(responses!["405.MALFORMED_REQUEST"]!["headers"]).toHaveProperty("Allow");
    expect(headers).toHaveProperty("Allow");
  }
});
