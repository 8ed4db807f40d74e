import { DOMAIN_MEMBERS, type TypedData } from "../../../protocol/typedData.ts";
import { type Account, toAccount } from "./account.ts";

/** A wallet of a browser (EIP-1193). */
export interface WalletProvider {
  request(parameters: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/**
 * The account of a browser wallet, which shows every message to its owner.
 *
 * @param address of the account to sign with. Default: the first that the wallet lets the page see
 */
export async function walletAccount(provider: WalletProvider, address?: string): Promise<Account> {
  const chosen = address ?? ((await provider.request({ method: "eth_requestAccounts" })) as string[])[0];
  if (chosen === undefined) throw new RangeError("the wallet shows no account; unlock it or name an address");
  return toAccount({
    address: chosen,
    signTypedData: async (data) =>
      (await provider.request({ method: "eth_signTypedData_v4", params: [chosen, writeTypedData(data)] })) as string,
    signMessage: async ({ message }) =>
      (await provider.request({ method: "personal_sign", params: [hexOfText(message), chosen] })) as string,
  });
}

/** The text that wallets take: with the type of the domain, and 64-bit numbers as decimal text. */
export function writeTypedData({ types, ...data }: TypedData): string {
  return JSON.stringify({ types: { EIP712Domain: DOMAIN_MEMBERS, ...types }, ...data }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

function hexOfText(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
