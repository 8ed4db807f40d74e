import { ACTION_NAMES, actions } from "../../../protocol/actions/index.ts";
import { completePayload } from "../../../protocol/completePayload.ts";
import type { ClientBase } from "../client.ts";
import {
  type AnswerOf,
  call,
  each,
  type InputArguments,
  type InputOf,
  type ItemOf,
  type ListId,
  type OperationId,
} from "../operations/operation.ts";
import { operations } from "../operations/table.ts";

/** Operations that change nothing. */
export type ReadId = {
  [Id in OperationId]: (typeof operations)[Id]["method"] extends "GET" ? Id : never;
}[OperationId];

/** A function for every read of the REST interface, by its operation id: `client.getMarketBook({ market, depth })`. */
export type Reads = {
  readonly [Id in ReadId | "previewAction"]: (...input: InputArguments<Id>) => Promise<AnswerOf<Id>>;
};

/** Reads of a venue: no account is needed, except for a session on networks that require one. */
export interface PublicActions extends Reads {
  /** Calls any operation by its id. */
  call<Id extends OperationId>(id: Id, ...input: InputArguments<Id>): Promise<AnswerOf<Id>>;
  /** The items of a list, page after page: `for await (const order of client.each("listOrders", { address }))`. */
  each<Id extends ListId>(id: Id, ...input: InputArguments<Id>): AsyncGenerator<ItemOf<Id>, void, undefined>;
}

/** A preview's payload with its missing members set to absent. The venue names all other faults. */
function completePreview(input: InputOf<"previewAction">): InputOf<"previewAction"> {
  const { body } = input ?? {};
  const action = ACTION_NAMES.find((name) => name === body?.action);
  if (action === undefined || body?.payload === undefined) return input;
  const payload = completePayload(actions[action].fields, body.payload) as typeof body.payload;
  return { ...input, body: { ...body, payload } };
}

/** Adds reads to a client: `createClient({ transport }).extend(publicActions)`. */
export function publicActions({ core }: ClientBase): PublicActions {
  const ids = Object.keys(operations) as OperationId[];
  const reads = ids
    .filter((id) => operations[id].method === "GET")
    .map((id) => [id, (...input: InputArguments<OperationId>) => call(core, id, ...input)]);
  return {
    ...(Object.fromEntries(reads) as Reads),
    previewAction: (input) => call(core, "previewAction", completePreview(input)),
    call: (id, ...input) => call(core, id, ...input),
    each: (id, ...input) => each(core, id, ...input),
  };
}
