/** A service over a host in memory, and what tests ask it, held to the contract. */
import type { TSchema } from "typebox";
import { expect } from "vitest";
import type { ApiRequest, ApiResponse } from "../../../src/client/api/endpoint.ts";
import { API_PREFIX } from "../../../src/client/api/endpoint.ts";
import { Problem } from "../../../src/client/api/problem.ts";
import { type OperationId, routes } from "../../../src/client/api/routes.ts";
import { encodeTransaction, type Signed } from "../../../src/protocol/codec.ts";
import { createService, type VenueService, type VenueServiceOptions } from "../../../src/server/face/service.ts";
import type { HostOptions } from "../../../src/server/host/options.ts";
import type { RunningHost } from "../../../src/server/host/runningHost.ts";
import { openTestHost, type TestClient } from "../../helpers/host.ts";
import { faultsOf } from "./ask.ts";

export interface TestService extends VenueService {
  readonly host: RunningHost;
  readonly clients: readonly TestClient[];
  /** Sends a request; the path is without the prefix. */
  ask(request: Partial<ApiRequest> & { readonly path: string }): Promise<ApiResponse>;
  /** Asks, and holds the answer to the schema of the operation. */
  call(operation: OperationId, request?: Partial<ApiRequest>): Promise<{ response: ApiResponse; body: unknown }>;
  submit(signed: Signed, key: string, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>;
}

export const JSON_HEADERS = { "content-type": "application/json" };

export function openTestService(
  options: VenueServiceOptions = {},
  hostOptions: Partial<HostOptions> = {},
): TestService {
  const { host, clients } = openTestHost(hostOptions);
  const service = createService(host, options);
  const ask: TestService["ask"] = ({ path, ...request }) =>
    service.endpoint.request({ method: "GET", path: `${API_PREFIX}${path}`, ...request });
  return {
    ...service,
    host,
    clients,
    ask,
    async call(operation, request = {}) {
      const route = routes[operation];
      const body = request.body === undefined ? {} : { headers: JSON_HEADERS };
      const response = await ask({ method: route.method, path: route.path, ...body, ...request });
      const schema = (route.responses as Readonly<Record<number, TSchema | null>>)[response.status];
      expect(schema, `${operation}: ${response.status} ${response.body}`).toBeDefined();
      if (schema === null) {
        expect(response.body).toBe("");
        return { response, body: undefined };
      }
      const value: unknown = JSON.parse(response.body);
      expect(faultsOf(schema!, value), response.body).toEqual([]);
      return { response, body: value };
    },
    submit(signed, key, headers = {}) {
      return ask({
        method: "POST",
        path: "/transactions",
        headers: { ...JSON_HEADERS, "idempotency-key": key, ...headers },
        body: JSON.stringify(encodeTransaction(signed)),
      });
    },
  };
}

/** The error that an answer is, in the form of all errors. */
export function expectProblem(response: ApiResponse, status: number, code: string, reason?: string): Problem {
  const body = JSON.parse(response.body) as Problem;
  expect([response.status, body.code, body.reason], response.body).toEqual([status, code, reason]);
  expect(faultsOf(Problem, body)).toEqual([]);
  expect(response.headers["content-type"]).toBe("application/problem+json");
  expect([body.status, body.instance]).toEqual([status, response.headers["x-request-id"]]);
  return body;
}
