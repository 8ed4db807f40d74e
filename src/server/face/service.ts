import { randomBytes } from "node:crypto";
import type { VenueEndpoint } from "../../client/api/endpoint.ts";
import { type OperationId, routes } from "../../client/api/routes.ts";
import { getHead } from "../../venue/engine/commitment/root.ts";
import type { VenueHost } from "../host/host.ts";
import { type AnswerRecord, Dispatcher, type RawHandler } from "./dispatch/dispatcher.ts";
import { createEndpoint } from "./dispatch/endpoint.ts";
import type { Call } from "./handlers/handler.ts";
import { handlers } from "./handlers/handlers.ts";
import { createServices, type Services, type ServicesOptions } from "./services/services.ts";
import { connectInProcess } from "./socket/connectInProcess.ts";
import { type HubOptions, SocketHub } from "./socket/hub.ts";

/** A venue's service, for any carrier. */
export interface VenueService {
  readonly services: Services;
  readonly dispatcher: Dispatcher;
  /** Its streams. */
  readonly hub: SocketHub;
  /** Reaches it in this process. */
  readonly endpoint: VenueEndpoint;
}

export interface VenueServiceOptions extends ServicesOptions {
  readonly onAnswer?: (record: AnswerRecord) => void;
  readonly streams?: HubOptions;
}

/** Submissions are decoded by the wire's own rules, which are stricter than a schema can be. */
const OWN_BODIES: ReadonlySet<string> = new Set<OperationId>(["submitTransaction"]);

/** Operations that read only the state and the blocks. */
const WITHOUT_PAST: ReadonlySet<string> = new Set<OperationId>([
  "getStatus",
  "getBlock",
  "listBlockTransactions",
  "listValidators",
  "listMarkets",
  "getMarket",
  "getMarketPrices",
  "getMarketBook",
  "listBalances",
  "listRisk",
  "getNonce",
  "previewAction",
  "submitTransaction",
  "createChallenge",
  "verifyChallenge",
  "revokeSession",
  "getOpenApi",
  "getAsyncApi",
  "getReference",
  "getFaucet",
  "claimFaucet",
  "getClaim",
]);

/** The service of a host, without a listener. */
export function createService(
  host: VenueHost,
  { onAnswer, streams, ...options }: VenueServiceOptions = {},
): VenueService {
  const services = createServices(host, options);
  const { limiter, elapsed } = services;
  const bound = Object.fromEntries(
    Object.entries(handlers).map(([id, handler]) => {
      const handle = handler as unknown as (services: Services, call: Call) => ReturnType<RawHandler>;
      const answer = ((context) => handle(services, context as unknown as Call)) satisfies RawHandler;
      if (WITHOUT_PAST.has(id)) return [id, answer];
      // After a restart and after a large block the history is read first, in slices, while requests that do not need
      // it are answered.
      const late: RawHandler = async (context) => {
        while (!services.history.isReady) await services.history.prepare();
        return answer(context);
      };
      return [id, ((context) => (services.history.isReady ? answer(context) : late(context))) satisfies RawHandler];
    }),
  );
  const prefix = randomBytes(6).toString("base64url");
  let requests = 0;
  const dispatcher = new Dispatcher({
    routes,
    handlers: bound,
    ownBodies: OWN_BODIES,
    aliases: ["/faucet"],
    version: versionOf(host),
    allowancesOf(operation) {
      if (operation === "submitTransaction") return limiter.submissions;
      return operation === "createChallenge" ? limiter.challenges : limiter.reads;
    },
    clock: elapsed,
    newRequestId: () => `${prefix}-${(++requests).toString(36)}`,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  });
  const hub = new SocketHub(services, streams);
  return { services, dispatcher, hub, endpoint: createEndpoint(dispatcher, connectInProcess(hub)) };
}

/** Version of reads: epoch, height, and the head of the chain there, since another chain has other blocks. */
function versionOf(host: VenueHost): () => string {
  let [epoch, height, version] = [-1, -1, ""];
  return () => {
    if (host.epoch !== epoch || host.state.height !== height) {
      epoch = host.epoch;
      height = host.state.height;
      const head = host.block(height)?.hash ?? getHead(host.state);
      version = `${epoch}.${height}.${head.slice(2, 10)}`;
    }
    return version;
  };
}
