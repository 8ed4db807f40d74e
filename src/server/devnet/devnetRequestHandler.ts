import type { ApiRequest, ApiResponse } from "../../client/api/endpoint.ts";
import { devnetRoutes } from "../../client/api/routes/devnet.ts";
import type { Answering } from "../face/dispatch/answering.ts";
import { Dispatcher, type RawHandler, type RequestContext } from "../face/dispatch/dispatcher.ts";
import { requireOperator } from "../face/http/operator.ts";
import type { ProblemError } from "../face/problems/problems.ts";
import type { VenueService } from "../face/service.ts";
import type { DevnetControl } from "./control.ts";
import { FaultPlan } from "./faults/plan.ts";
import { FaultyRequests } from "./faults/requests.ts";
import type { Sleep } from "./faults/sleep.ts";
import { type DevnetServices, devnetHandlers } from "./handlers.ts";
import { answerRpc, RPC_PATH } from "./rpc.ts";

/** Path of control, outside the prefix of the API. */
export const DEVNET_PATH = "/devnet";

export interface DevnetRequestHandlerOptions {
  /** Lets any client with this token control the venue. Without it, only clients on the same machine may. */
  readonly adminToken?: string | undefined;
  /** Whether control is served. Default: yes. */
  readonly hasControl?: boolean;
  /** Injected faults. Default: none, until control adds one. */
  readonly faults?: FaultPlan;
  /** Default: by timers. */
  readonly sleep?: Sleep;
}

/** Wraps the service of a development venue: control, requests of browser wallets, and faults. */
export class DevnetRequestHandler implements Answering {
  readonly #inner: VenueService;
  readonly #requests: FaultyRequests;
  readonly #control: Dispatcher;
  readonly #adminToken: string | undefined;
  readonly #hasControl: boolean;

  constructor(
    inner: VenueService,
    control: DevnetControl,
    { adminToken, hasControl = true, faults = new FaultPlan(), sleep }: DevnetRequestHandlerOptions = {},
  ) {
    this.#inner = inner;
    this.#requests = new FaultyRequests(inner.dispatcher, faults, sleep);
    this.#adminToken = adminToken;
    this.#hasControl = hasControl;
    const { host } = inner.services;
    const services: DevnetServices = { host, control, faults };
    let requests = 0;
    this.#control = new Dispatcher({
      routes: devnetRoutes,
      handlers: Object.fromEntries(
        Object.entries(devnetHandlers).map(([id, handler]) => [id, this.#guard(handler as never, services)]),
      ),
      aliases: [DEVNET_PATH],
      version: () => "",
      newRequestId: () => `devnet-${(++requests).toString(36)}`,
    });
  }

  get longBodies(): Readonly<Record<string, number>> {
    const { path, bodyMost } = devnetRoutes.loadVenue;
    return this.#hasControl ? { [path]: bodyMost } : {};
  }

  handle(request: ApiRequest, client: string): ApiResponse | Promise<ApiResponse> {
    const path = pathOf(request.path);
    const isControl = path === DEVNET_PATH || path.startsWith(`${DEVNET_PATH}/`);
    if (isControl && this.#hasControl) return this.#control.handle(request, client);
    if (path === RPC_PATH) return answerRpc(this.#inner.services.host, request);
    return this.#requests.handle(request, client);
  }

  refuse(error: ProblemError): ApiResponse {
    return this.#inner.dispatcher.refuse(error);
  }

  #guard(
    handle: (services: DevnetServices, context: RequestContext) => ReturnType<RawHandler>,
    services: DevnetServices,
  ): RawHandler {
    return (context) => {
      requireOperator(context, this.#adminToken);
      return handle(services, context);
    };
  }
}

function pathOf(path: string): string {
  const at = path.indexOf("?");
  return at < 0 ? path : path.slice(0, at);
}
