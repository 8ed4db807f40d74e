import type { TObject, TSchema } from "typebox";
import { API_PREFIX } from "./endpoint.ts";
import { Components, type Json, type JsonObject } from "./jsonSchema.ts";
import { PROBLEM_TYPE, PROBLEMS, Problem, type ProblemCode } from "./problem.ts";
import { REASONS, type ReasonKind } from "./reasons.ts";
import type { Route } from "./route.ts";
import { devnetRoutes } from "./routes/devnet.ts";
import { routes } from "./routes.ts";
import { API_VERSION } from "./version.ts";

const VENUE = `A venue of perpetual futures.

Every state-changing action is a typed signed transaction (EIP-712), submitted to \`/transactions\` and confirmed under its id. Everything else reads.

* Money, prices, sizes and rates are canonical decimal strings; ids and nonces are decimal strings; heights, places and milliseconds are integers; addresses and hashes are lower-case hexadecimal. What is absent is \`null\`.
* Every read belongs to one height, and \`asOf\` names it. \`ETag\` changes with it.
* Lists come in pages that keep to the height of the first: no doubles, no holes.
* Errors have a body of RFC 9457; match on \`code\` and \`reason\`.
* Within a version of this contract fields, words and operations are added, never taken away: ignore unknown ones.`;

const TAGS: Readonly<Record<string, string>> = {
  network: "Network, blocks and transactions.",
  markets: "Markets and their prices.",
  accounts: "Accounts, by address.",
  liquidations: "Liquidations and the insurance fund.",
  authorizations: "Scoped grants from owners to agents.",
  session: "Wallet sessions (EIP-4361). They let read, never sign.",
  faucet: "Simulated collateral, where it is enabled.",
  contract: "This contract itself.",
  devnet: "Control of a development venue.",
};

const CONTROL = `Control of a development venue: blocks, time, prices, accounts, snapshots, faults.

The venue serves it alongside its API if it was started with it. A request must come from the same machine without a proxy between, or carry the administrator's token. This contract is a tool for tests, and may change with any release.

* Every change of the venue is a system transaction in a block, and every revert is recorded. The block log therefore replays to the same state root.
* \`asOf\` is the head of the chain when the answer is made.
* Errors have a body of RFC 9457; match on \`code\` and \`reason\`.`;

/** Header of a document, and how its operations are reached. */
interface Form {
  readonly title: string;
  readonly description: string;
  readonly server: JsonObject;
  /** Answers have tags and allowances. */
  readonly isPublic: boolean;
  readonly securitySchemes: JsonObject;
}

const API: Form = {
  title: "perplab",
  description: VENUE,
  server: { url: API_PREFIX, description: "Appended to the base address in `/status`." },
  isPublic: true,
  securitySchemes: { session: { type: "http", scheme: "bearer", description: "Token of a wallet session." } },
};

const DEVNET: Form = {
  title: "perplab devnet",
  description: CONTROL,
  server: { url: "/", description: "The address of the venue." },
  isPublic: false,
  securitySchemes: {
    administrator: { type: "http", scheme: "bearer", description: "Token that the venue was started with, if it was." },
  },
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
  Allow: text("Methods that the path takes."),
  "Retry-After": text("Seconds to wait before the same request is sent again."),
  "WWW-Authenticate": text("How to authenticate."),
  Location: text("Path of the transaction."),
  "Idempotency-Replayed": text("`true` where the answer repeats that of an earlier request with the same key."),
};
/** Headers of errors with this status, in addition to those of every answer. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};
/** Headers of a control document: no allowances, no cached reads. */
const CONTROL_HEADER_NAMES = ["X-Request-Id", "Allow", "Retry-After"] as const;
const headers = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const HEADERS = headers("X-Request-Id", "RateLimit", "RateLimit-Policy");
const CONTROL_HEADERS = headers("X-Request-Id");
const TAKEN_HEADERS = headers("X-Request-Id", "RateLimit", "RateLimit-Policy", "Location", "Idempotency-Replayed");
const READ_HEADERS = headers("X-Request-Id", "RateLimit", "RateLimit-Policy", "ETag");

/** The REST contract as an OpenAPI 3.1 document. A pure function of the route table. */
export function createOpenApi(table: Readonly<Record<string, Route>> = routes): JsonObject {
  return createDocument(table, API);
}

/** The control of a development venue, as a separate document. */
export function createDevnetOpenApi(): JsonObject {
  return createDocument(devnetRoutes, DEVNET);
}

function createDocument(table: Readonly<Record<string, Route>>, form: Form): JsonObject {
  const { title, description, server, securitySchemes, isPublic } = form;
  const components = new Components();
  const problems: Record<string, Json> = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const [operationId, route] of Object.entries(table)) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = writeOperation(operationId, route, components, problems, form);
  }
  const used = new Set(Object.values(table).map(({ tag }) => tag));
  return {
    openapi: "3.1.1",
    info: { title, version: API_VERSION, description },
    servers: [server],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? "" })),
    paths,
    components: {
      schemas: components.list(),
      headers: isPublic
        ? ALL_HEADERS
        : Object.fromEntries(CONTROL_HEADER_NAMES.map((name) => [name, ALL_HEADERS[name]!])),
      responses: problems,
      securitySchemes,
    },
  };
}

/** @param problems error responses written before, by name: most operations share theirs */
function writeOperation(
  operationId: string,
  route: Route,
  components: Components,
  problems: Record<string, Json>,
  form: Form,
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
    responses: writeResponses(route, components, problems, form),
    ...(form.isPublic ? writeSecurity(route) : { security: [{}, { administrator: [] }] }),
  };
}

function writeParameters(place: string, schema: TObject | undefined, components: Components): Json[] {
  const required = new Set<string>((schema?.["required"] as readonly string[] | undefined) ?? []);
  return Object.entries((schema?.properties ?? {}) as Readonly<Record<string, TSchema>>).map(([name, member]) => {
    const { description = "", ...rest } = components.refer(member) as { description?: string } & JsonObject;
    return { name, in: place, required: required.has(name), description, schema: rest };
  });
}

function writeResponses(
  route: Route,
  components: Components,
  problems: Record<string, Json>,
  { isPublic }: Form,
): Json {
  const responses: Record<string, Json> = {};
  const refused = isPublic ? HEADERS : CONTROL_HEADERS;
  const answered = isPublic && route.method === "GET" ? READ_HEADERS : refused;
  for (const [status, schema] of Object.entries(route.responses)) {
    const type = route.contentType ?? "application/json";
    responses[status] = {
      description: SUCCESS[status] ?? "Done.",
      headers: status === "202" ? TAKEN_HEADERS : answered,
      ...(schema === null ? {} : { content: { [type]: { schema: components.refer(schema) } } }),
    };
  }
  if (isPublic && route.method === "GET")
    responses["304"] = { description: "Nothing changed since `If-None-Match`.", headers: answered };
  const codes = new Map<number, ProblemCode[]>();
  for (const code of [...EVERYWHERE, ...(route.problems ?? [])]) {
    for (const status of statusesOf(code, route)) codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  for (const [status, list] of [...codes].sort(([a], [b]) => a - b)) {
    const name = `${status}.${list.join(".")}`;
    problems[name] ??= {
      description: list.map((code) => `\`${code}\`: ${describeCode(code, status)}`).join(" "),
      headers: { ...refused, ...headers(...(HEADERS_OF_STATUS[status] ?? [])) },
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

/** Meaning of a code under a status: the code's title, or the reasons that have only this status. */
function describeCode(code: ProblemCode, status: number): string {
  const reasons = Object.values<ReasonKind>(REASONS).filter((one) => one.code === code && one.status === status);
  return reasons.length === 0 || PROBLEMS[code].status === status
    ? `${PROBLEMS[code].title}.`
    : reasons.map(({ description }) => description).join(" ");
}

/** Statuses of an unreadable request, which every operation may answer. */
const UNREADABLE = [
  ...new Set(
    Object.values<ReasonKind>(REASONS)
      .filter(({ code }) => code === "MALFORMED_REQUEST")
      .map(({ status }) => status ?? PROBLEMS.MALFORMED_REQUEST.status),
  ),
];

/**
 * A submission answers every rejection by the venue with 422. A session of another address answers 403, as does a
 * client without the right to control the venue.
 */
function statusesOf(code: ProblemCode, { body, problems, tag }: Route): readonly number[] {
  if (code === "MALFORMED_REQUEST") return UNREADABLE;
  if (code !== "UNAUTHORIZED") return [PROBLEMS[code].status];
  if (tag === "devnet") return [403];
  if (problems?.includes("TRANSACTION_REJECTED")) return [422];
  return problems?.includes("SESSION_REQUIRED") ? [403] : body === undefined ? [401, 403] : [401];
}

function writeSecurity({ problems = [], tag }: Route): JsonObject {
  if (!problems.includes("SESSION_REQUIRED")) return {};
  // Whether reads need a session is a setting of the network, except for operations on the session itself.
  return { security: tag === "session" ? [{ session: [] }] : [{}, { session: [] }] };
}
