import type { Bytes32 } from "../../protocol/fields.ts";
import type { Account, Signer } from "./account/account.ts";
import { type PublicActions, publicActions } from "./actions/publicActions.ts";
import { type StreamActions, streamActions } from "./actions/streamActions.ts";
import { type WalletActions, walletActions } from "./actions/walletActions.ts";
import { type Client, type ClientBase, clientOf, createClient } from "./client.ts";
import { ClientActor, type ClientOptions } from "./core.ts";

/** Makes clients of agents. */
export interface AgentActions {
  /**
   * A client of an agent for this client's account, over the same connection and outbox.
   *
   * @param agent         the key that the owner granted rights to
   * @param authorization id of the grant
   */
  forAgent(agent: Signer, authorization: Bytes32, subaccount?: number): SigningClient;
}

/** A client with all actions. */
export type VenueClient = Client<PublicActions & WalletActions & StreamActions & AgentActions>;

/** A client that was made with an account. */
export type SigningClient = VenueClient & { readonly account: Account };

/** A client with all actions. `createClient` with `extend` includes only the chosen ones. */
export function createVenueClient(options: ClientOptions & { readonly account: Signer }): SigningClient;
export function createVenueClient(options: ClientOptions): VenueClient;
export function createVenueClient(options: ClientOptions): VenueClient {
  return withActions(createClient(options));
}

function withActions(client: Client): VenueClient {
  return client.extend(publicActions).extend(walletActions).extend(streamActions).extend(agentActions);
}

function agentActions({ core, actor }: ClientBase): AgentActions {
  return {
    forAgent(agent, authorization, subaccount = 0) {
      const { owner } = actor.resolve("acting for an agent").actor;
      return withActions(
        clientOf(core, new ClientActor({ account: agent, subaccount, agentOf: { owner, authorization } })),
      ) as SigningClient;
    },
  };
}
