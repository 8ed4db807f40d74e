import { expect, test } from "vitest";
import type { OperationId } from "../../src/client/api/routes.ts";
import { OPERATION_IDS, routes } from "../../src/client/api/routes.ts";
import { LIQUIDATION_STAGES } from "../../src/protocol/events.ts";
import { createServices, type Services } from "../../src/server/face/services/services.ts";
import { idOfGrant } from "../../src/venue/engine/authorization/addGrant.ts";
import type { AccountRow, AuthorizationRow } from "../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../src/venue/reads/rows.ts";
import { ask, askWhole } from "./helpers/ask.ts";
import { type FlowHost, hostOfFlow } from "./helpers/flowHost.ts";
import { TwinChain } from "./twin/chain.ts";
import { type Asked, findTwinFaults, TWIN_OPERATIONS } from "./twin/twinOf.ts";

/** Items that lists were seen to hold, by operation: a form that nothing was held to proves nothing. */
const seen = new Map<OperationId, number>();

/** @param chain all blocks; without it, answers are held to their form alone */
async function askAll(host: FlowHost, services: Services, chain?: TwinChain): Promise<void> {
  const count = async (id: OperationId, asked: { params?: object; query?: object } = {}) => {
    const { body } = await askWhole(services, id as "getStatus", asked);
    const { data } = body as { data: unknown };
    if (chain !== undefined) {
      const members = Object.entries({ ...asked.params, ...asked.query }).map(([name, value]) => [name, String(value)]);
      const faults = findTwinFaults(chain, id, Object.fromEntries(members) as Asked, body as never);
      expect(faults, `${id} ${JSON.stringify(asked)}`).toEqual([]);
    }
    seen.set(id, (seen.get(id) ?? 0) + (Array.isArray(data) ? data.length : 1));
    return data as never;
  };
  const { state } = host;
  await count("getStatus");
  await count("getGenesis");
  await count("listMarkets");
  for (const market of state.marketNames) {
    const params = { market };
    await count("getMarket", { params });
    await count("getMarketPrices", { params });
    for (const depth of [1, 5, 500]) await count("getMarketBook", { params, query: { depth } });
    await count("listMarketTrades", { params });
    for (const limit of [1, 7, 500]) await count("listMarketTrades", { params, query: { limit } });
    await count("listFundingRates", { params });
  }
  for (let row = 0; row < state.accounts.rows.high; row++) {
    const address = addressOf(state, row as AccountRow);
    const params = { address };
    await count("listBalances", { params });
    await count("listPositions", { params });
    await count("listRisk", { params });
    await count("listOrders", { params, query: { includeClosed: true, limit: 500 } });
    const subaccount = state.accounts.subaccount[row as AccountRow]! >>> 0;
    const market = state.marketNames[row % state.marketNames.length]!;
    for (const query of [
      { side: "buy" },
      { side: "sell", limit: 1 },
      { market, subaccount, limit: 500 },
      { fromHeight: 60, toHeight: 140 },
    ]) {
      await count("listOrders", { params, query });
    }
    for (const query of [{ subaccount }, { market, limit: 2 }, { market, subaccount, limit: 500 }]) {
      await count("listFills", { params, query });
    }
    for (const id of ["listBalances", "listPositions", "listRisk"] as const) {
      await count(id, { params, query: { subaccount } });
    }
    await count("listPositions", { params, query: { market } });
    await count("listAccountLiquidations", { params, query: { subaccount } });
    await count("listIntents", { params, query: { market, limit: 1 } });
    await count("listIntents", { params, query: { includeEnded: true, limit: 500 } });
    await count("listFills", { params, query: { limit: 500 } });
    await count("listAccountLiquidations", { params });
    await count("getNonce", { params, query: { signer: address, subaccount: 0, domain: "trading" } });
  }
  const liquidations = (await count("listLiquidations")) as { liquidationId: string }[];
  for (const { liquidationId: id } of liquidations) await count("getLiquidation", { params: { id } });
  for (const market of state.marketNames) await count("listLiquidations", { query: { market } });
  for (const stage of LIQUIDATION_STAGES) await count("listLiquidations", { query: { stage, limit: 3 } });
  await count("getInsuranceFund");
  await count("listInsuranceHistory");
  for (const limit of [1, 3, 500]) await count("listInsuranceHistory", { query: { limit } });
  await count("listAuthorizations");
  await count("listAuthorizations", { query: { status: "active", limit: 2 } });
  const owner = addressOf(state, (state.authorizations.account[0 as AuthorizationRow] ?? 0) as AccountRow);
  await count("listAuthorizations", { query: { owner } });
  for (let grant = 0; grant < state.authorizations.rows.high; grant++) {
    await count("getAuthorization", { params: { authId: idOfGrant(state, grant as AuthorizationRow) } });
  }
  for (let height = Math.max(1, state.height - 20); height <= state.height; height++) {
    const params = { height: String(height) };
    await count("getBlock", { params });
    await count("listBlockTransactions", { params, query: { limit: 500 } });
    await count("listBlockEvents", { params, query: { limit: 500 } });
    const { ids, receipts } = host.block(height)!;
    for (const [index, txId] of ids.entries()) {
      if (receipts[index]!.status === "invalid") continue;
      for (const id of ["getTransaction", "getConfirmation", "listReceipts", "listTransactionEvents"] as const) {
        await count(id, { params: { txId } });
      }
    }
  }
}

// Goal: whatever a venue holds, every answer has the form that its route promises, and says what the venue's tables and
// events say. Method: lively venues of generated flows, everything asked about everything; the plain twin of answers.
test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "every answer about a busy venue is valid against its schema and equals the venue's values, seed %i",
  async (seed) => {
    const { host } = hostOfFlow(seed, 150);
    const chain = new TwinChain(() => host.state);
    for (const entry of host.entries) if (entry !== undefined) chain.add(entry);
    await askAll(host, createServices(host.asHost), chain);
  },
);

test("the answers above had items of every kind", () => {
  const tags = ["network", "markets", "accounts", "liquidations", "authorizations"];
  const others: OperationId[] = ["listValidators"];
  const own = OPERATION_IDS.filter(
    (id) => routes[id].method === "GET" && tags.includes(routes[id].tag) && !others.includes(id),
  );
  for (const id of own) expect(seen.get(id) ?? 0, id).toBeGreaterThan(5);
  for (const id of TWIN_OPERATIONS) expect(seen.get(id as OperationId) ?? 0, id).toBeGreaterThan(5);
});

test("a service that begins late knows everything that is open", async () => {
  const { host } = hostOfFlow(3, 150);
  host.prune(120);
  await askAll(host, createServices(host.asHost));
  const { data } = await ask(createServices(host.asHost), "getStatus");
  expect(data.oldestHeight).toBe(120);
});
