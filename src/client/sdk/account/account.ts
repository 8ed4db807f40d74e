import type { Address } from "../../../protocol/fields.ts";
import type { TypedData } from "../../../protocol/typedData.ts";

/**
 * Signs for the client: a private key, or a wallet that asks its owner. Accounts of viem fit unchanged.
 */
export interface Signer {
  /** Any case. */
  readonly address: string;
  /** Signs typed data (EIP-712): 65 bytes as hexadecimal text. */
  signTypedData(data: TypedData): Promise<string>;
  /** Signs a text (EIP-191); only sessions need it. */
  signMessage?(parameters: { readonly message: string }): Promise<string>;
}

/** A signer as the client holds it. */
export interface Account extends Signer {
  readonly address: Address;
  /** Signs a digest synchronously; only if the key is in memory. */
  signDigest?(digest: Uint8Array): Uint8Array;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Takes any signer as an account.
 *
 * @throws {RangeError} if its address is invalid
 */
export function toAccount(signer: Signer): Account {
  if (!ADDRESS.test(signer.address)) {
    throw new RangeError(`${JSON.stringify(signer.address)} is not an address: 0x and 40 hexadecimal digits`);
  }
  const address = signer.address.toLowerCase() as Address;
  if (signer.address === address) return signer as Account;
  const { signMessage } = signer;
  return {
    address,
    signTypedData: (data) => signer.signTypedData(data),
    ...(signMessage === undefined ? {} : { signMessage: (parameters) => signMessage.call(signer, parameters) }),
  };
}
