import { addressFromKey, type PrivateKey, signTransaction } from "../../client/signing/sign.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { type ActionName, DOMAIN_OF, type Payloads } from "../../protocol/actions/index.ts";
import { createTransaction } from "../../protocol/createTransaction.ts";
import type { Address } from "../../protocol/fields.ts";
import { createDigester, type Digester } from "../../protocol/typedDataDigest.ts";
import { getNextNonce } from "../../venue/engine/authorization/admission.ts";
import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { Submitted, VenueHost } from "../host/host.ts";

/** Signer of a bot: signs under the next nonce of the lane, and submits to the host. */
export class UserSigner {
  readonly address: Address;
  readonly account: AccountKey;
  readonly #host: VenueHost;
  readonly #key: PrivateKey;
  readonly #digester: Digester;

  constructor(host: VenueHost, key: PrivateKey) {
    this.#host = host;
    this.#key = key;
    this.address = addressFromKey(key);
    this.account = new AccountKey(this.address, 0);
    this.#digester = createDigester(host.domain);
  }

  /** Whether any of its transactions waits for a block. */
  isBusy(): boolean {
    return (["cancelAll", "placeOrders"] as const).some((action) => {
      const payload = {} as never;
      return this.#host.pool.lastNonceOf(this.#draft(action, payload, 0)) !== undefined;
    });
  }

  /** Submits an action. Resolves when the host has accepted or refused it. */
  send<A extends ActionName>(action: A, payload: Payloads[A]): Promise<Submitted> {
    const { state, pool } = this.#host;
    const first = this.#draft(action, payload, 0);
    const pending = pool.lastNonceOf(first);
    const committed = getNextNonce(state, first, findAccount(state, this.account));
    const nonce = Math.max(committed, pending === undefined ? 0 : pending + 1);
    const signed = signTransaction(this.#draft(action, payload, nonce), this.#key, this.#digester);
    return this.#host.submit(signed, this.#digester.digestOf(signed.transaction).slice(2));
  }

  #draft<A extends ActionName>(action: A, payload: Payloads[A], nonce: number) {
    const { state } = this.#host;
    return createTransaction({
      action,
      account: this.account,
      payload,
      nonce,
      nonceDomain: DOMAIN_OF[action],
      network: state.genesis.network,
      validFrom: state.height,
      validUntil: state.height + state.genesis.validityMax,
    });
  }
}
