// A wallet that a page finds (EIP-1193), which knows the network by `/rpc` alone, signs and trades through viem.
import { createWalletClient, custom, defineChain } from "viem";
import { privateKeyToAccount as keyOfWallet } from "viem/accounts";
import { createVenueClient, http, toAccount } from "../../src/client/sdk/index.ts";
import { runPage } from "./runPage.js";

/** As extensions do it: it signs for the network that it is on, asks that network's node, and refuses what it does not know. */
function injectWallet(key) {
  const account = keyOfWallet(key);
  const chains = new Map();
  let current;
  const refuse = (code, message) => Object.assign(new Error(message), { code });
  const ask = async (url, method, params) => {
    const call = { jsonrpc: "2.0", id: 1, method, params };
    const headers = { "content-type": "application/json" };
    const answer = await (await fetch(url, { method: "POST", headers, body: JSON.stringify(call) })).json();
    if (answer.error !== undefined) throw refuse(answer.error.code, answer.error.message);
    return answer.result;
  };
  const methods = {
    eth_requestAccounts: () => [account.address],
    eth_accounts: () => [account.address],
    async wallet_addEthereumChain([{ chainId, rpcUrls }]) {
      if ((await ask(rpcUrls[0], "eth_chainId", [])) !== chainId) throw refuse(-32602, "the node is of another chain");
      chains.set(chainId, rpcUrls[0]);
      current = chainId;
      return null;
    },
    wallet_switchEthereumChain([{ chainId }]) {
      if (!chains.has(chainId)) throw refuse(4902, "unknown chain");
      current = chainId;
      return null;
    },
    eth_signTypedData_v4([address, text]) {
      const { domain, types, primaryType, message } = JSON.parse(text);
      if (address.toLowerCase() !== account.address.toLowerCase()) throw refuse(4100, "another account");
      if (BigInt(domain.chainId) !== BigInt(current)) throw refuse(-32602, "typed data of another chain");
      return account.signTypedData({ domain, types, primaryType, message });
    },
    personal_sign: ([raw]) => account.signMessage({ message: { raw } }),
  };
  window.ethereum = {
    async request({ method, params = [] }) {
      if (Object.hasOwn(methods, method)) return methods[method](params);
      if (current === undefined) throw refuse(4901, "no chain");
      return ask(chains.get(current), method, params);
    },
  };
}

await runPage(async ({ base, key }, see) => {
  injectWallet(key);
  const wallet = createWalletClient({ transport: custom(window.ethereum) });
  const { signingDomain } = (await (await fetch(`${base}/api/v1/status`)).json()).data;
  const chain = defineChain({
    id: Number(signingDomain.chainId),
    name: "perplab",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [`${base}/rpc`] } },
  });
  const other = { ...chain, id: chain.id + 1 };
  see(
    await wallet.switchChain(other).then(
      () => "switched",
      (error) => error.code,
    ),
  );
  see(
    await wallet.addChain({ chain: other }).then(
      () => "added",
      () => "refused",
    ),
  );
  await wallet.addChain({ chain });
  await wallet.switchChain(chain);
  see((await wallet.getChainId()) === chain.id);
  const [address] = await wallet.requestAddresses();
  const account = toAccount({
    address,
    signTypedData: (data) => wallet.signTypedData({ account: address, ...data }),
    signMessage: ({ message }) => wallet.signMessage({ account: address, message }),
  });
  const client = createVenueClient({ transport: http(base), account });
  const order = { market: "BTC-PERP", side: "buy", size: "0.2", price: "50000" };
  see((await (await client.placeOrder(order)).wait()).status);
  see((await client.listOrders({ address })).data[0].price);
  await client.signIn();
  see("signed in");
});
