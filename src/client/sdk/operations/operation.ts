import type { BodyOf, ParamsOf, QueryOf, ResultOf, Route } from "../../api/route.ts";
import type { Routes } from "../../api/routes.ts";
import { type Requester, requestOnce, requestRead } from "../request.ts";
import { operations } from "./table.ts";

/** Id of an operation of the REST interface, for example `getMarketBook`. */
export type OperationId = keyof Routes;

type WithBody<R extends Route> = R extends { readonly body: object } ? { readonly body: BodyOf<R> } : unknown;

/** Members of path and query together, and the body where there is one. */
export type InputOf<Id extends OperationId> = Readonly<ParamsOf<Routes[Id]> & QueryOf<Routes[Id]>> &
  WithBody<Routes[Id]>;

/** The answer's body, with the height to which it belongs. */
export type AnswerOf<Id extends OperationId> = ResultOf<Routes[Id]>;

/** An input may be left out if it has no required member. */
export type InputArguments<Id extends OperationId> =
  Record<never, never> extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];

/** Operations that answer in pages. */
export type ListId = {
  [Id in OperationId]: AnswerOf<Id> extends { readonly data: readonly unknown[]; readonly page: object } ? Id : never;
}[OperationId];

/** An item of a list operation. */
export type ItemOf<Id extends ListId> = AnswerOf<Id> extends { readonly data: readonly (infer Item)[] } ? Item : never;

/**
 * Calls an operation of the REST interface by its id. A read is repeated until an answer arrives.
 *
 * @throws {VenueError} the venue's error answer
 * @throws {ClientError} CONNECTION_FAILED, TIMEOUT, RESPONSE_INVALID
 * @throws {TypeError} a member of the path, or the body, was not given; it names what is missing
 */
export async function call<Id extends OperationId>(
  requester: Requester,
  id: Id,
  ...[input]: InputArguments<Id>
): Promise<AnswerOf<Id>> {
  const {
    method,
    path: pattern,
    body: wanted,
  } = operations[id] as { method: "GET" | "POST" | "DELETE"; path: string; body?: readonly string[] };
  const { body, ...members } = (input ?? {}) as Readonly<Record<string, string | number | boolean | undefined>>;
  const query: Record<string, string | number | boolean | undefined> = { ...members };
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query[name];
    if (value === undefined) throw new TypeError(`${id} needs ${name}`);
    delete query[name];
    return encodeURIComponent(String(value));
  });
  if (wanted !== undefined && body === undefined) throw new TypeError(`${id} needs ${describeBody(wanted)}`);
  const answer =
    method === "GET" ? requestRead(requester, { path, query }) : requestOnce(requester, { method, path, query, body });
  return (await answer) as AnswerOf<Id>;
}

function describeBody(members: readonly string[]): string {
  return members.length === 0 ? "body" : `body: { ${members.join(", ")} }`;
}

/**
 * The items of a list, page after page. The height of the first page decides which items the pages hold.
 *
 * @throws {VenueError} CURSOR_INVALIDATED if the chain was replaced meanwhile: start again from the first page
 */
export async function* each<Id extends ListId>(
  requester: Requester,
  id: Id,
  ...[input]: InputArguments<Id>
): AsyncGenerator<ItemOf<Id>, void, undefined> {
  let members = input as Readonly<Record<string, unknown>> | undefined;
  for (;;) {
    const answer = await call(requester, id, ...([members] as unknown as InputArguments<Id>));
    const { data, page } = answer as unknown as { data: readonly ItemOf<Id>[]; page: { next: string | null } };
    yield* data;
    if (page.next === null) return;
    members = { ...members, cursor: page.next };
  }
}
