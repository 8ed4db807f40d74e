/** Asks a handler as the service does, and holds every answer to its schema. */
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { expect } from "vitest";
import type { BodyOf, ParamsOf, QueryOf, ResultOf } from "../../../src/client/api/route.ts";
import { type OperationId, type Routes, routes } from "../../../src/client/api/routes.ts";
import type { Answer, Call } from "../../../src/server/face/handlers/handler.ts";
import { handlers } from "../../../src/server/face/handlers/handlers.ts";
import type { Services } from "../../../src/server/face/services/services.ts";

const validators = new Map<TSchema, Validator>();

/** Faults of a value by a schema; none where it fits. */
export function faultsOf(schema: TSchema, value: unknown): string[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return [];
  return [...validator.Errors(value)].map(({ instancePath, message }) => `${instancePath} ${message}`);
}

type Known = OperationId & keyof typeof handlers;

interface Asked<Id extends OperationId> {
  readonly params?: ParamsOf<Routes[Id]>;
  readonly query?: QueryOf<Routes[Id]>;
  readonly body?: BodyOf<Routes[Id]>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** Body of the answer. */
export async function ask<Id extends Known>(
  services: Services,
  id: Id,
  asked: Asked<Id> = {},
): Promise<ResultOf<Routes[Id]>> {
  return (await askWhole(services, id, asked)).body as ResultOf<Routes[Id]>;
}

export async function askWhole<Id extends Known>(services: Services, id: Id, asked: Asked<Id> = {}): Promise<Answer> {
  const route = routes[id];
  const call = { params: {}, query: {}, headers: {}, body: undefined, path: route.path, requestId: "t", client: "" };
  const handler = handlers[id] as unknown as (services: Services, call: Call) => Answer | Promise<Answer>;
  const answer = await handler(services, { ...call, ...asked } as Call);
  const schema = (route.responses as Readonly<Record<number, TSchema>>)[answer.status];
  expect(schema, `${id} answers ${answer.status}`).toBeDefined();
  expect(faultsOf(schema!, answer.body), `${id} ${JSON.stringify(answer.body).slice(0, 400)}`).toEqual([]);
  return answer;
}
