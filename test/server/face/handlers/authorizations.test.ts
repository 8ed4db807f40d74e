/** Grants, as clients ask for them. */
import { describe, expect, test } from "vitest";
import type { Authorization } from "../../../../src/client/api/schemas/authorizations.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import type { Address } from "../../../../src/protocol/fields.ts";
import type { Sessions } from "../../../../src/server/face/session/sessions.ts";
import { type TestClient, testGenesis } from "../../../helpers/host.ts";
import { read } from "../../helpers/reads.ts";
import { expectProblem, openTestService } from "../../helpers/service.ts";

describe("authorizations", () => {
  const grant = (agent: Address) =>
    decodePayload("grantAuthorization", {
      agent,
      label: "bot",
      scopes: "trade cancel",
      markets: "BTC-PERP",
      subaccounts: "0",
      maxOrderNotional: "1000",
      maxPositionNotional: "*",
      maxDailyNotional: "5000",
      maxOpenOrders: "3",
      validFrom: 0,
      expiresAt: testGenesis.timeMs + 86_400_000,
    });

  test("are listed by owner and agent, found by id, and have the height of their end", async () => {
    const service = openTestService();
    const [alice, bob] = service.clients as [TestClient, TestClient];
    const signed = alice.sign("grantAuthorization", grant(bob.address), { nonceDomain: "admin" });
    await service.submit(signed, signed.key);
    const path = `/authorizations/${signed.id}`;
    const found = await read<Authorization>(service, "getAuthorization", path);
    expect(found).toMatchObject({
      authId: signed.id,
      owner: alice.address,
      agent: bob.address,
      label: "bot",
      status: "active",
      scopes: ["trade", "cancel"],
      markets: ["BTC-PERP"],
      subaccounts: [0],
      limits: { orderNotional: "1000", positionNotional: null, dailyNotional: "5000", openOrders: 3 },
      usage: { dailyNotional: "0", openOrders: 0 },
      grantedHeight: 1,
      endedHeight: null,
    });
    const count = async (query: string) =>
      (await read<unknown[]>(service, "listAuthorizations", `/authorizations?${query}`)).length;
    expect([await count(""), await count(`owner=${alice.address}`), await count(`agent=${alice.address}`)]).toEqual([
      1, 1, 0,
    ]);
    expect([await count("status=active"), await count("status=revoked")]).toEqual([1, 0]);
    const revoke = alice.sign(
      "revokeAuthorization",
      decodePayload("revokeAuthorization", { authorization: signed.id, cancelOrders: false }),
      { nonceDomain: "admin" },
    );
    await service.submit(revoke, revoke.key);
    expect(await read(service, "getAuthorization", path)).toMatchObject({ status: "revoked", endedHeight: 2 });
    expectProblem(
      await service.ask({ path: `/authorizations/0x${"00".repeat(32)}` }),
      404,
      "NOT_FOUND",
      "UNKNOWN_RESOURCE",
    );
  });

  test("are shown to owner and agent alone where accounts are read by session", async () => {
    const sessions = {
      find: (address: string) => ({ sessionId: address, address }),
      onEnd: () => () => {},
    } as unknown as Sessions;
    const service = openTestService({ accountReads: "session", sessions });
    const [alice, bob, carol] = service.clients as [TestClient, TestClient, TestClient];
    const signed = alice.sign("grantAuthorization", grant(bob.address), { nonceDomain: "admin" });
    await service.submit(signed, signed.key);
    const ask = async (path: string, as: string | undefined) =>
      service.ask({ path, headers: as === undefined ? {} : { authorization: `Bearer ${as}` } });
    for (const [as, status, count] of [
      [alice.address, 200, 1],
      [bob.address, 200, 1],
      [carol.address, 404, 0],
      [undefined, 401, 0],
    ] as const) {
      expect((await ask(`/authorizations/${signed.id}`, as)).status).toBe(status);
      const list = JSON.parse((await ask("/authorizations", as)).body) as { data: unknown[] };
      expect(list.data).toHaveLength(count);
    }
  });
});
