/** Accounts: their addresses, nonces and previews, and who may see them. */
import { describe, expect, test } from "vitest";
import { checksumAddress } from "../../../../src/client/api/checksumAddress.ts";
import { type OperationId, routes } from "../../../../src/client/api/routes.ts";
import type { Address } from "../../../../src/protocol/fields.ts";
import type { Sessions } from "../../../../src/server/face/session/sessions.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { oraclePrice, type TestClient } from "../../../helpers/host.ts";
import { LIMIT_ORDER } from "../../../helpers/words.ts";
import { MANUAL, of, openTrade, read } from "../../helpers/reads.ts";
import { expectProblem, JSON_HEADERS, openTestService, type TestService } from "../../helpers/service.ts";

describe("nonces", () => {
  const lane = (account: string, signer: string, domain: string) =>
    `/accounts/${account}/nonce?signer=${signer}&subaccount=0&domain=${domain}`;

  test("are reported as committed and as pending", async () => {
    const service = openTestService({}, MANUAL);
    const { address } = service.clients[0]!;
    const signed = [0, 1, 3].map((nonce) => service.clients[0]!.noop({ nonce }));
    for (const one of signed) await service.submit(one, one.key);
    const state = await read(service, "getNonce", lane(address, address, "trading"));
    expect(state).toMatchObject({ committedNext: "0", pendingNext: "2", scheme: "sequential" });
    expect(state["pending"]).toEqual(
      signed.map(({ id, transaction }) => ({ nonce: `${transaction.header.nonce}`, txId: id })),
    );
    await service.host.mine();
    expect(await read(service, "getNonce", lane(address, address, "trading"))).toMatchObject({
      committedNext: "2",
      pendingNext: "2",
    });
    expect(await read(service, "getNonce", lane(address, address, "risk"))).toMatchObject({ committedNext: "0" });
  });

  test("of authorities and of unknown accounts are reported, too", async () => {
    const service = openTestService();
    await service.host.submitSystem("oracleUpdate", oraclePrice("50000"));
    const { oracle, faucet } = service.host.genesis.authorities;
    expect(await read(service, "getNonce", lane(oracle, oracle, "system"))).toMatchObject({ committedNext: "1" });
    expect(await read(service, "getNonce", lane(faucet, faucet, "system"))).toMatchObject({ committedNext: "0" });
    const stranger = `0x${"12".repeat(20)}`;
    expect(await read(service, "getNonce", lane(stranger, stranger, "trading"))).toMatchObject({ committedNext: "0" });
  });

  test("need signer, subaccount and domain", async () => {
    const { ask, clients } = openTestService();
    const { address } = clients[0]!;
    for (const query of ["", `signer=${address}`, `signer=${address}&subaccount=0`, "subaccount=0&domain=trading"]) {
      expectProblem(await ask({ path: `/accounts/${address}/nonce?${query}` }), 400, "VALIDATION_ERROR");
    }
    expectProblem(await ask({ path: lane(address, address, "cooking") }), 400, "VALIDATION_ERROR");
  });
});

describe("addresses", () => {
  test("are taken in one case, or in both with a right checksum", async () => {
    const { service, alice } = await openTrade();
    const mixed = checksumAddress(alice.address);
    const upper = `0x${alice.address.slice(2).toUpperCase()}`;
    for (const address of [alice.address, mixed, upper]) {
      expect(await read<unknown[]>(service, "listPositions", `/accounts/${address}/positions`)).toHaveLength(1);
    }
    const wrong = `0x${[...mixed.slice(2)].map((digit) => (digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase())).join("")}`;
    expectProblem(await service.ask({ path: `/accounts/${wrong}/positions` }), 400, "VALIDATION_ERROR");
    expectProblem(await service.ask({ path: "/accounts/0x12/positions" }), 400, "VALIDATION_ERROR");
  });

  test("that never held anything have nothing", async () => {
    const { service } = await openTrade();
    for (const [id, resource] of [
      ["listBalances", "balances"],
      ["listPositions", "positions"],
      ["listRisk", "risk"],
      ["listOrders", "orders"],
      ["listIntents", "conditional-intents"],
      ["listFills", "fills"],
      ["listAccountLiquidations", "liquidations"],
    ] as const) {
      expect(await read(service, id, `/accounts/0x${"12".repeat(20)}/${resource}`)).toEqual([]);
    }
  });
});

describe("where accounts are shown to their owners only", () => {
  const token = "token-of-alice";
  const guarded = (Object.keys(routes) as OperationId[]).filter((id) => {
    const { path, problems } = routes[id] as { path: string; problems?: readonly string[] };
    return path.startsWith("/accounts/") && problems?.includes("UNAUTHORIZED") === true;
  });

  test.each(guarded)("%s asks for a session of the address", async (id) => {
    let owner: Address | undefined;
    const sessions = {
      find: (given: string) => (given === token ? { address: owner } : given === "old" ? "expired" : "unknown"),
      onEnd: () => () => {},
    } as unknown as Sessions;
    const { ask, clients } = openTestService({ accountReads: "session", sessions });
    owner = clients[0]!.address;
    const { method, path } = routes[id];
    const body = method === "POST" ? { body: JSON.stringify({ action: "noop", payload: {} }) } : {};
    const askAs = (bearer: string | undefined, address: string) =>
      ask({
        method,
        path: path.replace("{address}", address),
        headers: {
          ...(method === "POST" ? JSON_HEADERS : {}),
          ...(bearer === undefined ? {} : { authorization: bearer }),
        },
        ...body,
      });
    expectProblem(await askAs(undefined, owner), 401, "SESSION_REQUIRED");
    expectProblem(await askAs("Basic x", owner), 401, "SESSION_REQUIRED");
    expectProblem(await askAs("Bearer other", owner), 401, "SESSION_REQUIRED", "SESSION_UNKNOWN");
    expectProblem(await askAs("Bearer old", owner), 401, "SESSION_REQUIRED", "SESSION_EXPIRED");
    expectProblem(await askAs(`Bearer ${token}`, clients[1]!.address), 403, "UNAUTHORIZED", "WRONG_ADDRESS");
    const answer = await askAs(`Bearer ${token}`, owner);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toMatch(/private|no-store/);
    // No cache gives the owner's answer to another client.
    expectProblem(await askAs(undefined, owner), 401, "SESSION_REQUIRED");
  });

  test("these are all account routes except the nonce, which every signer needs", () => {
    const all = (Object.keys(routes) as OperationId[]).filter((id) => routes[id].path.startsWith("/accounts/"));
    expect(all.filter((id) => !guarded.includes(id))).toEqual(["getNonce"]);
  });
});

test("where accounts are shown to their owners only, a nonce has no ids for others", async () => {
  const sessions = {
    find: (address: string) => ({ sessionId: address, address }),
    onEnd: () => () => {},
  } as unknown as Sessions;
  const { host, ask, clients, submit } = openTestService({ accountReads: "session", sessions }, MANUAL);
  const [alice, bob] = clients as [TestClient, TestClient];
  const signed = alice.noop();
  await submit(signed, signed.key);
  const path = `/accounts/${alice.address}/nonce?signer=${alice.address}&subaccount=0&domain=trading`;
  const pendingFor = async (as: string | undefined) => {
    const { body } = await ask({ path, headers: as === undefined ? {} : { authorization: `Bearer ${as}` } });
    const { data } = JSON.parse(body) as { data: { pendingNext: string; pending: unknown[] } };
    return [data.pendingNext, data.pending.length];
  };
  expect(await pendingFor(alice.address)).toEqual(["1", 1]);
  expect([await pendingFor(bob.address), await pendingFor(undefined)]).toEqual([
    ["1", 0],
    ["1", 0],
  ]);
  await host.close();
});

describe("a preview", () => {
  const preview = (service: TestService, address: string, body: object) =>
    service.call("previewAction", {
      path: `/accounts/${address}/preview`,
      headers: JSON_HEADERS,
      body: JSON.stringify(body),
    });
  const order = (size: string) => ({ ...LIMIT_ORDER, side: "buy", size, price: "50000" });

  test("returns what the venue would do, and changes nothing", async () => {
    const { service, alice } = await openTrade();
    const root = computeRoot(service.host.state);
    const { body } = await preview(service, alice.address, { action: "placeOrder", payload: order("0.5") });
    const { data } = body as {
      data: { after: { positions: object[]; risk: object }; before: { positions: object[] } };
    };
    expect(data).toMatchObject({ status: "applied", code: null, fillCount: 1, results: [{ status: "filled" }] });
    expect(data.before.positions).toMatchObject([{ size: "0.4" }]);
    expect(data.after.positions).toMatchObject([{ size: "0.9", cost: "45000" }]);
    expect(computeRoot(service.host.state)).toBe(root);
    const signed = alice.order("buy", "0.5", "50000");
    await service.submit(signed, signed.key);
    const [risk] = await read<{ marginAccounts: object[] }[]>(service, "listRisk", of(alice, "risk"));
    expect(risk).toEqual(data.after.risk);
  });

  test("returns a rejection with its numbers, and null for an unknown account", async () => {
    const { service, alice } = await openTrade();
    const { body } = await preview(service, alice.address, { action: "placeOrder", payload: order("900") });
    expect((body as { data: object }).data).toMatchObject({
      status: "rejected",
      code: "INSUFFICIENT_MARGIN",
      fillCount: 0,
    });
    const other = await preview(service, `0x${"12".repeat(20)}`, { action: "placeOrder", payload: order("1") });
    expect((other.body as { data: object }).data).toMatchObject({
      status: "invalid",
      code: "ACCOUNT_NOT_FOUND",
      after: { risk: null },
    });
  });

  test("refuses actions of authorities, and malformed payloads", async () => {
    const { service, alice } = await openTrade();
    const ask = (body: object) =>
      service.ask({
        method: "POST",
        path: `/accounts/${alice.address}/preview`,
        headers: JSON_HEADERS,
        body: JSON.stringify(body),
      });
    expectProblem(await ask({ action: "oracleUpdate", payload: {} }), 400, "VALIDATION_ERROR");
    expectProblem(await ask({ action: "fly", payload: {} }), 400, "VALIDATION_ERROR");
    const { errors } = expectProblem(
      await ask({ action: "placeOrder", payload: order("0.50") }),
      400,
      "VALIDATION_ERROR",
    );
    expect(errors).toMatchObject([{ pointer: "body.payload.size", rule: "malformed" }]);
    expectProblem(await ask({ action: "placeOrder", payload: { ...order("1"), extra: 1 } }), 400, "VALIDATION_ERROR");
  });
});
