import { addressFromKey, type PrivateKey, signTransaction } from "../../client/signing/sign.ts";
import { NONE } from "../../ground/collections/table.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Authority } from "../../protocol/action.ts";
import { type ActionName, actions, type Payloads } from "../../protocol/actions/index.ts";
import type { Signed } from "../../protocol/codec.ts";
import { createTransaction } from "../../protocol/createTransaction.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { Digester } from "../../protocol/typedDataDigest.ts";
import { getNextNonce } from "../../venue/engine/authorization/admission.ts";
import type { AccountRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import { HostError } from "./errors.ts";

/** Signs system transactions with the authorities' keys that the host holds (NET-3). */
export class SystemSigner {
  readonly #digester: Digester;
  readonly #keys: Readonly<Partial<Record<Authority, PrivateKey>>>;
  /** Accounts of authorities that have signed; deriving an address takes about as long as signing. */
  readonly #accounts = new Map<Authority, AccountKey>();

  constructor(digester: Digester, keys: Readonly<Partial<Record<Authority, PrivateKey>>>) {
    this.#digester = digester;
    this.#keys = keys;
  }

  /** Id of a transaction of this chain. */
  idOf({ transaction }: Signed): Bytes32 {
    return this.#digester.digestOf(transaction);
  }

  /**
   * Signs with the nonce after the last pending one of its lane.
   *
   * @throws {HostError} AUTHORITY_MISSING for an action of users, or without the key
   */
  sign<A extends ActionName>(state: State, pool: PendingPool, action: A, payload: Payloads[A]): Signed {
    const descriptor: { readonly authority?: Authority } = actions[action];
    if (descriptor.authority === undefined)
      throw new HostError("AUTHORITY_MISSING", `${action} is signed by its account`);
    const key = this.#keys[descriptor.authority];
    if (key === undefined)
      throw new HostError("AUTHORITY_MISSING", `${action}: the host was given no key of the ${descriptor.authority}`);
    const { network, validityMax } = state.genesis;
    const init = {
      action,
      account: this.#accountOf(descriptor.authority, key),
      payload,
      network,
      validFrom: state.height,
      validUntil: state.height + validityMax,
    };
    const first = createTransaction({ ...init, nonce: 0 });
    const pending = pool.lastNonceOf(first);
    const nonce = Math.max(getNextNonce(state, first, NONE as AccountRow), pending === undefined ? 0 : pending + 1);
    return signTransaction(createTransaction({ ...init, nonce }), key, this.#digester);
  }

  #accountOf(authority: Authority, key: PrivateKey): AccountKey {
    let account = this.#accounts.get(authority);
    if (account === undefined) {
      account = new AccountKey(addressFromKey(key), 0);
      this.#accounts.set(authority, account);
    }
    return account;
  }
}
