import { Type } from "typebox";
import { expect, test } from "vitest";
import { listBreakingChanges } from "../../../src/client/api/contractChanges.ts";
import { createOpenApi } from "../../../src/client/api/openapi.ts";
import type { Route } from "../../../src/client/api/route.ts";

const base: Route = {
  method: "POST",
  path: "/things/{thing}",
  tag: "network",
  summary: "A thing",
  params: Type.Object({ thing: Type.String() }),
  query: Type.Object({ depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })) }),
  body: Type.Object({ kind: Type.Enum(["a", "b"]), note: Type.Optional(Type.String()) }, { $id: "Body" }),
  responses: {
    200: Type.Object(
      {
        state: Type.Enum(["on", "off"]),
        size: Type.Union([Type.String(), Type.Null()]),
        list: Type.Array(Type.Integer()),
      },
      { $id: "Thing" },
    ),
  },
  weight: 1,
};
const documentOf = (route: Route | undefined) => createOpenApi(route === undefined ? {} : { doThing: route });
const changesTo = (change: Partial<Route>) => listBreakingChanges(documentOf(base), documentOf({ ...base, ...change }));
const body = (members: object) => Type.Object(members as never, { $id: "Body" });
const thing = (members: object) => ({ 200: Type.Object(members as never, { $id: "Thing" }) });
const kind = Type.Enum(["a", "b"]);
const note = Type.Optional(Type.String());
const state = Type.Enum(["on", "off"]);
const size = Type.Union([Type.String(), Type.Null()]);
const list = Type.Array(Type.Integer());

test("equal contracts and additions are no breaking change", () => {
  expect(changesTo({})).toEqual([]);
  expect(listBreakingChanges(documentOf(undefined), documentOf(base))).toEqual([]);
  expect(
    changesTo({
      query: Type.Object({
        depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
        more: Type.Optional(Type.String()),
      }),
      body: body({ kind: Type.Enum(["a", "b", "c"]), note, extra: Type.Optional(Type.Integer()) }),
      responses: { ...thing({ state: Type.Enum(["on", "off", "idle"]), size, list, more: Type.String() }), 202: null },
    }),
  ).toEqual([]);
});

// Each change breaks a client: one that sends requests, or one that reads answers.
test.each<[string, Partial<Route>]>([
  ["another path", { path: "/other/{thing}" }],
  ["another method", { method: "GET" }],
  ["a parameter gone", { query: Type.Object({}) }],
  ["a parameter required", { query: Type.Object({ depth: Type.Integer({ minimum: 1, maximum: 10 }) }) }],
  ["a new one required", { headers: Type.Object({ key: Type.String() }) }],
  ["a tighter bound", { query: Type.Object({ depth: Type.Optional(Type.Integer({ minimum: 2, maximum: 10 })) }) }],
  ["another bound tighter", { query: Type.Object({ depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })) }) }],
  ["a form of a parameter", { params: Type.Object({ thing: Type.String({ pattern: "^x$" }) }) }],
  ["a word less to send", { body: body({ kind: Type.Enum(["a"]), note }) }],
  ["a member required", { body: body({ kind, note: Type.String() }) }],
  ["a new member required", { body: body({ kind, note, extra: Type.String() }) }],
  ["a member no longer taken", { body: body({ kind }) }],
  ["another type to send", { body: body({ kind, note: Type.Optional(Type.Integer()) }) }],
  ["a member of the answer gone", { responses: thing({ state, size }) }],
  ["a member of the answer uncertain", { responses: thing({ state, size, list: Type.Optional(list) }) }],
  ["another type of the answer", { responses: thing({ state, size, list: Type.String() }) }],
  ["another type inside a list", { responses: thing({ state, size, list: Type.Array(Type.String()) }) }],
  ["a word of the answer gone", { responses: thing({ state: Type.Enum(["on"]), size, list }) }],
  ["an answer that may be null", { responses: thing({ state: Type.Union([state, Type.Null()]), size, list }) }],
  ["no body any more", { responses: { 200: null } }],
  ["another status", { responses: { 201: base.responses[200]! } }],
])("found: %s", (_name, change) => {
  expect(changesTo(change).length).toBeGreaterThan(0);
});

test("a parameter of the path may have another name, but no narrower form", () => {
  const renamed = { path: "/things/{thingId}", params: Type.Object({ thingId: Type.String() }) };
  expect(changesTo(renamed)).toEqual([]);
  const narrower = { ...renamed, params: Type.Object({ thingId: Type.String({ pattern: "^a$" }) }) };
  expect(changesTo(narrower)).toEqual(["POST /things/{thing}: path.1: its pattern changed"]);
});

test("a removed operation is reported once, by its name", () => {
  expect(listBreakingChanges(documentOf(base), documentOf(undefined))).toEqual([
    "POST /things/{thing}: the operation is gone",
  ]);
});
