import type { VerifierPool } from "../../../client/signing/verifierPool.ts";
import { History } from "../../history/history.ts";
import type { VenueHost } from "../../host/host.ts";
import { Limiter } from "../limits/limiter.ts";
import { contract } from "../pages/contract.ts";
import { Sessions } from "../session/sessions.ts";
import { createConfig, type ServiceConfig, type ServiceOptions } from "./config.ts";
import { FaucetClaims } from "./faucetClaims.ts";
import { SignatureChecks } from "./signatureChecks.ts";

/** Dependencies of handlers. */
export interface Services {
  readonly host: VenueHost;
  readonly config: ServiceConfig;
  /** The server's clock, in milliseconds since 1970: only for `serverTimeMs` and the written times of sessions. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock: for rate limits and lifetimes of sessions. */
  readonly elapsed: () => number;
  /** Hash of the OpenAPI document as served, hexadecimal. */
  readonly contractHash: string;
  readonly history: History;
  readonly sessions: Sessions;
  readonly limiter: Limiter;
  readonly claims: FaucetClaims;
  /** Undefined if the host verifies each signature itself. */
  readonly signatures: SignatureChecks | undefined;
  readonly lifecycle: Lifecycle;
}

/** State of the service between start and end. */
export interface Lifecycle {
  /** The service is about to stop: pending requests are answered, new ones are refused. */
  isDraining: boolean;
  /** Address of the service; sessions are opened for it. */
  origin: string;
}

export interface ServicesOptions extends ServiceOptions {
  readonly now?: () => number;
  /** Default: the monotonic clock of the process. */
  readonly elapsed?: () => number;
  readonly contractHash?: string;
  readonly sessions?: Sessions;
  /** Starts a thread that verifies signatures of submissions, for high load. Default: none. */
  readonly startVerifiers?: () => Promise<VerifierPool>;
  /** Called with the reason if there is no such thread, or no longer. */
  readonly onVerifierFailure?: (error: unknown) => void;
}

const monotonic = (): number => performance.now();

export function createServices(host: VenueHost, options: ServicesOptions = {}): Services {
  const {
    now = Date.now,
    elapsed = monotonic,
    contractHash,
    sessions,
    startVerifiers,
    onVerifierFailure,
    ...rest
  } = options;
  const { chainId, network } = host.genesis;
  const config = createConfig(host.genesis, rest);
  const lifecycle: Lifecycle = { isDraining: false, origin: config.urls?.rest ?? "http://localhost" };
  return {
    host,
    config,
    now,
    elapsed,
    get contractHash() {
      return contractHash ?? contract.hash;
    },
    history: new History(host, config.history),
    sessions: sessions ?? new Sessions({ origin: () => lifecycle.origin, chainId, network, now, elapsed }),
    limiter: new Limiter(config.limits, elapsed),
    claims: new FaucetClaims(config.limits),
    signatures: startVerifiers === undefined ? undefined : new SignatureChecks(startVerifiers, onVerifierFailure),
    lifecycle,
  };
}
