import type { VerifierPool } from "../../client/signing/verifierPool.ts";
import { History } from "../history/history.ts";
import type { VenueHost } from "../host/host.ts";
import { createConfig, type ServiceConfig, type ServiceOptions } from "./config.ts";
import { contract } from "./contract.ts";
import { FaucetClaims } from "./faucetClaims.ts";
import { Limiter } from "./limits/limiter.ts";
import { Sessions } from "./session/sessions.ts";
import { SignatureChecks } from "./submission/signatureChecks.ts";

/** What handlers work with. */
export interface Services {
  readonly host: VenueHost;
  readonly config: ServiceConfig;
  /** The server's clock, in milliseconds since 1970: only for `serverTimeMs` and the times that sessions are written with. */
  readonly now: () => number;
  /** Milliseconds on a clock that nobody sets: for rate limits and the lives of sessions. */
  readonly elapsed: () => number;
  /** Hash of the OpenAPI document as served, hexadecimal. */
  readonly contractHash: string;
  readonly history: History;
  readonly sessions: Sessions;
  readonly limiter: Limiter;
  readonly claims: FaucetClaims;
  /** Undefined where the venue looks at each signature by itself. */
  readonly signatures: SignatureChecks | undefined;
  readonly lifecycle: Lifecycle;
}

/** Where the service stands between start and end. */
export interface Lifecycle {
  /** It is about to stop: what is under way is answered, nothing new is taken. */
  isDraining: boolean;
  /** Address at which it is reached; sessions are opened for it. */
  origin: string;
}

export interface ServicesOptions extends ServiceOptions {
  readonly now?: () => number;
  /** Default: the monotonic clock of the process. */
  readonly elapsed?: () => number;
  readonly contractHash?: string;
  readonly sessions?: Sessions;
  /** Starts a thread that checks signatures of submissions, for where many come at a time. Default: none. */
  readonly startVerifiers?: () => Promise<VerifierPool>;
  /** Hears why there is no such thread, or no more. */
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
