import { API_PREFIX, type ApiRequest, type ApiResponse } from "../../../client/api/endpoint.ts";
import { routes } from "../../../client/api/routes.ts";
import { REQUEST_FAULTS, type RequestFault } from "../../../client/api/schemas/faults.ts";
import type { Answering } from "../../face/dispatch/answering.ts";
import { RouteTable } from "../../face/dispatch/routeTable.ts";
import { ProblemError } from "../../face/problems/problems.ts";
import type { FaultPlan, Strike } from "./plan.ts";
import { type Sleep, sleepByTimer } from "./sleep.ts";

/** The connection broke: there is no answer. */
export class ConnectionReset extends Error {
  override readonly name = "ConnectionReset";
  readonly code = "ECONNRESET";
}

/** Injects network and server faults between the carrier and the answering service. */
export class FaultyRequests {
  readonly #inner: Answering;
  readonly #plan: FaultPlan;
  readonly #sleep: Sleep;
  readonly #table = new RouteTable(routes);

  constructor(inner: Answering, plan: FaultPlan, sleep: Sleep = sleepByTimer) {
    this.#inner = inner;
    this.#plan = plan;
    this.#sleep = sleep;
  }

  handle(request: ApiRequest, client: string): ApiResponse | Promise<ApiResponse> {
    const strikes = this.#plan.strikes(REQUEST_FAULTS, { operation: this.#operationOf(request) });
    if (strikes.length === 0) return this.#inner.handle(request, client);
    return this.#fail(request, client, strikes);
  }

  async #fail(request: ApiRequest, client: string, strikes: readonly Strike[]): Promise<ApiResponse> {
    await this.#delay("latency", strikes);
    const [strike] = strikes.filter(({ kind }) => kind !== "latency" && kind !== "late");
    const response = await this.#failWith(strike, () => this.#inner.handle(request, client));
    await this.#delay("late", strikes);
    return response;
  }

  async #failWith(
    strike: Strike | undefined,
    carryOut: () => ApiResponse | Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const retryAfterMs = strike?.ms ?? 1_000;
    const unavailable = (maybeSubmitted: boolean) => {
      const fields = { reason: "INJECTED", maybeSubmitted, retryAfterMs };
      return this.#inner.refuse(new ProblemError("SERVICE_UNAVAILABLE", "An injected fault.", fields));
    };
    switch (strike?.kind as Exclude<RequestFault, "latency" | "late"> | undefined) {
      case undefined:
        return carryOut();
      case "reset":
        throw new ConnectionReset("an injected fault broke the connection");
      case "limited": {
        const fields = { reason: "INJECTED", retryAfterMs };
        return this.#inner.refuse(new ProblemError("RATE_LIMITED", "An injected fault.", fields));
      }
      case "unavailable":
        return unavailable(false);
      case "unavailableMaybe":
        return unavailable(true);
      case "unavailableAfter":
        await carryOut();
        return unavailable(true);
      case "gateway":
        await carryOut();
        return { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad gateway</html>" };
      case "lost":
        await carryOut();
        throw new ConnectionReset("an injected fault broke the connection");
    }
  }

  async #delay(kind: "latency" | "late", strikes: readonly Strike[]): Promise<void> {
    let ms = 0;
    for (const strike of strikes) if (strike.kind === kind) ms += strike.ms ?? 0;
    if (ms > 0) await this.#sleep(ms);
  }

  #operationOf({ method, path }: ApiRequest): string | undefined {
    const [whole = ""] = path.split("?");
    const found = this.#table.match(method, whole.startsWith(API_PREFIX) ? whole.slice(API_PREFIX.length) : whole);
    return found.kind === "found" ? found.operation : undefined;
  }
}
