import { API_PREFIX, type VenueEndpoint } from "../../api/endpoint.ts";
import { createEndpoint } from "../endpoint.ts";
import { createHost } from "../host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../host/development.ts";
import type { VenueHost } from "../host/host.ts";
import type { HostOptions } from "../host/options.ts";
import { type HttpListener, type ListenOptions, listen } from "../http/listen.ts";
import { createService, type VenueService, type VenueServiceOptions } from "../service.ts";
import { DEVELOPMENT_ACCOUNTS, type DevelopmentAccount } from "./accounts.ts";
import { DevnetControl } from "./control.ts";
import { DevnetLayer } from "./layer.ts";
import { createDevnetGenesis, DEVNET_PRICES, type DevnetOptions, openMarkets } from "./venue.ts";

export interface CreateDevnetOptions extends DevnetOptions, Pick<HostOptions, "blocks" | "policy"> {
  /** Prices that markets begin with, in USD. Default: those of development. */
  readonly prices?: Readonly<Record<string, string>>;
  /** Block time between two blocks. Default: 1,000. */
  readonly stepMs?: number;
  /** How it is served: who may read accounts, limits, and so on. */
  readonly service?: Omit<VenueServiceOptions, "devnet" | "now">;
}

/** A development venue that others reach over the network. */
export interface ListeningDevnet {
  /** Scheme, host and port. */
  readonly url: string;
  readonly restUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A development venue within this process, for tests: it is there at once, keeps everything in memory, and knows no time
 * but its blocks', so that the same calls give the same chain.
 */
export class Devnet extends DevnetControl {
  readonly host: VenueHost;
  readonly service: VenueService;
  /** Reaches it without a network, as over one: for the client's `inProcess`. */
  readonly endpoint: VenueEndpoint;
  /** Those that have something, with their keys, which all the world knows. */
  readonly accounts: readonly DevelopmentAccount[];
  readonly #layer: DevnetLayer;
  readonly #listeners = new Set<HttpListener>();

  constructor(host: VenueHost, service: VenueService, accounts: readonly DevelopmentAccount[]) {
    super(host);
    this.host = host;
    this.service = service;
    this.accounts = accounts;
    this.#layer = new DevnetLayer(service, this);
    this.endpoint = createEndpoint(this.#layer);
  }

  /** Serves it by HTTP as well; on loopback, at any port that is free, unless told otherwise. */
  async listen(options: ListenOptions = {}): Promise<ListeningDevnet> {
    const listener = await listen(this.#layer, options);
    this.#listeners.add(listener);
    const { url, port } = listener;
    this.service.services.lifecycle.origin = url;
    return {
      url,
      restUrl: `${url}${API_PREFIX}`,
      port,
      close: async () => {
        if (this.#listeners.delete(listener)) await listener.close(0);
      },
    };
  }

  async close(): Promise<void> {
    this.service.services.lifecycle.isDraining = true;
    await Promise.all([...this.#listeners].map((listener) => listener.close(0)));
    await this.host.close();
  }
}

/** @throws {Error} where the genesis that is described is none */
export async function createDevnet(options: CreateDevnetOptions = {}): Promise<Devnet> {
  const { prices = DEVNET_PRICES, stepMs = 1_000, blocks, policy, service, accounts = 10 } = options;
  const genesis = createDevnetGenesis(options);
  let headMs = genesis.timeMs;
  const clock = () => headMs;
  const host = createHost({
    genesis,
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
    time: { kind: "step", stepMs },
    clock,
    ...(blocks === undefined ? {} : { blocks }),
    ...(policy === undefined ? {} : { policy }),
  });
  host.onBlock(({ timeMs }) => {
    headMs = timeMs;
  });
  await openMarkets(host, prices);
  const served = createService(host, { limits: "off", ...service, devnet: true, now: clock });
  return new Devnet(host, served, DEVELOPMENT_ACCOUNTS.slice(0, accounts));
}
