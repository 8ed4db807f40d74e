/**
 * The few JSON-RPC methods that a browser wallet calls before it signs typed data: above all the chain id, which must
 * equal the signing domain's. There is no Ethereum chain here, so every balance is 0 and there are no accounts.
 */
import type { ApiRequest, ApiResponse } from "../../client/api/endpoint.ts";
import { API_VERSION } from "../../client/api/version.ts";
import type { VenueHost } from "../host/host.ts";

export const RPC_PATH = "/rpc";
/** Calls of one batch. */
const BATCH_MOST = 100;

interface RpcCall {
  readonly id?: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Method = (host: VenueHost, params: readonly unknown[]) => unknown;

const METHODS: Readonly<Record<string, Method>> = {
  eth_chainId: ({ domain }) => hex(domain.chainId),
  net_version: ({ domain }) => String(domain.chainId),
  net_listening: () => true,
  eth_blockNumber: ({ state }) => hex(state.height),
  eth_getBalance: (_, [address]) => {
    if (typeof address !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RpcError(-32602, "no address");
    return "0x0";
  },
  eth_accounts: () => [],
  web3_clientVersion: () => `perplab/${API_VERSION}`,
};

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function answerRpc(host: VenueHost, { method, body }: ApiRequest): ApiResponse {
  if (method !== "POST") return { status: 405, headers: { allow: "POST, OPTIONS" }, body: "" };
  const answer = answerText(host, body ?? "");
  if (answer === undefined) return { status: 204, headers: {}, body: "" };
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status: 200, headers, body: JSON.stringify(answer) };
}

/** Undefined if no call needs an answer. */
function answerText(host: VenueHost, text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failure(null, -32700, "this is no JSON");
  }
  if (!Array.isArray(json)) return answerCall(host, json);
  if (json.length === 0 || json.length > BATCH_MOST) {
    return failure(null, -32600, `a batch has 1 to ${BATCH_MOST} calls`);
  }
  const answers = json.map((call) => answerCall(host, call)).filter((answer) => answer !== undefined);
  return answers.length === 0 ? undefined : answers;
}

function answerCall(host: VenueHost, json: unknown): unknown {
  const call = readCall(json);
  if (call === undefined) return failure(null, -32600, "this is no call of JSON-RPC 2.0");
  const { id, method, params } = call;
  const isNotice = !("id" in call);
  try {
    if (!Object.hasOwn(METHODS, method)) throw new RpcError(-32601, `${method.slice(0, 64)} is not served here`);
    const result = METHODS[method]!(host, params);
    return isNotice ? undefined : { jsonrpc: "2.0", id, result };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return isNotice ? undefined : failure(id, error.code, error.message);
  }
}

function readCall(json: unknown): RpcCall | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { jsonrpc, id, method, params = [] } = json as Record<string, unknown>;
  if (jsonrpc !== "2.0" || typeof method !== "string" || !Array.isArray(params)) return undefined;
  if (!("id" in json)) return { method, params };
  if (id !== null && typeof id !== "string" && typeof id !== "number") return undefined;
  return { id, method, params };
}

function failure(id: unknown, code: number, message: string) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
