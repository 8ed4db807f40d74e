import type { Account } from "./account/account.ts";
import { ClientActor, ClientCore, type ClientOptions } from "./core.ts";
import type { NetworkGuard } from "./network/networkGuard.ts";
import type { Submission } from "./submission/submission.ts";
import type { Transport } from "./transport/transport.ts";

/** A client without actions. */
export interface ClientBase {
  readonly transport: Transport;
  /** Who signs; undefined in a client that only reads. */
  readonly account: Account | undefined;
  readonly network: NetworkGuard;
  /** Shared by this client and those made from it. For actions; users have no need of it. */
  readonly core: ClientCore;
  readonly actor: ClientActor;
  /**
   * Takes up what is open in the outbox: called by itself before the first signature, and again by hand after an
   * OUTCOME_UNKNOWN.
   */
  recover(): Promise<readonly Submission[]>;
}

export type Client<Actions extends object = Record<never, never>> = ClientBase &
  Actions & {
    /** A client with more actions. */
    extend<More extends object>(make: (client: ClientBase & Actions) => More): Client<Actions & More>;
  };

/** A client without actions; add those that are used with `extend`, and a bundler leaves out the others. */
export function createClient(options: ClientOptions): Client {
  return clientOf(new ClientCore(options), new ClientActor(options));
}

/** A client of the same core for another actor: its nonces, its outbox and its view of the network are shared. */
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
