import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { ApiRequest, ApiResponse } from "../../../src/client/api/endpoint.ts";
import type { JsonObject } from "../../../src/client/api/jsonSchema.ts";
import { createDevnetOpenApi, createOpenApi } from "../../../src/client/api/openapi.ts";
import { PROBLEM_TYPE, PROBLEMS, Problem } from "../../../src/client/api/problem.ts";
import type { Route } from "../../../src/client/api/route.ts";
import { devnetRoutes } from "../../../src/client/api/routes/devnet.ts";
import { routes } from "../../../src/client/api/routes.ts";

interface Documented {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, { $ref?: string }> }>>;
}

/** A table of routes, and what its document says of answers. */
export class Documentation {
  readonly routes: Readonly<Record<string, Route>>;
  /** Statuses of each operation. */
  readonly statuses = new Map<string, ReadonlySet<string>>();
  /** Codes of each operation and status. */
  readonly codes = new Map<string, ReadonlySet<string>>();

  constructor(table: Readonly<Record<string, Route>>, document: JsonObject) {
    this.routes = table;
    for (const operations of Object.values((document as unknown as Documented).paths)) {
      for (const { operationId, responses } of Object.values(operations)) {
        this.statuses.set(operationId, new Set(Object.keys(responses)));
        for (const [status, { $ref }] of Object.entries(responses)) {
          const named = $ref?.split("/").at(-1)?.split(".").slice(1) ?? [];
          this.codes.set(`${operationId} ${status}`, new Set(named));
        }
      }
    }
  }
}

const API = new Documentation(routes, createOpenApi());
export const CONTROL: Documentation = new Documentation(devnetRoutes, createDevnetOpenApi());

const validators = new Map<TSchema, Validator>();

function faultsOf(schema: TSchema, value: unknown): string[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return [];
  return [...validator.Errors(value)].slice(0, 5).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const PROBLEM_MEMBERS = new Set(Object.keys(Problem.properties));

/**
 * What breaks the contract in an answer; none where it keeps it.
 *
 * @param operation undefined where the request meets none
 * @param height    of the venue when it was asked and when it had answered: a read says one in between
 */
export function findFaults(
  operation: string | undefined,
  { method }: ApiRequest,
  { status, headers, body }: ApiResponse,
  height: readonly [number, number],
  documentation: Documentation = API,
): string[] {
  if (status >= 500) return [`it is ${status}: ${body.slice(0, 300)}`];
  const faults: string[] = [];
  const expectThat = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  expectThat(/^[\w.:-]{1,64}$/.test(headers["x-request-id"] ?? ""), "it has no x-request-id");
  expectThat(headers["x-content-type-options"] === "nosniff", "it lets browsers guess its type");
  for (const [name, value] of Object.entries(headers)) {
    expectThat(!value.includes("\n") && !value.includes("\r"), `its header ${name} breaks the line`);
  }
  if (method === "HEAD" || status === 304 || status === 204) {
    return body === "" ? faults : [...faults, `it is ${method} ${status} with a body`];
  }
  if (status >= 400) return [...faults, ...findProblemFaults(documentation, operation, status, headers, body)];
  if (operation === undefined) return [...faults, `it is ${status} where nothing is`];
  const route = documentation.routes[operation]!;
  const schema = route.responses[status];
  if (schema === undefined) return [...faults, `${status} is not documented`];
  const type = route.contentType ?? "application/json";
  expectThat(headers["content-type"]?.startsWith(type.split(";")[0]!) === true, "its type is another");
  if (type !== "application/json" || schema === null) return faults;
  const value = JSON.parse(body) as { asOf?: { height: number } };
  faults.push(...faultsOf(schema, value));
  if (route.method === "GET" && route.tag !== "contract" && route.path !== "/devnet/openapi.json") {
    const at = value.asOf?.height;
    expectThat(at !== undefined && at >= height[0] && at <= height[1], `it is as of ${at}, not ${height.join(" to ")}`);
  }
  return faults;
}

function findProblemFaults(
  { statuses, codes }: Documentation,
  operation: string | undefined,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): string[] {
  if (headers["content-type"] !== PROBLEM_TYPE) return [`an error of type ${headers["content-type"]}`];
  const problem = JSON.parse(body) as Problem;
  const faults = faultsOf(Problem, problem);
  const extra = Object.keys(problem).filter((name) => !PROBLEM_MEMBERS.has(name));
  if (extra.length > 0) faults.push(`members that are not documented: ${extra.join(", ")}`);
  if (problem.status !== status) faults.push(`its body says ${problem.status}`);
  if (problem.instance !== headers["x-request-id"]) faults.push("its instance is another request");
  if (problem.title !== PROBLEMS[problem.code].title) faults.push("its title is another");
  if (problem.reason !== undefined && /^(FST|HPE|ERR)_/.test(problem.reason)) {
    faults.push(`its reason is a library's: ${problem.reason}`);
  }
  if (body.length > 8_192) faults.push(`it has ${body.length} characters: it echoes the request`);
  if (operation === undefined) {
    const isKnown = problem.code === "NOT_FOUND" || problem.code === "MALFORMED_REQUEST";
    return isKnown ? faults : [...faults, `${problem.code} where nothing is`];
  }
  if (!statuses.get(operation)!.has(String(status))) faults.push(`${status} ${problem.code} is not documented`);
  else if (!codes.get(`${operation} ${status}`)!.has(problem.code)) {
    faults.push(`${problem.code} is not documented for ${status}`);
  }
  return faults;
}
