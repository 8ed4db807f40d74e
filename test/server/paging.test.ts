import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OperationId } from "../../src/client/api/routes.ts";
import { createServices, type Services } from "../../src/server/face/services/services.ts";
import type { AccountRow } from "../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../src/venue/reads/rows.ts";
import { askWhole } from "./helpers/ask.ts";
import { hostOfFlow } from "./helpers/flowHost.ts";
import { isProblem } from "./helpers/isProblem.ts";

interface List {
  readonly id: OperationId;
  readonly params: object;
  readonly query: Readonly<Record<string, unknown>>;
  readonly key: (item: never) => string;
}

interface Body {
  readonly data: readonly never[];
  readonly page: { readonly next: string | null; readonly hasMore: boolean };
  readonly asOf: { readonly height: number };
}

async function askPage(services: Services, list: List, cursor: string | undefined, limit: number) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(list.query)) search.set(name, String(value));
  if (cursor !== undefined) search.set("cursor", cursor);
  search.set("limit", String(limit));
  const query = { ...list.query, limit, ...(cursor === undefined ? {} : { cursor }) };
  const path = `/api/v1/${list.id}/${Object.values(list.params).join("/")}?${search}`;
  const asked = { params: list.params, query, path };
  const answer = await askWhole(services, list.id as "listOrders", asked as never);
  return { ...(answer.body as unknown as Body), headers: answer.headers ?? {} };
}

function listsOf(services: Services): List[] {
  const { state } = services.host;
  const address = addressOf(state, 1 as AccountRow);
  const lists: List[] = [];
  for (const market of state.marketNames) {
    const params = { market };
    lists.push({ id: "listMarketTrades", params, query: {}, key: (trade: { tradeId: string }) => trade.tradeId });
    lists.push({ id: "listFundingRates", params, query: {}, key: (rate: { eventId: string }) => rate.eventId });
  }
  for (let row = 0; row < Math.min(6, state.accounts.rows.high); row++) {
    const params = { address: addressOf(state, row as AccountRow) };
    const key = ({ orderId }: { orderId: string }) => orderId;
    lists.push({ id: "listOrders", params, query: { includeClosed: true }, key });
    lists.push({ id: "listOrders", params, query: {}, key });
    lists.push({ id: "listOrders", params, query: { status: "open,partiallyFilled", side: "buy" }, key });
    lists.push({
      id: "listIntents",
      params,
      query: { includeEnded: true },
      key: ({ intentId }: { intentId: string }) => intentId,
    });
    lists.push({ id: "listIntents", params, query: {}, key: ({ intentId }: { intentId: string }) => intentId });
    lists.push({
      id: "listFills",
      params,
      query: {},
      key: ({ tradeId, role }: { tradeId: string; role: string }) => `${tradeId} ${role}`,
    });
  }
  const liquidation = ({ liquidationId }: { liquidationId: string }) => liquidationId;
  lists.push({ id: "listLiquidations", params: {}, query: {}, key: liquidation });
  lists.push({ id: "listAccountLiquidations", params: { address }, query: {}, key: liquidation });
  lists.push({ id: "listInsuranceHistory", params: {}, query: {}, key: ({ eventId }: { eventId: string }) => eventId });
  lists.push({ id: "listAuthorizations", params: {}, query: {}, key: ({ authId }: { authId: string }) => authId });
  return lists;
}

// Goal: paging while blocks keep coming gives what one page would have given at the first page's height: no doubles, no
// holes, nothing of later. Method: every list of a lively venue in small pages, with blocks in between.
test("pages hold what the list held at the height of the first, however many blocks come in between", async () => {
  let paged = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }),
      async (seed, limit, blocks) => {
        const { host, flow } = hostOfFlow(seed, 60);
        const services = createServices(host.asHost);
        for (const list of listsOf(services)) {
          const whole = (await askPage(services, list, undefined, 500)).data.map((item) => list.key(item as never));
          const found: string[] = [];
          let cursor: string | undefined;
          let pages = 0;
          do {
            const page = await askPage(services, list, cursor, limit);
            found.push(...page.data.map((item) => list.key(item as never)));
            expect(page.page.hasMore).toBe(page.page.next !== null);
            expect(page.headers["link"] !== undefined).toBe(page.page.hasMore);
            cursor = page.page.next ?? undefined;
            for (let count = 0; count < blocks[pages % 3]! && pages < 8; count++) host.apply(flow.next(host.state));
            pages++;
          } while (cursor !== undefined);
          expect(found, `${list.id} ${JSON.stringify(list.query)}`).toEqual(whole);
          if (pages > 1) paged++;
        }
      },
    ),
    { numRuns: 6, seed: 7 },
  );
  expect(paged).toBeGreaterThan(40);
});

describe("a cursor", () => {
  async function firstPage(query: List["query"] = { includeClosed: true }) {
    const { host, flow } = hostOfFlow(5, 90);
    const services = createServices(host.asHost);
    for (let row = 0; ; row++) {
      const list: List = {
        id: "listOrders",
        params: { address: addressOf(host.state, row as AccountRow) },
        query,
        key: ({ orderId }: { orderId: string }) => orderId,
      };
      const { page } = await askPage(services, list, undefined, 2);
      if (page.next !== null) return { host, flow, services, list, cursor: page.next };
    }
  }

  test("that this venue did not make is refused", async () => {
    const { services, list, cursor } = await firstPage();
    const [body, mark] = cursor.split(".") as [string, string];
    const other = Buffer.from(body, "base64url")
      .toString()
      .replace(/\d+\]$/, "999]");
    const forged = [`${Buffer.from(other).toString("base64url")}.${mark}`, body, "", "x.y", `${cursor}x`, `.${mark}`];
    for (const bad of forged) {
      const fault = await askPage(services, list, bad, 2).catch((error: unknown) => error);
      expect(isProblem(fault, "VALIDATION_ERROR"), bad).toBe(true);
    }
  });

  test("with nonsense is refused, though it was sealed with the secret", async () => {
    const { services, list } = await firstPage();
    for (const content of ["null", "{}", "[1]", '[1,1,"x",2,"y"]', '[1,1,"x",2,1e400]', "[", '"text"']) {
      const body = Buffer.from(content).toString("base64url");
      const mark = createHmac("sha256", services.config.cursorSecret).update(body).digest().subarray(0, 12);
      const fault = await askPage(services, list, `${body}.${mark.toString("base64url")}`, 2).catch(
        (error: unknown) => error,
      );
      expect(isProblem(fault, "VALIDATION_ERROR"), content).toBe(true);
    }
  });

  test("of another service of the network with the same secret works, of one with another secret not", async () => {
    const { host, list, cursor, services } = await firstPage();
    const { cursorSecret } = services.config;
    const same = await askPage(createServices(host.asHost, { cursorSecret }), list, cursor, 2);
    expect(same.data.length).toBeGreaterThan(0);
    // The default secret of a service cannot be guessed.
    for (const other of [createServices(host.asHost, { cursorSecret: "another" }), createServices(host.asHost)]) {
      const fault = await askPage(other, list, cursor, 2).catch((error: unknown) => error);
      expect(isProblem(fault, "VALIDATION_ERROR")).toBe(true);
    }
  });

  test("becomes invalid when the chain was replaced, the filter differs, or its height was pruned", async () => {
    const { host, flow, services, list, cursor } = await firstPage();
    const reasonOf = async (asked: List) => {
      const fault = await askPage(services, asked, cursor, 2).catch((error: unknown) => error);
      return isProblem(fault, "CURSOR_INVALIDATED") ? fault.fields.reason : fault;
    };
    expect(await reasonOf({ ...list, query: { ...list.query, side: "buy" } })).toBe("FILTER_CHANGED");
    host.apply(flow.next(host.state));
    const pinned = host.state.height;
    host.prune(pinned);
    const late = createServices(host.asHost, { cursorSecret: services.config.cursorSecret });
    const fault = await askPage(late, list, cursor, 2).catch((error: unknown) => error);
    expect(isProblem(fault, "CURSOR_INVALIDATED") && fault.fields.reason).toBe("PRUNED");
    host.raiseEpoch("revert");
    expect(await reasonOf(list)).toBe("EPOCH_CHANGED");
  });

  test("is valid for any number of items of a page", async () => {
    const { services, list, cursor } = await firstPage();
    const whole = (await askPage(services, list, undefined, 500)).data.map((item) => list.key(item as never));
    const rest = (await askPage(services, list, cursor, 500)).data.map((item) => list.key(item as never));
    expect(rest).toEqual(whole.slice(2));
  });
});
