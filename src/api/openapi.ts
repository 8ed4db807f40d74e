import type { TObject, TSchema } from "typebox";
import { API_PREFIX } from "./endpoint.ts";
import { Components, type Json, type JsonObject } from "./jsonSchema.ts";
import { PROBLEM_TYPE, PROBLEMS, Problem, type ProblemCode } from "./problem.ts";
import type { Route } from "./route.ts";
import { routes } from "./routes.ts";
import { API_VERSION } from "./version.ts";

const DESCRIPTION = `A venue of perpetual futures.

Every state-changing action is a typed signed transaction (EIP-712), submitted to \`/transactions\` and confirmed under its id. Everything else reads.

* Money, prices, sizes and rates are canonical decimal strings; ids and nonces are decimal strings; heights, places and milliseconds are integers; addresses and hashes are lower-case hexadecimal. What is absent is \`null\`.
* Every read belongs to one height, and \`asOf\` says which. \`ETag\` changes with it.
* Lists come in pages that keep to the height of the first: no doubles, no holes.
* Errors have a body of RFC 9457; match on \`code\` and \`reason\`.
* Within a version of this contract fields, words and operations are added, never taken away: ignore what is not known.`;

const TAGS: Readonly<Record<string, string>> = {
  network: "Network, blocks and transactions.",
  markets: "Markets and their prices.",
  accounts: "Accounts, by address.",
  liquidations: "Liquidations and the insurance fund.",
  authorizations: "Scoped grants from owners to agents.",
  session: "Wallet sessions (EIP-4361). They let read, never sign.",
  faucet: "Simulated collateral, where it is enabled.",
  contract: "This contract itself.",
};

/** Errors that any operation may answer with. */
const EVERYWHERE: readonly ProblemCode[] = [
  "MALFORMED_REQUEST",
  "VALIDATION_ERROR",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "INTERNAL_ERROR",
];

const text = (description: string): Json => ({ description, schema: { type: "string" } });
const ALL_HEADERS: JsonObject = {
  "X-Request-Id": text("Id of the request: as given, or of the venue's making."),
  RateLimit: text("What is left of the allowance, and for how long."),
  "RateLimit-Policy": text("The allowance."),
  ETag: text("Changes with the height; send it back as `If-None-Match`."),
};
const headers = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const HEADERS = headers("X-Request-Id", "RateLimit", "RateLimit-Policy");
const READ_HEADERS = headers("X-Request-Id", "RateLimit", "RateLimit-Policy", "ETag");

/** The contract of the REST interface as an OpenAPI 3.1 document. A pure function of the table of routes. */
export function createOpenApi(table: Readonly<Record<string, Route>> = routes): JsonObject {
  const components = new Components();
  const problems: Record<string, Json> = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const [operationId, route] of Object.entries(table)) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = writeOperation(operationId, route, components, problems);
  }
  const used = new Set(Object.values(table).map(({ tag }) => tag));
  return {
    openapi: "3.1.1",
    info: { title: "perplab", version: API_VERSION, description: DESCRIPTION },
    servers: [{ url: API_PREFIX, description: "Behind the base address that `/status` tells." }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? "" })),
    paths,
    components: {
      schemas: components.list(),
      headers: ALL_HEADERS,
      responses: problems,
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "Token of a wallet session." },
      },
    },
  };
}

/** @param problems error responses so far, by name: most operations share theirs */
function writeOperation(
  operationId: string,
  route: Route,
  components: Components,
  problems: Record<string, Json>,
): Json {
  const parameters = [
    ...writeParameters("path", route.params, components),
    ...writeParameters("query", route.query, components),
    ...writeParameters("header", route.headers, components),
  ];
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    "x-weight": route.weight,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: components.refer(route.body) } } } }),
    responses: writeResponses(route, components, problems),
    ...writeSecurity(route),
  };
}

function writeParameters(place: string, schema: TObject | undefined, components: Components): Json[] {
  const required = new Set<string>((schema?.["required"] as readonly string[] | undefined) ?? []);
  return Object.entries((schema?.properties ?? {}) as Readonly<Record<string, TSchema>>).map(([name, member]) => {
    const { description = "", ...rest } = components.refer(member) as { description?: string } & JsonObject;
    return { name, in: place, required: required.has(name), description, schema: rest };
  });
}

function writeResponses(route: Route, components: Components, problems: Record<string, Json>): Json {
  const responses: Record<string, Json> = {};
  const headers = route.method === "GET" ? READ_HEADERS : HEADERS;
  for (const [status, schema] of Object.entries(route.responses)) {
    const type = route.contentType ?? "application/json";
    responses[status] = {
      description: SUCCESS[status] ?? "Done.",
      headers,
      ...(schema === null ? {} : { content: { [type]: { schema: components.refer(schema) } } }),
    };
  }
  if (route.method === "GET") responses["304"] = { description: "Nothing changed since `If-None-Match`.", headers };
  const codes = new Map<number, ProblemCode[]>();
  for (const code of [...EVERYWHERE, ...(route.problems ?? [])]) {
    for (const status of statusesOf(code, route)) codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  for (const [status, list] of [...codes].sort(([a], [b]) => a - b)) {
    const name = `${status}.${list.join(".")}`;
    problems[name] ??= {
      description: list.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
      headers: HEADERS,
      content: { [PROBLEM_TYPE]: { schema: components.refer(Problem) } },
    };
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

const SUCCESS: Readonly<Record<string, string>> = {
  "200": "As it is.",
  "201": "Created.",
  "202": "Taken.",
  "204": "Done; there is no body.",
};

/**
 * A submission tells every refusal of the venue with 422; a session of another address is 403; a request may be too long
 * or of another type.
 */
function statusesOf(code: ProblemCode, { body, problems }: Route): readonly number[] {
  if (code === "MALFORMED_REQUEST") return body === undefined ? [400, 414] : [400, 413, 414, 415];
  if (code !== "UNAUTHORIZED") return [PROBLEMS[code].status];
  if (problems?.includes("TRANSACTION_REJECTED")) return [422];
  return problems?.includes("SESSION_REQUIRED") ? [403] : body === undefined ? [401, 403] : [401];
}

function writeSecurity({ problems = [] }: Route): JsonObject {
  if (!problems.includes("SESSION_REQUIRED")) return {};
  // Whether a session is asked for is the network's to say, except where it is about the session itself.
  return { security: problems.includes("UNAUTHORIZED") ? [{}, { session: [] }] : [{ session: [] }] };
}
