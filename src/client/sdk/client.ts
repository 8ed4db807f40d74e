import type { Account } from "./account/account.ts";
import { ClientActor, ClientCore, type ClientOptions } from "./core.ts";
import type { NetworkGuard } from "./network/networkGuard.ts";
import type { Submission } from "./submission/submission.ts";
import type { Transport } from "./transport/transport.ts";

/** A client without actions. */
export interface ClientBase {
  readonly transport: Transport;
  /** Signing account; undefined in a client that only reads. */
  readonly account: Account | undefined;
  readonly network: NetworkGuard;
  /** Shared by this client and those derived from it. For actions; users do not need it. */
  readonly core: ClientCore;
  readonly actor: ClientActor;
  /**
   * Resumes open submissions of the outbox. The client does so before its first signature; call it again after an
   * OUTCOME_UNKNOWN.
   */
  recover(): Promise<readonly Submission[]>;
}

/** A client with the actions that it was extended with. */
export type Client<Actions extends object = Record<never, never>> = ClientBase &
  Actions & {
    /** A client with more actions. */
    extend<More extends object>(make: (client: ClientBase & Actions) => More): Client<Actions & More>;
  };

/** A client without actions. Add the needed ones with `extend`, so that a bundler can drop the others. */
export function createClient(options: ClientOptions): Client {
  return clientOf(new ClientCore(options), new ClientActor(options));
}

/** A client with the same core for another actor: both share nonces, outbox and network state. */
export function clientOf(core: ClientCore, actor: ClientActor): Client {
  return extendable({
    transport: core.transport,
    account: actor.account,
    network: core.network,
    core,
    actor,
    recover: () => core.recover(true),
  });
}

function extendable<Base extends ClientBase>(base: Base) {
  return {
    ...base,
    extend: <More extends object>(make: (client: Base) => More) => extendable({ ...base, ...make(base) }),
  } as Client<Base>;
}
