import { expect, test } from "vitest";
import type { ApiResponse } from "../../../src/client/api/endpoint.ts";
import { DevnetControl } from "../../../src/server/devnet/control.ts";
import { createDevnet } from "../../../src/server/devnet/createDevnet.ts";
import { DevnetRequestHandler } from "../../../src/server/devnet/devnetRequestHandler.ts";
import { createEndpoint } from "../../../src/server/face/dispatch/endpoint.ts";
import { expectProblem, JSON_HEADERS } from "../helpers/service.ts";

const mine = { method: "POST", path: "/devnet/mine", headers: JSON_HEADERS, body: "{}" } as const;

async function open(client: string, adminToken?: string) {
  const { service } = await createDevnet();
  return createEndpoint(
    new DevnetRequestHandler(service, new DevnetControl(service.services.host), { adminToken }),
    undefined,
    client,
  );
}

test.each([
  ["in-process", 200],
  ["127.0.0.1", 200],
  ["127.9.9.9", 200],
  ["0:0:0:0::/64", 200],
  ["10.0.0.7", 403],
  ["2001:db8:0:1::/64", 403],
  ["unknown", 403],
])("without a token, %s is answered %i", async (client, status) => {
  const response = await (await open(client)).request(mine);
  expect(response.status).toBe(status);
  if (status === 403) expectProblem(response, 403, "UNAUTHORIZED", "NOT_LOCAL");
});

test.each([
  ["x-forwarded-for", "127.0.0.1"],
  ["forwarded", "for=127.0.0.1"],
  ["x-real-ip", "127.0.0.1"],
  ["via", "1.1 proxy"],
  ["x-forwarded-proto", "https"],
  ["cf-connecting-ip", "1.2.3.4"],
  ["x-envoy-external-address", "1.2.3.4"],
  ["client-ip", "1.2.3.4"],
  ["forwarded-for", "1.2.3.4"],
  ["cdn-loop", "cloudflare"],
  ["x-azure-clientip", "1.2.3.4"],
  ["x-proxyuser-ip", "1.2.3.4"],
  ["do-connecting-ip", "1.2.3.4"],
  ["x-amzn-trace-id", "Root=1-67891233-abcdef012345678912345678"],
  ["x-remote-addr", "1.2.3.4"],
  ["x_forwarded_for", "1.2.3.4"],
  ["x-amz-cf-id", "a"],
  ["x-cloud-trace-context", "a/1"],
  ["x-varnish", "12"],
  ["x-scheme", "https"],
  ["front-end-https", "on"],
  ["x-request-start", "t=1"],
  ["tailscale-user-login", "a@example"],
  ["ngrok-skip-browser-warning", "1"],
  ["host", "venue.example"],
])("without a token, a request of this machine that a proxy passed on (%s) is refused", async (name, value) => {
  const headers = { ...JSON_HEADERS, [name]: value };
  const response = await (await open("127.0.0.1")).request({ ...mine, headers });
  expectProblem(response, 403, "UNAUTHORIZED", "NOT_LOCAL");
  const given = { ...headers, authorization: "Bearer secret" };
  expect((await (await open("127.0.0.1", "secret")).request({ ...mine, headers: given })).status).toBe(200);
});

test("with a token, every client needs it, on this machine too", async () => {
  for (const client of ["127.0.0.1", "10.0.0.7"]) {
    const endpoint = await open(client, "secret");
    expectProblem(await endpoint.request(mine), 403, "UNAUTHORIZED", "ADMIN_TOKEN");
    for (const [token, status] of [
      ["secret", 200],
      ["secreT", 403],
      ["", 403],
    ] as const) {
      const headers = { ...JSON_HEADERS, authorization: `Bearer ${token}` };
      expect((await endpoint.request({ ...mine, headers })).status).toBe(status);
    }
  }
});

test("control is outside the API: not under its prefix, and absent if switched off", async () => {
  const devnet = await createDevnet();
  const get = (path: string) => devnet.endpoint.request({ method: "GET", path });
  expectProblem(await get("/api/v1/devnet"), 404, "NOT_FOUND", "UNKNOWN_ROUTE");
  expectProblem(await get("/devnets"), 404, "NOT_FOUND", "UNKNOWN_ROUTE");
  expectProblem(await get("/devnet/nothing"), 404, "NOT_FOUND", "UNKNOWN_ROUTE");
  expect((await get("/devnet?")).status).toBe(200);
  const plain = devnet.service.endpoint;
  expectProblem(await plain.request(mine), 404, "NOT_FOUND", "UNKNOWN_ROUTE");
  expect(JSON.parse((await get("/api/v1/status")).body).data.features.devnet).toBe(true);
});

test("a devnet is reached over the network as within the process", async () => {
  const devnet = await createDevnet();
  const { url, close } = await devnet.listen();
  const response = await fetch(`${url}/devnet/mine`, { ...mine });
  expect(await response.json()).toMatchObject({ data: { fromHeight: 2 } });
  const status = (await (await fetch(`${url}/api/v1/status`)).json()) as { data: { head: object } };
  expect(status.data.head).toMatchObject({ height: 2 });
  await close();
  await devnet.close();
  await expect(fetch(url)).rejects.toThrow();
});

test("equal calls with one salt make equal chains, those without one each a chain of its own", async () => {
  const run = async (networkSalt?: string) => {
    const devnet = await createDevnet(networkSalt === undefined ? {} : { networkSalt });
    await devnet.setPrice("BTC-PERP", "50000");
    await devnet.setPosition({ account: devnet.accounts[0]!.address }, "BTC-PERP", "1");
    await devnet.advance(60_000);
    return devnet.host.block(devnet.host.state.height)!.hash;
  };
  expect(await run("golden")).toBe(await run("golden"));
  expect(await run("")).toBe(await run(""));
  const hashes = await Promise.all([run("golden"), run("other"), run(""), run(), run()]);
  expect(new Set(hashes).size).toBe(5);
});

async function rpc(body: unknown): Promise<ApiResponse> {
  const { endpoint } = await createDevnet();
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return endpoint.request({ method: "POST", path: "/rpc", headers: JSON_HEADERS, body: text });
}
const call = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  ...(params === undefined ? {} : { params }),
});

test.each([
  ["eth_chainId", [], "0xb39df"],
  ["net_version", [], "735711"],
  ["net_listening", [], true],
  ["eth_blockNumber", [], "0x1"],
  ["eth_getBalance", [`0x${"ab".repeat(20)}`, "latest"], "0x0"],
  ["eth_accounts", [], []],
] as const)("a wallet that asks %s is answered", async (method, params, result) => {
  const response = await rpc(call(method, params));
  expect(JSON.parse(response.body)).toEqual({ jsonrpc: "2.0", id: 1, result });
});

test.each([
  ["{", -32700],
  [[], -32600],
  [Array.from({ length: 101 }, () => call("eth_chainId")), -32600],
  [3, -32600],
  [{ ...call("eth_chainId"), jsonrpc: "1.0" }, -32600],
  [{ ...call("eth_chainId"), id: {} }, -32600],
  [call("eth_chainId", {}), -32600],
  [call("eth_sendTransaction"), -32601],
  [call("constructor"), -32601],
  [call("eth_getBalance", ["me"]), -32602],
])("%j is an error of JSON-RPC: %i", async (body, code) => {
  const response = await rpc(body);
  expect(response.status).toBe(200);
  expect(JSON.parse(response.body)).toMatchObject({ jsonrpc: "2.0", error: { code } });
});

test("calls in a batch are answered in their order, and notices not at all", async () => {
  const notice = { jsonrpc: "2.0", method: "eth_chainId" };
  const batch = await rpc([call("eth_chainId"), notice, call("nothing")]);
  expect(JSON.parse(batch.body)).toMatchObject([{ result: "0xb39df" }, { error: { code: -32601 } }]);
  for (const silent of [notice, [notice], { jsonrpc: "2.0", method: "nothing" }]) {
    expect(await rpc(silent)).toMatchObject({ status: 204, body: "" });
  }
  const { endpoint } = await createDevnet();
  expect(await endpoint.request({ method: "GET", path: "/rpc" })).toMatchObject({ status: 405 });
});
