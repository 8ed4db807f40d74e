import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { createAsyncApi } from "../../../src/client/api/asyncapi.ts";
import { CHANNEL_NAMES } from "../../../src/client/api/socket/channels.ts";

const meta = new URL(import.meta.resolve("@asyncapi/specs/schemas/3.0.0.json"));

test("is an AsyncAPI 3 document by the schema of its makers", () => {
  // Its schema brings the meta-schema of draft 7 with it.
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, meta: false, validateSchema: false });
  const validate = ajv.compile(JSON.parse(readFileSync(meta, "utf8")));
  const document = JSON.parse(JSON.stringify(createAsyncApi()));
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  delete document.channels.stream.address;
  document.channels.stream.adress = "/ws/v1";
  expect(validate(document)).toBe(false);
});

test("has a snapshot and a delta of every channel, and every reference leads somewhere", () => {
  const document = JSON.parse(JSON.stringify(createAsyncApi())) as {
    readonly components: { readonly messages: object };
  };
  const messages = Object.keys(document.components.messages);
  for (const channel of CHANNEL_NAMES) {
    expect(messages).toContain(`${channel}Snapshot`);
    expect(messages).toContain(`${channel}Delta`);
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
  expect(references.length).toBeGreaterThan(100);
  for (const reference of new Set(references)) {
    const found = reference.split("/").reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document);
    expect(found, reference).toBeDefined();
  }
});
