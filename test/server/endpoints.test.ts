import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { API_PREFIX } from "../../src/client/api/endpoint.ts";
import type { Route } from "../../src/client/api/route.ts";
import { type OperationId, routes } from "../../src/client/api/routes.ts";
import type { Confirmation, Event, Receipt, Transaction } from "../../src/client/api/schemas/transactions.ts";
import { encodeHeader, encodePayload } from "../../src/protocol/codec.ts";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import { createService } from "../../src/server/face/service.ts";
import { idOfGrant } from "../../src/venue/engine/authorization/addGrant.ts";
import { readEvents } from "../../src/venue/engine/events/readEvents.ts";
import type { AccountRow, AuthorizationRow } from "../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../src/venue/reads/rows.ts";
import { faultsOf } from "./helpers/ask.ts";
import { hostOfFlow } from "./helpers/flowHost.ts";
import { TwinChain } from "./twin/chain.ts";
import { listDifferences } from "./twin/plain.ts";
import { findTwinFaults } from "./twin/twinOf.ts";

// Goal: each GET of the specification says what the venue holds. Method: a test for each of them, over one lively
// venue; what the body must say is worked out from the engine's tables, receipts and events, without the service's
// views.

const { host } = hostOfFlow(17, 200);
const service = createService(host.asHost, { limits: "off" });
const { state } = host;
const chain = new TwinChain(() => host.state);
for (const entry of host.entries) if (entry !== undefined) chain.add(entry);

const addresses = [
  ...new Set(Array.from({ length: state.accounts.rows.high }, (_, row) => addressOf(state, row as AccountRow))),
];
const newest = host.entries.findLast((entry) => entry?.receipts.some(({ status }) => status === "applied"))!;
/** Every committed transaction of the newest blocks. */
const committed = host.entries
  .slice(-10)
  .flatMap((block) =>
    block!.ids.flatMap((id, index) =>
      block!.receipts[index]!.status === "invalid" ? [] : [{ id, index, block: block! }],
    ),
  );

interface Body {
  readonly data: unknown;
  readonly asOf: { readonly height: number; readonly hash: Bytes32 };
  readonly page?: { readonly hasMore: boolean; readonly next: string | null };
}

/** Asks an operation, and holds the answer to its schema and to the height of the venue. */
async function read(id: OperationId, asked: Readonly<Record<string, string>> = {}): Promise<Body> {
  const route: Route = routes[id];
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => asked[name]!);
  const members = Object.entries(asked).filter(([name]) => !route.path.includes(`{${name}}`));
  const query = members.length === 0 ? "" : `?${new URLSearchParams(members)}`;
  const answer = await service.endpoint.request({ method: "GET", path: `${API_PREFIX}${path}${query}` });
  expect(answer.status, answer.body).toBe(200);
  const body = JSON.parse(answer.body) as Body;
  expect(faultsOf(route.responses[200] as TSchema, body)).toEqual([]);
  expect(body.asOf).toMatchObject({ height: state.height, hash: newestHash() });
  expect(answer.headers["etag"] === undefined || answer.headers["etag"].includes(`.${state.height}.`)).toBe(true);
  return body;
}

const newestHash = () => host.block(state.height)!.hash;

/** Compares an answer with its twin. @returns how many items it held */
async function compare(id: OperationId, asked: Readonly<Record<string, string>> = {}): Promise<number> {
  const body = await read(id, asked);
  expect(findTwinFaults(chain, id, asked, body), `${id} ${JSON.stringify(asked)}`).toEqual([]);
  return Array.isArray(body.data) ? body.data.length : 1;
}

/** The same for each account, and for each of some queries. An answer that held nothing would prove nothing. */
async function compareAccounts(id: OperationId, queries: readonly Readonly<Record<string, string>>[] = [{}]) {
  let seen = 0;
  for (const address of addresses) for (const query of queries) seen += await compare(id, { address, ...query });
  expect(seen, id).toBeGreaterThan(0);
}

async function compareMarkets(id: OperationId, least: number) {
  let seen = 0;
  for (const market of state.marketNames) seen += await compare(id, { market });
  expect(seen, id).toBeGreaterThanOrEqual(least);
}

test("GET /status names the network, the signing domain and the head of the venue", async () => {
  const { data } = await read("getStatus");
  const { genesis, domain } = host;
  const expected = {
    network: { name: genesis.network, chainId: genesis.chainId, genesisHash: domain.genesisHash, epoch: host.epoch },
    signingDomain: { name: "perplab", version: "1", chainId: domain.chainId, salt: domain.genesisHash },
    versions: { api: "1.0.0", protocol: [genesis.protocolVersion], envelope: [genesis.envelopeVersion] },
    head: { height: state.height, timeMs: state.timeMs, hash: newestHash() },
    oldestHeight: host.oldestHeight,
    mempool: { pending: host.pool.size },
    limits: { validityBlocksMost: genesis.validityMax },
  };
  expect(listDifferences(expected, data)).toEqual([]);
});

test("GET /blocks/{height} is the summary of the block of that height", async () => {
  for (let height = 1; height <= state.height; height += 7) await compare("getBlock", { height: String(height) });
  await compare("getBlock", { height: "latest" });
});

test("GET /transactions/{txId} has the signed fields, the block and the outcome", async () => {
  expect(committed.length).toBeGreaterThan(10);
  for (const { id, index, block } of committed) {
    const { action, header, payload } = block.transactions[index]!;
    const data = (await read("getTransaction", { txId: id })).data as Transaction;
    expect(data).toMatchObject({ txId: id, status: "committed", action, header: encodeHeader(header) });
    expect(data.payload).toEqual(encodePayload(action, payload as never));
    expect(data.position).toEqual({ height: block.height, index, blockHash: block.hash, timeMs: block.timeMs });
    expect([data.receipt!.status, data.receipt!.code]).toEqual(outcomeOf(block, index));
  }
});

const outcomeOf = (block: typeof newest, index: number) => [
  block.receipts[index]!.status,
  block.receipts[index]!.code ?? null,
];

test("GET /transactions/{txId}/confirmation has the outcome of the committed transaction", async () => {
  const outcomes = new Set<string>();
  for (const { id, index, block } of committed) {
    const data = (await read("getConfirmation", { txId: id })).data as Confirmation;
    expect([data.outcome, data.code]).toEqual(outcomeOf(block, index));
    expect(data).toMatchObject({ txId: id, status: "committed", position: { height: block.height, index } });
    outcomes.add(data.outcome!);
  }
  expect([...outcomes].sort()).toEqual(["applied", "rejected"]);
});

test("GET /transactions/{txId}/receipts has the one receipt of the transaction", async () => {
  for (const { id, index, block } of committed) {
    const { data } = (await read("listReceipts", { txId: id })) as { data: Receipt[] };
    const { eventsFrom, eventsTo } = block.receipts[index]!;
    expect(data).toHaveLength(1);
    expect([data[0]!.status, data[0]!.code]).toEqual(outcomeOf(block, index));
    expect(data[0]).toMatchObject({ txId: id, height: block.height, index, nonceConsumed: true });
    expect(data[0]!.eventCount).toBe(readEvents(block.events, eventsFrom, eventsTo).length);
  }
});

test("GET /transactions/{txId}/events has the events of that transaction alone, in their order", async () => {
  let seen = 0;
  for (const { id, index, block } of committed) {
    const { data } = (await read("listTransactionEvents", { txId: id, limit: "500" })) as { data: Event[] };
    const { eventsFrom, eventsTo } = block.receipts[index]!;
    const own = readEvents(block.events, eventsFrom, eventsTo);
    expect(data.map(({ kind }) => kind)).toEqual(own.map(({ kind }) => kind));
    data.forEach((event, at) => {
      expect(event).toMatchObject({ eventId: `${block.height}-${index}-${at}`, txId: id, height: block.height });
      const { market } = own[at] as { market?: number };
      if (market !== undefined && market >= 0) expect(event.fields["market"]).toBe(state.marketNames[market]);
    });
    seen += data.length;
  }
  expect(seen).toBeGreaterThan(50);
});

test("GET /markets lists every market with its rules", async () => {
  expect(await compare("listMarkets")).toBe(state.marketNames.length);
});

test("GET /markets/{market} is the definition of that market", async () => {
  await compareMarkets("getMarket", state.marketNames.length);
});

test("GET /markets/{market}/prices has oracle, index, mark and last as the venue holds them", async () => {
  await compareMarkets("getMarketPrices", state.marketNames.length);
});

test("GET /markets/{market}/book is the resting orders of the market by price", async () => {
  let levels = 0;
  for (const market of state.marketNames) {
    await compare("getMarketBook", { market });
    const { data } = (await read("getMarketBook", { market })) as { data: { bids: unknown[]; asks: unknown[] } };
    levels += data.bids.length + data.asks.length;
  }
  expect(levels).toBeGreaterThan(0);
});

test("GET /markets/{market}/trades has the market's trades, newest first", async () => {
  await compareMarkets("listMarketTrades", 5);
});

test("GET /accounts/{address}/balances has the collateral of each subaccount", async () => {
  await compareAccounts("listBalances");
});

test("GET /accounts/{address}/orders has the resting orders, by filter and page", async () => {
  const market = state.marketNames[0]!;
  await compareAccounts("listOrders", [{}, { market }, { side: "buy" }, { limit: "1" }, { subaccount: "0" }]);
});

test("GET /accounts/{address}/positions has the open positions with size, entry and PnL at the mark", async () => {
  await compareAccounts("listPositions");
});

test("GET /accounts/{address}/nonce is the next nonce of the lane that is asked for", async () => {
  const { accounts, nonceWindow } = state;
  let used = 0;
  for (let row = 0; row < accounts.rows.high; row++) {
    const address = addressOf(state, row as AccountRow);
    const subaccount = String(accounts.subaccount[row as AccountRow]! >>> 0);
    for (const [code, domain] of (["trading", "risk", "funds"] as const).entries()) {
      const own = chain.happened.flatMap(({ event }) =>
        (event.kind === "nonceAdvanced" && event.account === row && event.domain === code) ||
        (event.kind === "nonceUsed" && event.lane < 0 && event.account === row && code === 0)
          ? [event.next]
          : [],
      );
      const next = String(own.at(-1) ?? 0);
      const { data } = await read("getNonce", { address, signer: address, subaccount, domain });
      expect(data).toEqual({
        lane: { account: address, subaccount: Number(subaccount), signer: address, domain },
        scheme: code === 0 && nonceWindow > 0 ? `window:${nonceWindow}` : "sequential",
        committedNext: next,
        pendingNext: next,
        pending: [],
      });
      used += own.length;
    }
  }
  expect(used).toBeGreaterThan(50);
});

test("GET /accounts/{address}/conditional-intents has the intents that may still act", async () => {
  await compareAccounts("listIntents");
});

test("GET /accounts/{address}/risk has equity, margins and state of each subaccount", async () => {
  await compareAccounts("listRisk");
});

test("GET /accounts/{address}/liquidations has the liquidations of that account", async () => {
  await compareAccounts("listAccountLiquidations");
});

test("GET /liquidations has the liquidations of the venue, newest first", async () => {
  expect(await compare("listLiquidations", { limit: "500" })).toBeGreaterThan(0);
});

test("GET /liquidations/{id} is the one that is asked for, as the list has it", async () => {
  const list = (await read("listLiquidations", { limit: "500" })).data as { liquidationId: string }[];
  expect(
    findTwinFaults(chain, "listLiquidations", { limit: "500" }, { data: list, page: { hasMore: false, next: null } }),
  ).toEqual([]);
  expect(list.length).toBeGreaterThan(0);
  for (const item of list) {
    const { data } = await read("getLiquidation", { id: item.liquidationId });
    expect(listDifferences(item, data)).toEqual([]);
  }
});

test("GET /insurance-fund has balance, fees and unpaid debt of the venue", async () => {
  await compare("getInsuranceFund");
});

test("GET /insurance-fund/history has every change of the fund, newest first", async () => {
  expect(await compare("listInsuranceHistory", { limit: "500" })).toBeGreaterThan(0);
});

test("GET /authorizations lists the grants, of all and of one owner, agent or status", async () => {
  expect(await compare("listAuthorizations", { limit: "500" })).toBeGreaterThan(0);
  const [one] = (await read("listAuthorizations")).data as { owner: string; agent: string }[];
  expect(await compare("listAuthorizations", { owner: one!.owner, limit: "500" })).toBeGreaterThan(0);
  expect(await compare("listAuthorizations", { agent: one!.agent, limit: "500" })).toBeGreaterThan(0);
  for (const status of ["active", "revoked"]) await compare("listAuthorizations", { status, limit: "500" });
});

test("GET /authorizations/{authId} is the grant of that id, as the list has it", async () => {
  const list = (await read("listAuthorizations", { limit: "500" })).data as object[];
  const { rows } = state.authorizations;
  expect(list).toHaveLength(rows.high);
  for (let row = 0; row < rows.high; row++) {
    const authId = idOfGrant(state, row as AuthorizationRow);
    const { data } = await read("getAuthorization", { authId });
    expect(data).toMatchObject({ authId });
    expect(listDifferences(list[rows.high - 1 - row], data)).toEqual([]);
  }
});
