import { expect, test } from "vitest";
import type { Challenge, OpenedSession } from "../../../../src/client/api/schemas/session.ts";
import { addressFromKey, type PrivateKey, signDigest } from "../../../../src/client/signing/sign.ts";
import { formatHex } from "../../../../src/protocol/codecHex.ts";
import { digestOfMessage } from "../../../../src/server/face/session/personalMessage.ts";
import { keyOf } from "../../../helpers/host.ts";
import { expectProblem, JSON_HEADERS, openTestService, type TestService } from "../../helpers/service.ts";

const address = addressFromKey(keyOf(1));
const sign = (message: string, key: PrivateKey = keyOf(1)) => formatHex(signDigest(digestOfMessage(message), key));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const challenge = async ({ call }: TestService, of: string = address) =>
  (await call("createChallenge", { body: JSON.stringify({ address: of }) })).body as Challenge;

async function open(service: TestService): Promise<OpenedSession> {
  const { challengeId, message } = await challenge(service);
  const body = JSON.stringify({ challengeId, signature: sign(message) });
  return (await service.call("verifyChallenge", { body })).body as OpenedSession;
}

test("a wallet opens a session, reads its account with it, and ends it", async () => {
  const service = openTestService({ accountReads: "session" });
  const { token, sessionId, expiresAtMs, createdAtMs } = await open(service);
  expect(token).not.toContain(sessionId);
  expect(expiresAtMs - createdAtMs).toBe(12 * 3_600_000);
  const read = (headers: Record<string, string>) => service.ask({ path: `/accounts/${address}/balances`, headers });

  const first = await read(bearer(token));
  expect([first.status, first.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
  // No other client gets the owner's answer.
  expectProblem(await read({}), 401, "SESSION_REQUIRED");
  expect((await read({})).headers["www-authenticate"]).toBe("Bearer");

  const revoke = (headers: Record<string, string>) => service.ask({ method: "DELETE", path: "/session", headers });
  expect([(await revoke(bearer(token))).status, (await revoke(bearer(token))).status]).toEqual([204, 204]);
  const after = await read(bearer(token));
  expectProblem(after, 401, "SESSION_REQUIRED", "SESSION_REVOKED");
  expect(after.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
});

test("a session reads the accounts of its own address only", async () => {
  const service = openTestService({ accountReads: "session" });
  const { token } = await open(service);
  const other = addressFromKey(keyOf(2));
  for (const resource of ["balances", "positions", "risk"]) {
    const response = await service.ask({ path: `/accounts/${other}/${resource}`, headers: bearer(token) });
    expectProblem(response, 403, "UNAUTHORIZED", "WRONG_ADDRESS");
  }
});

test("the challenge names the venue as it is reached, whatever the request says", async () => {
  const service = openTestService();
  service.services.lifecycle.origin = "http://127.0.0.1:8645";
  const headers = {
    ...JSON_HEADERS,
    host: "evil.example",
    origin: "http://evil.example",
    "x-forwarded-host": "evil.example",
  };
  const { response, body } = await service.call("createChallenge", { headers, body: JSON.stringify({ address }) });
  expect((body as Challenge).message).toContain("127.0.0.1:8645 wants you to sign in");
  expect(response.body).not.toContain("evil");
  expect(response.headers["cache-control"]).toBe("no-store");
});

test("every attempt that fails is answered alike", async () => {
  const service = openTestService();
  const verify = async (challengeId: string, signature: string) => {
    const body = JSON.stringify({ challengeId, signature });
    const response = await service.ask({ method: "POST", path: "/session/verifications", headers: JSON_HEADERS, body });
    return expectProblem(response, 401, "UNAUTHORIZED", "CHALLENGE_FAILED").detail;
  };
  const used = await challenge(service);
  await service.call("verifyChallenge", {
    body: JSON.stringify({ challengeId: used.challengeId, signature: sign(used.message) }),
  });
  const [wrong, another] = [await challenge(service), await challenge(service)];
  const details = [
    await verify("unknown", sign("x")),
    await verify(used.challengeId, sign(used.message)),
    await verify(wrong.challengeId, sign(wrong.message, keyOf(2))),
    await verify(another.challengeId, sign(wrong.message)),
  ];
  expect(new Set(details).size).toBe(1);
});

test("a session signs nothing: its token is no signature and no key", async () => {
  const service = openTestService();
  const { token } = await open(service);
  const signed = service.clients[0]!.sign("noop", {}, {}, keyOf(2));
  expectProblem(await service.submit(signed, signed.key, bearer(token)), 422, "UNAUTHORIZED", "SIGNER_MISMATCH");
});

test.each([
  ["an address of another length", { address: "0x12" }],
  ["no address", {}],
  ["a domain of the client's own", { address, domain: "evil.example" }],
  ["a message of the client's own", { address, message: "x" }],
])("a challenge with %s is refused", async (_, body) => {
  const { ask } = openTestService();
  const response = await ask({
    method: "POST",
    path: "/session/challenges",
    headers: JSON_HEADERS,
    body: JSON.stringify(body),
  });
  expectProblem(response, 400, "VALIDATION_ERROR");
});

test("an address in both cases is taken with the right checksum alone", async () => {
  const { ask } = openTestService();
  const send = (of: string) =>
    ask({ method: "POST", path: "/session/challenges", headers: JSON_HEADERS, body: JSON.stringify({ address: of }) });
  expect((await send("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")).status).toBe(201);
  expectProblem(await send("0xc02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"), 400, "VALIDATION_ERROR");
});

test.each([
  {},
  { authorization: "Basic eA==" },
  { authorization: "Bearer" },
  { authorization: `Bearer ${"a".repeat(300)}` },
])("ending a session needs its token: %j", async (headers: Record<string, string>) => {
  expectProblem(await openTestService().ask({ method: "DELETE", path: "/session", headers }), 401, "SESSION_REQUIRED");
});

test("an unknown token has another reason than none", async () => {
  const response = await openTestService().ask({ method: "DELETE", path: "/session", headers: bearer("x".repeat(43)) });
  expectProblem(response, 401, "SESSION_REQUIRED", "SESSION_UNKNOWN");
});

test("a client may begin so many challenges a minute", async () => {
  const { ask, services } = openTestService({ limits: "public", elapsed: () => 0 });
  const send = () =>
    ask({ method: "POST", path: "/session/challenges", headers: JSON_HEADERS, body: JSON.stringify({ address }) });
  for (let count = 0; count < services.limiter.limits.challenges!.quota; count++)
    expect((await send()).status).toBe(201);
  expectProblem(await send(), 429, "RATE_LIMITED", "CHALLENGES");
});

test.each([-86_400_000, 86_400_000])("a wall clock that is set by %i ms locks no client out", async (ms) => {
  const clock = { ms: 1_700_000_000_000 };
  const { ask } = openTestService({ limits: "public", now: () => clock.ms });
  const send = () =>
    ask({ method: "POST", path: "/session/challenges", headers: JSON_HEADERS, body: JSON.stringify({ address }) });
  expect((await send()).status).toBe(201);
  clock.ms += ms;
  expect((await send()).status).toBe(201);
  expect((await ask({ path: "/status" })).status).toBe(200);
});

test.each([-86_400_000, 86_400_000])("a wall clock that is set by %i ms ends no session of the service", async (ms) => {
  const clock = { ms: 1_700_000_000_000 };
  const service = openTestService({ accountReads: "session", now: () => clock.ms, elapsed: () => 0 });
  const { token } = await open(service);
  clock.ms += ms;
  const { status } = await service.ask({ path: `/accounts/${address}/balances`, headers: bearer(token) });
  expect(status).toBe(200);
});
