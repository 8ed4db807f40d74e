import type { ApiRequest, ApiResponse, VenueEndpoint } from "../../../src/client/api/endpoint.ts";
import { API_PREFIX } from "../../../src/client/api/endpoint.ts";
import { type OperationId, routes } from "../../../src/client/api/routes.ts";
import { encodePayload } from "../../../src/protocol/codec.ts";
import { createDevnet, type Devnet } from "../../../src/server/devnet/createDevnet.ts";
import { RouteTable } from "../../../src/server/face/dispatch/routeTable.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { getHead } from "../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { findAccount } from "../../../src/venue/engine/state/accounts.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { formatAmount } from "../../../src/venue/formulas/text.ts";
import { TwinChain } from "../twin/chain.ts";
import { findPreviewFaults } from "../twin/previewTwin.ts";
import { type Asked, findTwinFaults } from "../twin/twinOf.ts";
import { findFaults } from "./checkAnswer.ts";
import type { Draft, FactKind } from "./drafts.ts";
import { TagWatch } from "./tagWatch.ts";
import { bodyOf, orderOfStep, type SigningStep, Trader } from "./trader.ts";
import type { TradeStep } from "./trades.ts";
import { writeRequest } from "./writeRequest.ts";

export type ContractStep = { readonly draft: Draft } | { readonly trade: TradeStep };

/** How an answer is got: in this process, or over the network. */
export type Carry = (request: ApiRequest) => Promise<ApiResponse | undefined>;

/** Reads to check after a trade: not all of them each time. */
const READS: readonly (readonly [OperationId, string])[] = [
  ["listFills", "/accounts/{address}/fills?limit=20"],
  ["listFills", "/accounts/{address}/fills?market=ETH-PERP"],
  ["listOrders", "/accounts/{address}/orders?side=buy&market=BTC-PERP"],
  ["listOrders", "/accounts/{address}/orders?side=sell&limit=2"],
  ["listPositions", "/accounts/{address}/positions"],
  ["listRisk", "/accounts/{address}/risk"],
  ["listAuthorizations", "/authorizations?owner={address}&status=active"],
  ["getMarketBook", "/markets/BTC-PERP/book?depth=3"],
  ["getMarketPrices", "/markets/BTC-PERP/prices"],
  ["listMarketTrades", "/markets/BTC-PERP/trades?limit=5"],
];

/** Pages of a list that are turned, and how many items they have. */
const PAGES_MOST = 4;
const PAGE_ITEMS = "2";

const table = new RouteTable<OperationId>(routes);

/**
 * A venue that receives arbitrary requests, and an engine alongside with the same blocks: the model. A breach of the
 * contract, or a difference from the model, is thrown with the request that revealed it.
 */
export class ContractRun {
  readonly #facts: Record<FactKind, string[]>;
  readonly #devnet: Devnet;
  readonly #model: State;
  readonly #traders: readonly Trader[];
  readonly #carry: Carry;
  readonly #chain: TwinChain;
  readonly #tags = new TagWatch();
  #modelFault: string | undefined;
  /** Answers, by operation and status. */
  readonly answers = new Map<string, number>();
  asked = 0;
  #compared = 0;

  static async open(carryTo: (devnet: Devnet) => Promise<Carry> = async ({ endpoint }) => carryWithin(endpoint)) {
    const devnet = await createDevnet({ networkSalt: "", prices: {}, service: { accountReads: "public" } });
    const run = new ContractRun(devnet, await carryTo(devnet));
    await devnet.host.mine();
    for (const [market, price] of [
      ["BTC-PERP", "60000"],
      ["ETH-PERP", "3000"],
    ]) {
      await run.#report(market!, price!);
    }
    return run;
  }

  private constructor(devnet: Devnet, carry: Carry) {
    this.#devnet = devnet;
    this.#carry = carry;
    const { genesis } = devnet.host;
    this.#model = createVenue(genesis);
    this.#chain = new TwinChain(() => this.#model);
    this.#traders = devnet.accounts.slice(0, 4).map(({ privateKey }) => new Trader(privateKey, genesis));
    this.#facts = {
      address: devnet.accounts.map(({ address }) => address),
      market: ["BTC-PERP", "ETH-PERP", "SOL-PERP"],
      height: ["0", "latest"],
      txId: [],
      cursor: [],
      liquidation: ["L-1-0"],
      challenge: [],
    };
    devnet.host.onBlock((entry) => {
      const { height, timeMs, transactions, receipts } = entry;
      const result = applyBlock(this.#model, { height, timeMs, transactions });
      if (getHead(this.#model) !== entry.hash) this.#modelFault = `block ${height} has another hash than the model's`;
      const differs = receipts.some(({ status }, index) => result.receipts.at(index).status !== status);
      if (differs) this.#modelFault = `block ${height} has other receipts than the model's`;
      this.#chain.add(entry);
      this.#remember("height", String(height));
    });
  }

  close(): Promise<void> {
    return this.#devnet.close();
  }

  /** Answers that were held to the plain twin. */
  get compared(): number {
    return this.#compared;
  }

  async step(step: ContractStep): Promise<void> {
    if ("trade" in step) await this.#trade(step.trade);
    else await this.#draft(step.draft);
    if (this.#modelFault !== undefined) throw new Error(this.#modelFault);
  }

  async #draft(draft: Draft): Promise<void> {
    const { request, isWrong, isPlain } = writeRequest(draft, this.#facts);
    const tag = this.#tags.at(this.#devnet.host.state.height);
    if (draft.repeats && tag !== undefined && request.method === "GET") {
      // All that belongs to a height has one tag: what was never asked for has not changed either.
      await this.#ask(draft.operation, { ...request, headers: { ...request.headers, "if-none-match": tag } });
    }
    const response = await this.#ask(draft.operation, request);
    if (response === undefined) return;
    const { status, body, headers } = response;
    if (isWrong && status < 400) throw fault(request, response, ["it is wrong, and was taken"]);
    if (isPlain && draft.operation !== "previewAction") this.#checkPlain(draft.operation, request, response);
    if (request.method !== "HEAD" && status < 300 && body.startsWith("{")) this.#learn(body);
    if (isPlain && request.method === "GET" && status === 200)
      await this.#turnPages(draft.operation, request, response);
    if (!draft.repeats || headers["etag"] === undefined || status !== 200) return;
    const again = { ...request, headers: { ...request.headers, "if-none-match": headers["etag"] } };
    const unchanged = await this.#ask(draft.operation, again);
    if (unchanged !== undefined && unchanged.status !== 304) {
      throw fault(again, unchanged, ["nothing changed, and it is no 304"]);
    }
  }

  /** A request that fits its schema is not refused for its form. */
  #checkPlain(operation: OperationId, request: ApiRequest, response: ApiResponse): void {
    if (response.status !== 400 || request.method === "HEAD" || operation === "submitTransaction") return;
    const { errors = [] } = JSON.parse(response.body) as { errors?: { pointer: string }[] };
    // A cursor that the venue did not give for this list; more than a claim may be.
    if (errors.some(({ pointer }) => pointer === "query.cursor" || pointer === "body.amount")) return;
    throw fault(request, response, ["it fits its schema, and was refused for its form"]);
  }

  /** A list that was asked for from its beginning holds what its twin holds, in small pages, too. */
  async #turnPages(operation: OperationId, request: ApiRequest, { body }: ApiResponse): Promise<void> {
    const asked = askedOf(request);
    if (asked === undefined || asked["cursor"] !== undefined || !body.startsWith('{"data":[{')) return;
    if (JSON.parse(body).page === undefined) return;
    const [whole, query = ""] = request.path.split("?") as [string, string?];
    const members = new URLSearchParams(query);
    members.set("limit", PAGE_ITEMS);
    const small = { ...request, path: `${whole}?${members}` };
    const first = await this.#ask(operation, small);
    if (first === undefined) return;
    let { page, data } = JSON.parse(first.body);
    const all: unknown[] = [...data];
    for (let count = 0; count < PAGES_MOST && page.next !== null; count++) {
      const path = `${small.path}&cursor=${page.next}`;
      const next = await this.#ask(operation, { ...request, path });
      if (next === undefined) return;
      if (next.status !== 200) throw fault(request, next, ["its next page is refused"]);
      ({ page, data } = JSON.parse(next.body));
      all.push(...data);
    }
    const limit = String(all.length);
    const faults = findTwinFaults(this.#chain, operation, { ...asked, limit }, { data: all, page });
    if (faults.length > 0) throw fault(request, first, ["its pages in one differ", ...faults]);
  }

  async #report(market: string, price: string): Promise<void> {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ market, price });
    const response = await this.#ask(undefined, { method: "POST", path: "/devnet/oracle", headers, body });
    if (response !== undefined && response.status !== 200) throw new Error(`a price was refused: ${response.body}`);
  }

  /** A previewed order has the result of an engine that advances with it. */
  async #preview(step: TradeStep, { client: { address }, nonces }: Trader): Promise<void> {
    const payload = encodePayload("placeOrder", orderOfStep(step));
    const body = JSON.stringify({ action: "placeOrder", payload });
    const path = `${API_PREFIX}/accounts/${address}/preview`;
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", path, headers, body } as const;
    const response = await this.#ask("previewAction", request);
    if (response === undefined) return;
    if (response.status !== 200) throw fault(request, response, ["an order cannot be tried out"]);
    const { data } = JSON.parse(response.body);
    const faults = findPreviewFaults(this.#model, { address, nonce: nonces.trading, payload }, data);
    if (faults.length > 0) throw fault(request, response, faults);
    this.#compared++;
  }

  async #trade(given: TradeStep): Promise<void> {
    const trader = this.#traders[given.client]!;
    if (given.act === "price") return this.#report("BTC-PERP", String(60_000 + given.offset * 25));
    if (given.act === "preview") return this.#preview(given, trader);
    const step = given as SigningStep;
    const { address } = trader.client;
    const other = this.#traders[(step.client + 1) % this.#traders.length]!.client.address;
    const orderIds = step.act === "cancel" ? await this.#openOrders(address) : [];
    const earlier = trader.taken.at(-1 - (step.pick % Math.max(1, trader.taken.length)));
    if (step.trick === "again" && earlier !== undefined) {
      const again = await this.#submit(JSON.stringify(JSON.parse(bodyOf(step, earlier.signed))), earlier.signed.key);
      if (again !== undefined && (again.status !== 202 || again.body !== earlier.answer)) {
        throw new Error(`a repetition was answered with ${again.status} ${again.body}`);
      }
      return;
    }
    const { signed, domain } = trader.sign(step, orderIds, other);
    const isUsed = step.trick === "nonce" && trader.nonces[domain] > 0;
    const isKeyUsed = step.trick === "keyReused" && earlier !== undefined;
    const body = bodyOf(step, signed);
    const response = await this.#submit(body, isKeyUsed ? earlier.signed.key : signed.key);
    if (response === undefined) return;
    const { code, reason } = JSON.parse(response.body) as { code?: string; reason?: string };
    const said = `${response.status} ${code ?? ""}`;
    const wanted = isUsed
      ? ["422 TRANSACTION_REJECTED"]
      : isKeyUsed
        ? ["409 IDEMPOTENCY_CONFLICT"]
        : WANTED[step.trick];
    if (isUsed && response.status === 202 && response.headers["idempotency-replayed"] === "true") return;
    if (!wanted.includes(said)) {
      throw new Error(`${step.act} with ${step.trick} was answered with ${said} ${reason}: ${body}`);
    }
    if (response.status !== 202) return;
    trader.nonces[domain]++;
    trader.taken.push({ signed, answer: response.body });
    this.#remember("txId", signed.id);
    await this.#compare(trader, signed.id);
    // Which is held to the model as every read.
    const [operation, rest] = READS[given.pick % READS.length]!;
    await this.#read(operation, rest.replace("{address}", address));
  }

  /** What the venue says of an account is what the model says. */
  async #compare({ client: { address, account }, nonces }: Trader, id: string): Promise<void> {
    const confirmation = await this.#read("getConfirmation", `/transactions/${id}/confirmation?waitMs=2000`);
    if (confirmation.status !== "committed") throw new Error(`${id} is ${confirmation.status}`);
    const [balance] = await this.#read("listBalances", `/accounts/${address}/balances`);
    const row = findAccount(this.#model, account);
    const collateral = formatAmount(BigInt(this.#model.accounts.collateral[row]!));
    if (balance.collateral !== collateral) {
      throw new Error(`${address} has ${balance.collateral}, the model says ${collateral}`);
    }
    for (const [domain, next] of Object.entries(nonces)) {
      const query = `signer=${address}&subaccount=0&domain=${domain}`;
      const said = await this.#read("getNonce", `/accounts/${address}/nonce?${query}`);
      if (said.pendingNext !== String(next))
        throw new Error(`the nonce of ${domain} is ${said.pendingNext}, not ${next}`);
    }
  }

  async #openOrders(address: string): Promise<string[]> {
    const orders: { orderId: string }[] = await this.#read("listOrders", `/accounts/${address}/orders`);
    return orders.map(({ orderId }) => orderId);
  }

  // biome-ignore lint/suspicious/noExplicitAny: what it says was held to its schema.
  async #read(operation: OperationId, path: string): Promise<any> {
    const response = await this.#ask(operation, { method: "GET", path: `${API_PREFIX}${path}` });
    return JSON.parse(response!.body).data;
  }

  #submit(body: string, key: string): Promise<ApiResponse | undefined> {
    const headers = { "content-type": "application/json", "idempotency-key": key };
    return this.#ask("submitTransaction", { method: "POST", path: `${API_PREFIX}/transactions`, headers, body });
  }

  async #ask(wanted: OperationId | undefined, request: ApiRequest): Promise<ApiResponse | undefined> {
    const before = this.#devnet.host.state.height;
    const response = await this.#carry(request);
    if (response === undefined) return undefined;
    this.asked++;
    const operation = wanted === undefined ? undefined : operationOf(request);
    const name = `${operation ?? "none"} ${response.status}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    if (wanted === undefined) return response;
    const { height } = this.#devnet.host.state;
    const faults = findFaults(operation, request, response, [before, height]);
    faults.push(...this.#tags.findFaults(request, response, [before, height]));
    if (faults.length === 0 && operation !== undefined)
      faults.push(...this.#findTwinFaults(operation, request, response));
    if (faults.length > 0) throw fault(request, response, faults);
    return response;
  }

  /** Differences of a read from the model. Later pages keep to the height of the first, and are left out. */
  #findTwinFaults(operation: OperationId, request: ApiRequest, { status, body }: ApiResponse): string[] {
    if (request.method !== "GET" || status !== 200 || !body.startsWith("{")) return [];
    const asked = askedOf(request);
    const said = JSON.parse(body);
    if (asked === undefined || asked["cursor"] !== undefined || said.asOf?.height !== this.#model.height) return [];
    this.#compared++;
    return findTwinFaults(this.#chain, operation, asked, said);
  }

  #learn(body: string): void {
    const { data, page, challengeId, txId } = JSON.parse(body);
    if (typeof page?.next === "string") this.#remember("cursor", page.next);
    if (typeof challengeId === "string") this.#remember("challenge", challengeId);
    if (typeof txId === "string") this.#remember("txId", txId);
    if (Array.isArray(data) && data[0]?.liquidationId !== undefined)
      this.#remember("liquidation", data[0].liquidationId);
  }

  #remember(kind: FactKind, value: string): void {
    const list = this.#facts[kind];
    if (list.length > 200) list.splice(10, 50);
    list.push(value);
  }
}

/** How a submission is answered, by what was done to it. */
const WANTED: Readonly<Record<TradeStep["trick"], readonly string[]>> = {
  none: ["202 "],
  // Another signer is recovered, or none; the last byte may be no v at all.
  signature: ["422 UNAUTHORIZED", "400 VALIDATION_ERROR", "422 TRANSACTION_REJECTED"],
  payload: ["422 UNAUTHORIZED", "422 TRANSACTION_REJECTED"],
  nonce: ["202 "],
  again: ["202 "],
  keyReused: ["202 "],
  otherNetwork: ["422 TRANSACTION_REJECTED", "422 UNAUTHORIZED"],
  late: ["422 TRANSACTION_REJECTED"],
};

/** The operation that a request meets, by the table of routes. */
function operationOf({ method, path }: ApiRequest): OperationId | undefined {
  if (!path.startsWith(`${API_PREFIX}/`)) return undefined;
  const match = table.match(method, path.slice(API_PREFIX.length).split("?")[0]!);
  return match.kind === "found" ? match.operation : undefined;
}

/** Parameters and query of a request; undefined where it meets no operation. */
function askedOf({ method, path }: ApiRequest): Asked | undefined {
  const [whole = "", query] = path.slice(API_PREFIX.length).split("?");
  const match = table.match(method, whole);
  return match.kind === "found" ? { ...match.params, ...Object.fromEntries(new URLSearchParams(query)) } : undefined;
}

function carryWithin(endpoint: VenueEndpoint): Carry {
  return (request) => endpoint.request(request);
}

function fault({ method, path, headers, body }: ApiRequest, response: ApiResponse, faults: readonly string[]): Error {
  const asked = `${method} ${path.slice(0, 600)} ${JSON.stringify(headers ?? {}).slice(0, 600)} ${(body ?? "").slice(0, 1_000)}`;
  return new Error(
    `${faults.join("; ")}\n  asked: ${asked}\n  answer: ${response.status} ${response.body.slice(0, 1_000)}`,
  );
}
