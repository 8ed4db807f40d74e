import type { ServiceConfig } from "./config.ts";
import { createConfig, type ServiceOptions } from "./config.ts";
import type { VenueHost } from "./host/host.ts";
import type { Sessions } from "./session/sessions.ts";

/** What handlers work with. */
export interface Services {
  readonly host: VenueHost;
  readonly config: ServiceConfig;
  /** The server's clock, in milliseconds since 1970: only for `serverTimeMs`, sessions and rate limits. */
  readonly now: () => number;
  /** Hash of the OpenAPI document as served, hexadecimal; empty where none is served. */
  readonly contractHash: string;
  readonly sessions?: Sessions;
}

export interface ServicesOptions extends ServiceOptions {
  readonly now?: () => number;
  readonly contractHash?: string;
  readonly sessions?: Sessions;
}

export function createServices(host: VenueHost, options: ServicesOptions = {}): Services {
  const { now = Date.now, contractHash = "", sessions, ...rest } = options;
  return {
    host,
    config: createConfig(host.genesis, rest),
    now,
    contractHash,
    ...(sessions === undefined ? {} : { sessions }),
  };
}
