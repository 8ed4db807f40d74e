import { type PublicActions, publicActions } from "./actions/publicActions.ts";
import { type WalletActions, walletActions } from "./actions/walletActions.ts";
import { type Client, createClient } from "./client.ts";
import type { ClientOptions } from "./core.ts";

export type VenueClient = Client<PublicActions & WalletActions>;

/** A client with all actions. `createClient` with `extend` takes in only those that are used. */
export function createVenueClient(options: ClientOptions): VenueClient {
  return createClient(options).extend(publicActions).extend(walletActions);
}
