import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import type { ApiRequest, ApiResponse } from "../../../../src/client/api/endpoint.ts";
import { Problem } from "../../../../src/client/api/problem.ts";
import { defineRoute, type Route } from "../../../../src/client/api/route.ts";
import {
  type AnswerRecord,
  Dispatcher,
  type DispatcherOptions,
  PATH_MOST,
  type RawHandler,
} from "../../../../src/server/face/dispatch/dispatcher.ts";
import { RateBuckets } from "../../../../src/server/face/limits/bucket.ts";
import { notFound } from "../../../../src/server/face/problems/problems.ts";

const name = Type.String({ pattern: "^[A-Z]{1,8}$", description: "A name." });
const answers = { 200: Type.Unknown() };
const base = { tag: "x", summary: "x", weight: 1, responses: answers };

const routes: Record<string, Route> = {
  listThings: defineRoute({ ...base, method: "GET", path: "/things" }),
  getThing: defineRoute({
    ...base,
    method: "GET",
    path: "/things/{name}",
    params: Type.Object({ name }),
    query: Type.Object({
      depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
      all: Type.Optional(Type.Boolean()),
    }),
  }),
  getLatest: defineRoute({ ...base, method: "GET", path: "/things/latest" }),
  makeThing: defineRoute({
    ...base,
    method: "POST",
    path: "/things",
    headers: Type.Object({ "x-key": Type.Optional(Type.String({ minLength: 3 })) }),
    body: Type.Object({
      name,
      inner: Type.Optional(Type.Object({ a: Type.Integer() }, { additionalProperties: false })),
    }),
  }),
  dropThings: defineRoute({ ...base, method: "DELETE", path: "/things", responses: { 204: null } }),
  rawThing: defineRoute({ ...base, method: "POST", path: "/raw", body: Type.Object({}) }),
  failThing: defineRoute({ ...base, method: "GET", path: "/fail" }),
  slowFail: defineRoute({ ...base, method: "GET", path: "/slow-fail" }),
  aliased: defineRoute({ ...base, method: "GET", path: "/side/door" }),
};

function createFixture(more: Partial<DispatcherOptions> = {}) {
  const calls: string[] = [];
  const records: AnswerRecord[] = [];
  const venue = { version: "0.1.aa" };
  const echo =
    (operation: string): RawHandler =>
    ({ params, query, headers, body }) => {
      calls.push(operation);
      const echoed = { operation, params, query, key: headers["x-key"], body, version: venue.version };
      return { status: 200, body: echoed, volatile: operation === "getLatest", guarded: operation === "aliased" };
    };
  const handlers = Object.fromEntries(Object.keys(routes).map((id) => [id, echo(id)]));
  const dispatcher = new Dispatcher({
    routes,
    handlers: {
      ...handlers,
      dropThings: () => ({ status: 204 }),
      failThing: () => {
        throw new Error("secret detail");
      },
      slowFail: async () => {
        throw notFound("There is none.");
      },
    },
    ownBodies: new Set(["rawThing"]),
    aliases: ["/side"],
    version: () => venue.version,
    newRequestId: () => "id-1",
    onAnswer: (record) => records.push(record),
    clock: () => 0,
    ...more,
  });
  const ask = async (request: Partial<ApiRequest> & { readonly path: string }): Promise<ApiResponse> =>
    await dispatcher.handle({ method: "GET", ...request }, "client");
  return { ask, calls, records, venue, dispatcher };
}

const isProblem = Compile(Problem);
const api = (path: string) => `/api/v1${path}`;
const json = { "content-type": "application/json" };

function expectProblem(response: ApiResponse, status: number, code: string, reason?: string): Problem {
  const body = JSON.parse(response.body) as Problem;
  expect(isProblem.Check(body)).toBe(true);
  expect([response.status, body.status, body.code, body.reason]).toEqual([status, status, code, reason]);
  expect(response.headers["content-type"]).toBe("application/problem+json");
  expect(response.headers["x-request-id"]).toBe(body.instance);
  return body;
}

describe("routes", () => {
  test("a path leads to its operation, a literal part before a parameter", async () => {
    const { ask, calls } = createFixture();
    await ask({ path: api("/things") });
    await ask({ path: api("/things/latest") });
    const { body } = await ask({ path: api("/things/ABC?depth=3&all=true") });
    expect(calls).toEqual(["listThings", "getLatest", "getThing"]);
    expect(JSON.parse(body)).toMatchObject({ params: { name: "ABC" }, query: { depth: 3, all: true } });
  });

  test.each([
    "/",
    "/api/v1",
    "/api/v2/things",
    api("/thing"),
    api("/things/"),
    api("/things/A/b"),
    "/things",
    api("//things"),
  ])("there is nothing at %s", async (path) => {
    expectProblem(await createFixture().ask({ path }), 404, "NOT_FOUND", "UNKNOWN_ROUTE");
  });

  test("an alias leads where the path inside the prefix does", async () => {
    const { ask, calls } = createFixture();
    await ask({ path: "/side/door" });
    await ask({ path: api("/side/door") });
    expect(calls).toEqual(["aliased", "aliased"]);
    expectProblem(await ask({ path: "/sided/door" }), 404, "NOT_FOUND", "UNKNOWN_ROUTE");
  });

  test("another method is answered with the allowed ones", async () => {
    const { ask } = createFixture();
    const response = await ask({ method: "DELETE", path: api("/things/ABC") });
    expectProblem(response, 405, "MALFORMED_REQUEST", "METHOD");
    expect(response.headers["allow"]).toBe("GET, HEAD, OPTIONS");
    const options = await ask({ method: "OPTIONS" as never, path: api("/things") });
    expect([options.status, options.headers["allow"]]).toEqual([204, "GET, POST, DELETE, HEAD, OPTIONS"]);
    expectProblem(await ask({ method: "TRACE" as never, path: api("/things") }), 405, "MALFORMED_REQUEST", "METHOD");
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { ask } = createFixture();
    const got = await ask({ path: api("/things/ABC") });
    const head = await ask({ method: "HEAD", path: api("/things/ABC") });
    expect(head).toMatchObject({ status: 200, body: "" });
    expect(head.headers).toEqual({ ...got.headers, "content-length": String(Buffer.byteLength(got.body)) });
  });

  test("two routes cannot have the same method and path", () => {
    const twice = { a: routes["listThings"]!, b: routes["listThings"]! };
    expect(() => new Dispatcher({ routes: twice, handlers: {}, version: () => "", newRequestId: () => "" })).toThrow();
  });
});

describe("requests are read strictly", () => {
  test.each([
    ["?depth=6", "query.depth", "maximum"],
    ["?depth=0", "query.depth", "minimum"],
    ["?depth=01", "query.depth", "type"],
    ["?depth=+1", "query.depth", "type"],
    ["?depth=1e0", "query.depth", "type"],
    ["?depth=", "query.depth", "type"],
    ["?all=1", "query.all", "type"],
    ["?all", "query.all", "type"],
    ["?more=1", "query.more", "unknownField"],
    ["?__proto__=1", "query.__proto__", "unknownField"],
    ["?constructor=1", "query.constructor", "unknownField"],
    ["?depth=1&depth=1", "query.depth", "duplicate"],
    ["?", "query.", "unknownField"],
  ])("%s of a query", async (query, pointer, rule) => {
    const { ask, calls } = createFixture();
    if (query === "?") return expect((await ask({ path: api(`/things/ABC${query}`) })).status).toBe(200);
    const problem = expectProblem(await ask({ path: api(`/things/ABC${query}`) }), 400, "VALIDATION_ERROR");
    expect(problem.errors).toMatchObject([{ pointer, rule }]);
    expect(calls).toEqual([]);
  });

  test.each([
    ["/things/abc", "path.name"],
    ["/things/A%2fB", "path.name"],
    [`/things/${"A".repeat(500)}`, "path.name"],
  ])("%s of a path", async (path, pointer) => {
    const problem = expectProblem(await createFixture().ask({ path: api(path) }), 400, "VALIDATION_ERROR");
    expect(problem.errors).toMatchObject([{ pointer, rule: "pattern" }]);
  });

  test.each(["/things/%", "/things/%ff", "/things/ABC?depth=%zz", "/things/ABC?%ff=1"])(
    "%s is no text",
    async (path) => {
      expectProblem(await createFixture().ask({ path: api(path) }), 400, "MALFORMED_REQUEST", "ENCODING");
    },
  );

  test("a path that is too long", async () => {
    const { ask } = createFixture();
    const path = api(`/things/ABC?depth=${"1".repeat(PATH_MOST)}`);
    expectProblem(await ask({ path }), 414, "MALFORMED_REQUEST", "URI_TOO_LONG");
  });

  test.each([
    ["{", "MALFORMED_REQUEST", "body"],
    ["", "MALFORMED_REQUEST", "body"],
    ['{"name":"A","name":"B"}', "MALFORMED_REQUEST", "body.name"],
    ['{"name":"A"} x', "MALFORMED_REQUEST", "body"],
    ['{"name":"A","inner":{"a":1.5}}', "MALFORMED_REQUEST", "body.inner.a"],
    [`${"[".repeat(40)}${"]".repeat(40)}`, "MALFORMED_REQUEST", undefined],
    ["[]", "VALIDATION_ERROR", "body"],
    ["null", "VALIDATION_ERROR", "body"],
    ["{}", "VALIDATION_ERROR", "body.name"],
    ['{"name":"a"}', "VALIDATION_ERROR", "body.name"],
    ['{"name":"A","more":1}', "VALIDATION_ERROR", "body.more"],
    ['{"name":"A","__proto__":{}}', "VALIDATION_ERROR", "body.__proto__"],
    ['{"name":"A","inner":{"a":1,"b":2}}', "VALIDATION_ERROR", "body.inner.b"],
    ['{"name":"A","inner":{"a":"1"}}', "VALIDATION_ERROR", "body.inner.a"],
  ])("the body %s", async (body, code, pointer) => {
    const { ask, calls } = createFixture();
    const problem = JSON.parse(
      (await ask({ method: "POST", path: api("/things"), headers: json, body })).body,
    ) as Problem;
    expect([problem.status, problem.code]).toEqual([400, code]);
    if (pointer !== undefined) expect(problem.errors?.[0]?.pointer).toBe(pointer);
    expect(calls).toEqual([]);
  });

  test("a body that is too long", async () => {
    const { ask } = createFixture();
    const body = `{"name":"${"A".repeat(70_000)}"}`;
    expectProblem(
      await ask({ method: "POST", path: api("/things"), headers: json, body }),
      413,
      "MALFORMED_REQUEST",
      "TOO_LARGE",
    );
  });

  test.each([
    undefined,
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/jsonp",
  ])("a body of type %s", async (type) => {
    const { ask } = createFixture();
    const headers = type === undefined ? {} : { "content-type": type };
    const response = await ask({ method: "POST", path: api("/things"), headers, body: '{"name":"A"}' });
    expectProblem(response, 415, "MALFORMED_REQUEST", "CONTENT_TYPE");
  });

  test("a compressed body", async () => {
    const headers = { ...json, "content-encoding": "gzip" };
    const response = await createFixture().ask({ method: "POST", path: api("/things"), headers, body: "{}" });
    expectProblem(response, 415, "MALFORMED_REQUEST", "CONTENT_TYPE");
  });

  test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "a body of type %s is read",
    async (type) => {
      const headers = { "content-type": type, "x-key": "abc" };
      const response = await createFixture().ask({
        method: "POST",
        path: api("/things"),
        headers,
        body: '{"name":"A"}',
      });
      expect(JSON.parse(response.body)).toMatchObject({ body: { name: "A" }, key: "abc" });
    },
  );

  test("a header that the service uses is checked, another is not", async () => {
    const { ask } = createFixture();
    const request = { method: "POST", path: api("/things"), body: '{"name":"A"}' } as const;
    const bad = await ask({ ...request, headers: { ...json, "x-key": "ab" } });
    expect(expectProblem(bad, 400, "VALIDATION_ERROR").errors).toMatchObject([{ pointer: "header.x-key" }]);
    expect((await ask({ ...request, headers: { ...json, "x-other": "" } })).status).toBe(200);
  });

  test.each([
    { method: "GET", headers: {}, body: "{}" },
    { method: "GET", headers: { "content-length": "2" }, body: undefined },
    { method: "GET", headers: { "transfer-encoding": "chunked" }, body: undefined },
    { method: "DELETE", headers: {}, body: "{}" },
  ] as const)("$method with a body is refused", async ({ method, headers, body }) => {
    const { ask } = createFixture();
    // Also where the answer is at hand.
    await ask({ path: api("/things") });
    const response = await ask({ method, path: api("/things"), headers, ...(body === undefined ? {} : { body }) });
    expectProblem(response, 400, "MALFORMED_REQUEST", "BODY");
  });

  test("an operation may check its body by itself, but not read it less strictly", async () => {
    const { ask } = createFixture();
    const send = (body: string) => ask({ method: "POST", path: api("/raw"), headers: json, body });
    expect(JSON.parse((await send('{ "a":1 }')).body)).toMatchObject({ body: { a: 1 } });
    expectProblem(await send('{"a":1,"a":1}'), 400, "MALFORMED_REQUEST", "JSON");
  });
});

describe("answers", () => {
  test("an answer at the same height is not made again, and an unchanged answer is not sent again", async () => {
    const { ask, calls, venue } = createFixture();
    const first = await ask({ path: api("/things/ABC") });
    const etag = first.headers["etag"]!;
    expect(etag).toBe('W/"0.1.aa"');
    expect((await ask({ path: api("/things/ABC") })).body).toBe(first.body);
    expect(calls).toHaveLength(1);
    for (const tag of [etag, etag.slice(2), `"x", ${etag}`]) {
      const unchanged = await ask({ path: api("/things/ABC"), headers: { "if-none-match": tag } });
      expect([unchanged.status, unchanged.body, unchanged.headers["etag"]]).toEqual([304, "", etag]);
    }
    expect((await ask({ path: api("/things/ABC"), headers: { "if-none-match": '"y"' } })).status).toBe(200);
    expect(calls).toHaveLength(1);

    venue.version = "0.2.bb";
    const next = await ask({ path: api("/things/ABC"), headers: { "if-none-match": etag } });
    expect([next.status, next.headers["etag"]]).toEqual([200, 'W/"0.2.bb"']);
    expect(JSON.parse(next.body)).toMatchObject({ version: "0.2.bb" });
    expect(calls).toHaveLength(2);
  });

  test("HEAD says that nothing changed as GET does", async () => {
    const { ask } = createFixture();
    const etag = (await ask({ path: api("/things") })).headers["etag"]!;
    const request = { path: api("/things"), headers: { "if-none-match": etag } };
    expect(await ask({ ...request, method: "HEAD" })).toEqual(await ask(request));
  });

  test("an answer that may change within a height has no tag and is always made", async () => {
    const { ask, calls } = createFixture();
    for (let again = 0; again < 2; again++) {
      const { headers } = await ask({ path: api("/things/latest"), headers: { "if-none-match": '"0.1.aa"' } });
      expect([headers["etag"], headers["cache-control"]]).toEqual([undefined, "no-store"]);
    }
    expect(calls).toEqual(["getLatest", "getLatest"]);
  });

  test("an error reveals nothing of what failed inside, but its record does", async () => {
    const { ask, records } = createFixture();
    const response = await ask({ path: api("/fail") });
    expectProblem(response, 500, "INTERNAL_ERROR");
    expect(response.body).not.toContain("secret");
    expect(records.at(-1)).toMatchObject({ operation: "failThing", status: 500, error: new Error("secret detail") });
  });

  test("a handler may refuse after an await", async () => {
    expectProblem(await createFixture().ask({ path: api("/slow-fail") }), 404, "NOT_FOUND", "UNKNOWN_RESOURCE");
  });

  test("an answer for one reader is given to no other", async () => {
    const { ask, calls } = createFixture();
    for (let again = 0; again < 2; again++) {
      const { headers } = await ask({ path: api("/side/door") });
      expect(headers["cache-control"]).toBe("private, no-cache");
    }
    expect(calls).toEqual(["aliased", "aliased"]);
  });

  test("an id of the client's own is taken if it is plain", async () => {
    const { ask } = createFixture();
    const idOf = async (given: string) =>
      (await ask({ path: api("/things"), headers: { "x-request-id": given } })).headers["x-request-id"];
    expect(await idOf("a.B-1:2_3")).toBe("a.B-1:2_3");
    for (const hostile of ["", 'a"b', "a\nb", "a".repeat(65), "<script>"]) expect(await idOf(hostile)).toBe("id-1");
  });

  test("every answer is recorded once", async () => {
    const { ask, records } = createFixture();
    await ask({ path: api("/things") });
    await ask({ path: api("/things") });
    await ask({ path: "/x" });
    await ask({ method: "DELETE", path: api("/things") });
    expect(records.map(({ operation, status }) => [operation, status])).toEqual([
      ["listThings", 200],
      ["listThings", 200],
      [undefined, 404],
      ["dropThings", 204],
    ]);
  });

  test("requests are counted by weight, cached or not, and refused with the time to wait", async () => {
    const allowances = new RateBuckets({ name: "reads", quota: 2, windowMs: 10_000 });
    const { ask } = createFixture({ allowancesOf: () => allowances });
    const first = await ask({ path: api("/things") });
    expect(first.headers).toMatchObject({ "ratelimit-policy": '"reads";q=2;w=10', ratelimit: '"reads";r=1;t=5' });
    expect((await ask({ path: api("/things") })).status).toBe(200);
    const refused = await ask({ path: api("/things") });
    expect(expectProblem(refused, 429, "RATE_LIMITED", "READS")).toMatchObject({
      retryable: true,
      retryAfterMs: 5_000,
    });
    expect(refused.headers).toMatchObject({ "retry-after": "5", ratelimit: '"reads";r=0;t=10' });
  });
});
