import { expect, test } from "vitest";
import type { Claim } from "../../../../src/client/api/schemas/faucet.ts";
import { addressFromKey } from "../../../../src/client/signing/sign.ts";
import { createGenesis } from "../../../../src/protocol/genesis.ts";
import { keyOf, testGenesis } from "../../../helpers/host.ts";
import { expectProblem, JSON_HEADERS, openTestService, type TestService } from "../../helpers/service.ts";

const address = addressFromKey(keyOf(77));

const claim = ({ ask }: TestService, body: object, key?: string, path = "/faucet/claims") =>
  ask({
    method: "POST",
    path,
    headers: { ...JSON_HEADERS, ...(key === undefined ? {} : { "idempotency-key": key }) },
    body: JSON.stringify(body),
  });

test("a claim is a system transaction that mints what is asked for, marked as simulated", async () => {
  const service = openTestService();
  const { response, body } = await service.call("claimFaucet", { body: JSON.stringify({ address, amount: "12.5" }) });
  expect(response.status).toBe(202);
  const { txId } = body as Claim;
  expect(body).toEqual({
    txId,
    address,
    subaccount: 0,
    amount: "12.5",
    simulated: true,
    status: "committed",
    outcome: "applied",
  });
  const entry = service.host.transaction(txId as never);
  expect(entry).toMatchObject({ status: "committed", receipt: { status: "applied" } });
  const { body: claimBody } = await service.call("getClaim", { path: `/faucet/claims/${txId}` });
  expect(claimBody).toMatchObject({ data: { txId, amount: "12.5", status: "committed" } });
  const balances = await service.ask({ path: `/accounts/${address}/balances` });
  expect(balances.body).toContain('"12.5"');
});

test("the faucet documents what it gives, inside and outside the prefix", async () => {
  const service = openTestService({ limits: "public" });
  const { body, response } = await service.call("getFaucet");
  expect(body).toMatchObject({
    data: {
      enabled: true,
      simulated: true,
      asset: "USD",
      maxPerClaim: "10000",
      claimsOfAccount: 3,
      windowSeconds: 86_400,
    },
  });
  const outside = await service.endpoint.request({ method: "GET", path: "/faucet" });
  expect(outside.body).toBe(response.body);
  const claimed = await service.endpoint.request({
    method: "POST",
    path: "/faucet/claims",
    headers: JSON_HEADERS,
    body: JSON.stringify({ address }),
  });
  const { txId } = JSON.parse(claimed.body) as Claim;
  expect((await service.endpoint.request({ method: "GET", path: `/faucet/claims/${txId}` })).status).toBe(200);
});

test("the same claim under the same key is made once", async () => {
  const service = openTestService();
  const key = "k".repeat(16);
  const answers = await Promise.all([1, 2, 3].map(() => claim(service, { address, amount: "5" }, key)));
  const late = await claim(service, { address, amount: "5" }, `"${key}"`);
  expect(new Set([...answers, late].map(({ body }) => (JSON.parse(body) as Claim).txId)).size).toBe(1);
  expect(late.headers["idempotency-replayed"]).toBe("true");
  expect(service.host.state.height).toBe(1);
  expectProblem(await claim(service, { address, amount: "6" }, key), 409, "IDEMPOTENCY_CONFLICT", "KEY_REUSED");
  // Keys belong to whom they give to.
  expect((await claim(service, { address: addressFromKey(keyOf(78)), amount: "6" }, key)).status).toBe(202);
});

test.each([
  [{ address, amount: "0" }, "minimum"],
  [{ address, amount: "10000.000001" }, "maximum"],
  [{ address, amount: "999999999999.999999" }, "maximum"],
  [{ address, amount: "1e3" }, "pattern"],
  [{ address, amount: "-1" }, "pattern"],
  [{ address, amount: "1.0" }, "pattern"],
  [{ address, amount: "0.0000001" }, "pattern"],
  [{ address, amount: 5 }, "type"],
  [{ address: "0x1" }, "pattern"],
  [{ address, subaccount: -1 }, undefined],
  [{ address, subaccount: 4_294_967_296 }, "maximum"],
  [{ address, to: address }, "unknownField"],
  [{}, "missingField"],
])("the claim %j is refused", async (body, rule) => {
  const service = openTestService({ limits: "public" });
  const response = await claim(service, body);
  if (rule === undefined) return expect(response.status).toBe(400);
  expect(expectProblem(response, 400, "VALIDATION_ERROR").errors).toMatchObject([{ rule }]);
  expect(service.host.state.height).toBe(0);
});

test("the largest claim is accepted", async () => {
  expect((await claim(openTestService({ limits: "public" }), { address, amount: "10000" })).status).toBe(202);
});

test("a client claims once a minute, and an account receives three times a day, from any client", async () => {
  let nowMs = 0;
  const service = openTestService({ limits: "public", elapsed: () => nowMs });
  expect((await claim(service, { address })).status).toBe(202);
  expectProblem(await claim(service, { address }), 429, "RATE_LIMITED", "FAUCET");
  for (let more = 0; more < 2; more++) {
    nowMs += 60_000;
    expect((await claim(service, { address })).status).toBe(202);
  }
  nowMs += 60_000;
  const problem = expectProblem(await claim(service, { address }), 429, "RATE_LIMITED", "FAUCET_ACCOUNT");
  expect(problem.retryAfterMs).toBeGreaterThan(0);
  expect((await claim(service, { address: addressFromKey(keyOf(78)) })).status).toBe(202);
});

test.each([-86_400_000, 86_400_000])(
  "a wall clock that is set by %i ms changes no allowance of the faucet",
  async (ms) => {
    const clock = { ms: 1_700_000_000_000 };
    const service = openTestService({ limits: "public", now: () => clock.ms, elapsed: () => 0 });
    expect((await claim(service, { address, amount: "5" })).status).toBe(202);
    clock.ms += ms;
    const refused = expectProblem(await claim(service, { address, amount: "5" }), 429, "RATE_LIMITED", "FAUCET");
    expect(refused.retryAfterMs).toBe(60_000);
  },
);

test("without a faucet its routes are not found", async () => {
  const without = createGenesis({ ...testGenesis, features: { ...testGenesis.features, faucet: false } });
  for (const service of [
    openTestService({ faucet: false }),
    openTestService({ kind: "mainnet" }),
    openTestService({}, { genesis: without }),
  ]) {
    expectProblem(await service.ask({ path: "/faucet" }), 404, "NOT_FOUND", "NOT_EXPOSED");
    expectProblem(await claim(service, { address }), 404, "NOT_FOUND", "NOT_EXPOSED");
    expectProblem(await service.ask({ path: `/faucet/claims/0x${"0".repeat(64)}` }), 404, "NOT_FOUND", "NOT_EXPOSED");
  }
});

test("another transaction is no claim", async () => {
  const service = openTestService();
  const signed = service.clients[0]!.noop();
  await service.submit(signed, signed.key);
  for (const id of [signed.id, `0x${"0".repeat(64)}`]) {
    expectProblem(await service.ask({ path: `/faucet/claims/${id}` }), 404, "NOT_FOUND", "UNKNOWN_RESOURCE");
  }
});

test("a service that is about to end mints nothing", async () => {
  const service = openTestService();
  service.services.lifecycle.isDraining = true;
  expectProblem(await claim(service, { address }), 503, "SERVICE_UNAVAILABLE", "DRAINING");
});
