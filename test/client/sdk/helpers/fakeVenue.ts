import type { ApiRequest, ApiResponse, VenueEndpoint } from "../../../../src/client/api/endpoint.ts";
import { PROBLEMS, type Problem, type ProblemCode } from "../../../../src/client/api/problem.ts";
import type { ClientClock } from "../../../../src/client/sdk/clock.ts";
import type { Confirmation, Market, Status } from "../../../../src/client/sdk/resources.ts";
import { parseTransaction } from "../../../../src/protocol/codec.ts";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import { digestOf } from "../../../../src/protocol/typedDataDigest.ts";

/** A clock that advances only when a caller sleeps. */
export class FakeClock implements ClientClock {
  now = 1_000_000;
  readonly sleeps: number[] = [];
  nowMs = () => this.now;
  random = () => 0.5;
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    // A turn of the loop, so that others come to run.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    this.now += ms;
  }
}

/** What happens to one submission at the venue, in the order of attempts; afterwards everything goes well. */
export type Fault =
  | "resetBefore" // the connection breaks, nothing arrived
  | "resetAfter" // it was taken, the response is lost
  | "timeoutBefore"
  | "timeoutAfter"
  | "unavailableBefore" // 503, maybeSubmitted false
  | "unavailableMaybe" // 503, maybeSubmitted true, and it was not
  | "unavailableAfter" // 503, maybeSubmitted true, and it was
  | "limited" // 429
  | "laneFull" // 429, not retryable: a nonce before it is missing
  | "poolFull" // 503, not retryable, maybeSubmitted false
  | "proxy" // a 502 without a body of the venue's, nothing arrived
  | "rejected" // 422
  | "conflict" // 409
  | "malformed"; // 400

interface Taken {
  readonly key: string;
  readonly nonce: number;
  confirmation: Confirmation;
}

const GENESIS: Bytes32 = `0x${"5a".repeat(32)}`;

/** A venue that answers as the contract requires, with the given faults one after another. */
export class FakeVenue implements VenueEndpoint {
  status: Status = {
    network: { name: "perplab-devnet", chainId: 735711, genesisHash: GENESIS, epoch: 1 },
    versions: {
      api: "1.0.0",
      protocol: [1],
      envelope: [1],
      sdk: { typescript: { minimum: "0.1.0", current: "0.1.0" } },
    },
    head: { height: 10, timeMs: 1, hash: GENESIS },
    limits: { confirmationWaitMsMost: 30_000, validityBlocksMost: 1_200 },
  };
  markets: Market[] = [
    {
      market: "BTC-PERP",
      status: "active",
      tickSize: "0.5",
      lotSize: "0.001",
      minSize: "0.002",
      maxSize: "100",
      minNotional: "10",
      slippageMost: "0.1",
      leverageMost: 50,
      fees: { taker: "0.0005", maker: "0.0002" },
    },
  ];
  readonly faults: Fault[] = [];
  /** Faults of questions for a confirmation. */
  readonly readFaults: ("reset" | "limited" | "unavailable")[] = [];
  readonly taken = new Map<string, Taken>();
  /** Bodies and keys of all attempts. */
  readonly attempts: { key: string; body: string }[] = [];
  readonly requests: string[] = [];
  grant: object | undefined;
  /** What a transaction comes to. */
  judge: (txId: string) => Partial<Confirmation> = () => ({});
  /** Confirmations stay pending for so many questions. */
  pendingFor = 0;
  committedNext = 0;

  async request(request: ApiRequest): Promise<ApiResponse> {
    const path = request.path.replace("/api/v1", "");
    this.requests.push(`${request.method} ${path}`);
    if (request.method === "POST" && path === "/transactions") return this.#submit(request);
    if (path === "/status") return answer(200, { data: this.status });
    if (path === "/markets") return answer(200, { data: this.markets });
    if (path.includes("/nonce?")) return answer(200, { data: this.#nonces() });
    if (path.startsWith("/authorizations/")) {
      return this.grant === undefined ? problem("NOT_FOUND") : answer(200, { data: this.grant });
    }
    const confirmation = /^\/transactions\/(0x[0-9a-f]{64})\/confirmation/.exec(path);
    if (confirmation !== null) return this.#confirm(confirmation[1]!);
    return problem("NOT_FOUND");
  }

  connect(): never {
    throw new Error("no stream here");
  }

  #nonces() {
    const pending = [...this.taken.entries()]
      .filter(([, { confirmation }]) => confirmation.status === "pending")
      .map(([txId, { nonce }]) => ({ nonce: String(nonce), txId }));
    let next = this.committedNext;
    while (pending.some(({ nonce }) => nonce === String(next))) next++;
    return { committedNext: String(this.committedNext), pendingNext: String(next), pending };
  }

  #confirm(txId: string): ApiResponse {
    const fault = this.readFaults.shift();
    if (fault === "reset") throw new Error("ECONNRESET");
    if (fault === "limited") return problem("RATE_LIMITED", { retryAfterMs: 700 });
    if (fault === "unavailable") return problem("SERVICE_UNAVAILABLE");
    const taken = this.taken.get(txId);
    if (taken === undefined) return problem("NOT_FOUND");
    if (taken.confirmation.status === "pending" && this.pendingFor-- <= 0) {
      taken.confirmation = { ...taken.confirmation, status: "committed", outcome: "applied", ...this.judge(txId) };
      if (taken.confirmation.status === "committed") {
        taken.confirmation = { ...taken.confirmation, position: { height: 11, index: 0, timeMs: 2 } };
        this.committedNext = Math.max(this.committedNext, taken.nonce + 1);
      }
    }
    return answer(200, { data: taken.confirmation });
  }

  #submit({ body = "", headers = {} }: ApiRequest): ApiResponse {
    const key = headers["idempotency-key"]!;
    this.attempts.push({ key, body });
    switch (this.faults.shift()) {
      case "resetBefore":
        throw new Error("ECONNREFUSED");
      case "resetAfter":
        this.#take(key, body);
        throw new Error("ECONNRESET");
      case "timeoutBefore":
        throw new TimeoutFault();
      case "timeoutAfter":
        this.#take(key, body);
        throw new TimeoutFault();
      case "unavailableBefore":
        return problem("SERVICE_UNAVAILABLE", { maybeSubmitted: false, retryAfterMs: 3_000 });
      case "unavailableMaybe":
        return problem("SERVICE_UNAVAILABLE", { maybeSubmitted: true });
      case "unavailableAfter":
        this.#take(key, body);
        return problem("SERVICE_UNAVAILABLE", { maybeSubmitted: true });
      case "limited":
        return problem("RATE_LIMITED", { retryAfterMs: 2_500 });
      case "laneFull":
        return problem("RATE_LIMITED", { reason: "LANE_FULL", retryable: false });
      case "poolFull":
        return problem("SERVICE_UNAVAILABLE", { reason: "POOL_FULL", retryable: false, maybeSubmitted: false });
      case "proxy":
        return { status: 502, headers: {}, body: "<html>Bad gateway</html>" };
      case "rejected":
        return problem("TRANSACTION_REJECTED", { reason: "ACCOUNT_NOT_FOUND" });
      case "conflict":
        return problem("IDEMPOTENCY_CONFLICT", { reason: "KEY_REUSED" });
      case "malformed":
        return problem("VALIDATION_ERROR");
      default:
        return this.#take(key, body);
    }
  }

  #take(key: string, body: string): ApiResponse {
    const { transaction } = parseTransaction(body);
    const { chainId, genesisHash } = this.status.network;
    const txId = digestOf(transaction, { chainId, genesisHash: genesisHash as Bytes32 });
    const known = this.taken.get(txId);
    if (known === undefined) {
      const confirmation: Confirmation = {
        txId,
        status: "pending",
        outcome: null,
        code: null,
        numbers: null,
        position: null,
        endedHeight: null,
        replacedBy: null,
      };
      this.taken.set(txId, { key, nonce: transaction.header.nonce, confirmation });
    }
    return answer(202, { txId, status: "pending", replayed: known !== undefined });
  }
}

/** Makes the transport say that no answer came in time. */
export class TimeoutFault extends Error {}

function answer(status: number, body: unknown): ApiResponse {
  return { status, headers: {}, body: JSON.stringify(body) };
}

export function problem(code: ProblemCode, more: Partial<Problem> = {}): ApiResponse {
  const { status, title, retryable } = PROBLEMS[code];
  const body: Problem = { type: "", title, status, detail: title, instance: "r1", code, retryable, ...more };
  return answer(status, body);
}
