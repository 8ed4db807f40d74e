import fc from "fast-check";
import type { TObject, TSchema } from "typebox";
import type { Route } from "../../../src/client/api/route.ts";
import { OPERATION_IDS, type OperationId, routes } from "../../../src/client/api/routes.ts";
import { payloadSchemas, TxHeader } from "../../../src/client/api/schemas/signedTransaction.ts";
import { ACTION_NAMES } from "../../../src/protocol/actions/index.ts";
import { hostileJson, hostileText, hostileValue } from "./hostile.ts";
import { valuesOf } from "./valuesOf.ts";

/** A value that the venue returned before: known when the request is sent. */
export interface Fact {
  readonly fact: FactKind;
  readonly pick: number;
}
export const FACT_KINDS = ["address", "market", "height", "txId", "cursor", "liquidation", "challenge"] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** What is done to a request that was in order. */
export type Twist =
  /** Surely wrong: it must be refused. */
  | { readonly kind: "unknownQuery"; readonly name: string; readonly value: string }
  | { readonly kind: "doubleQuery" }
  | { readonly kind: "unknownMember"; readonly value: unknown }
  | { readonly kind: "doubleMember" }
  | { readonly kind: "bodyOfRead"; readonly text: string }
  | { readonly kind: "method"; readonly method: string }
  | { readonly kind: "contentType"; readonly type: string }
  /** May be wrong. */
  | { readonly kind: "param"; readonly pick: number; readonly text: string }
  | { readonly kind: "query"; readonly pick: number; readonly text: string }
  | { readonly kind: "rawQuery"; readonly text: string }
  | { readonly kind: "member"; readonly pick: number; readonly value: unknown }
  | { readonly kind: "withoutMember"; readonly pick: number }
  | { readonly kind: "body"; readonly text: string }
  | { readonly kind: "cutBody"; readonly at: number }
  | { readonly kind: "header"; readonly name: string; readonly text: string }
  | { readonly kind: "path"; readonly add: string };

export interface Draft {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly twists: readonly Twist[];
  /** Asked again under the ETag of the answer. */
  readonly repeats: boolean;
  readonly isHead: boolean;
}

const FACT_OF_NAME: Readonly<Record<string, FactKind>> = {
  address: "address",
  owner: "address",
  agent: "address",
  signer: "address",
  market: "market",
  height: "height",
  txId: "txId",
  authId: "txId",
  id: "liquidation",
  cursor: "cursor",
  challengeId: "challenge",
};

function valueNamed(name: string, schema: TSchema): fc.Arbitrary<unknown> {
  // Nothing is waited for that will not come.
  if (name === "waitMs") return fc.integer({ min: 0, max: 3 });
  const fact = FACT_OF_NAME[name];
  const values = valuesOf(schema);
  if (fact === undefined) return values;
  const earlier = fc.record({ fact: fc.constant(fact), pick: fc.nat(1_000) });
  return fc.oneof({ weight: 6, arbitrary: earlier }, { weight: 1, arbitrary: values });
}

function members(schema: TObject | undefined): fc.Arbitrary<Record<string, unknown>> {
  if (schema === undefined) return fc.constant({});
  const entries = Object.entries(schema.properties).map(([name, member]) => [name, valueNamed(name, member)]);
  const requiredKeys = ((schema as { required?: string[] }).required ?? []) as string[];
  return fc.record(Object.fromEntries(entries), { requiredKeys, noNullPrototype: true });
}

/** Bodies that fit the schema; of the actions, ones with their own fields. */
function bodyOf(operation: OperationId, route: Route): fc.Arbitrary<unknown> {
  if (route.body === undefined) return fc.constant(undefined);
  if (operation === "submitTransaction" || operation === "previewAction") {
    return fc.constantFrom(...ACTION_NAMES).chain((action) => {
      const payload = valuesOf(payloadSchemas[action]!);
      if (operation === "previewAction") return fc.record({ action: fc.constant(action), payload });
      const signature = fc.stringMatching(/^0x[0-9a-f]{130}$/);
      return fc.record({ action: fc.constant(action), header: valuesOf(TxHeader), payload, signature });
    });
  }
  return members(route.body as TObject);
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "X"];
const HEADERS = ["idempotency-key", "if-none-match", "x-request-id", "authorization", "content-encoding", "accept"];

const twist: fc.Arbitrary<Twist> = fc.oneof(
  fc.record({ kind: fc.constant("unknownQuery"), name: hostileText, value: hostileText }),
  fc.record({ kind: fc.constant("doubleQuery") }),
  fc.record({ kind: fc.constant("unknownMember"), value: hostileValue }),
  fc.record({ kind: fc.constant("doubleMember") }),
  fc.record({ kind: fc.constant("bodyOfRead"), text: hostileJson }),
  fc.record({ kind: fc.constant("method"), method: fc.constantFrom(...METHODS) }),
  fc.record({
    kind: fc.constant("contentType"),
    type: fc.constantFrom("", "text/plain", "application/xml", "application/json; charset=utf-16", "application/jsonx"),
  }),
  fc.record({ kind: fc.constant("param"), pick: fc.nat(5), text: hostileText }),
  fc.record({ kind: fc.constant("query"), pick: fc.nat(12), text: hostileText }),
  fc.record({
    kind: fc.constant("rawQuery"),
    text: fc.constantFrom("%", "%zz", "&", "&&", "=", "=1", "a", "?", "limit=1;cursor=2", "limit[]=1", "#x"),
  }),
  fc.record({ kind: fc.constant("member"), pick: fc.nat(40), value: hostileValue }),
  fc.record({ kind: fc.constant("withoutMember"), pick: fc.nat(40) }),
  fc.record({ kind: fc.constant("body"), text: hostileJson }),
  fc.record({ kind: fc.constant("cutBody"), at: fc.nat(400) }),
  fc.record({ kind: fc.constant("header"), name: fc.constantFrom(...HEADERS), text: hostileText }),
  fc.record({
    kind: fc.constant("path"),
    add: fc.constantFrom("/", "//", "/..", "/%2e%2e", "/%", "/%ff", "/x", ";a=1", `/${"x".repeat(5_000)}`),
  }),
) as fc.Arbitrary<Twist>;

const twists = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Twist[]>([]) },
  { weight: 4, arbitrary: fc.array(twist, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(twist, { minLength: 2, maxLength: 3 }) },
);

/** Requests of one operation, in order and not. */
function draftsOf(operation: OperationId): fc.Arbitrary<Draft> {
  const route: Route = routes[operation];
  return fc.record({
    operation: fc.constant(operation),
    params: members(route.params),
    query: members(route.query),
    headers: members(route.headers),
    body: bodyOf(operation, route),
    twists,
    repeats: fc.boolean(),
    isHead: fc.integer({ min: 0, max: 7 }).map((draw) => draw === 0),
  });
}

/** The documents of the contract are long; now and then is enough. */
const weightOf = (id: OperationId) => (routes[id].tag === "contract" ? 3 : 8);

/** Requests of all operations. */
export const arbitraryDraft: fc.Arbitrary<Draft> = fc.oneof(
  ...OPERATION_IDS.map((id) => ({ weight: weightOf(id), arbitrary: draftsOf(id) })),
);
