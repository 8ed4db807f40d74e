import { describe, expect, test } from "vitest";
import type { Accepted } from "../../../../src/client/api/schemas/submission.ts";
import { decodePayload, encodeTransaction, type Signed } from "../../../../src/protocol/codec.ts";
import { bytesOfHex, formatHex } from "../../../../src/protocol/codecHex.ts";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import { INVALID_NAMES } from "../../../../src/protocol/rejections.ts";
import { problemOfRefusal } from "../../../../src/server/face/handlers/refusals.ts";
import { POOL_CODES, type PoolCode } from "../../../../src/venue/simulation/pool/errors.ts";
import { keyOf, TestClient, testGenesis } from "../../../helpers/host.ts";
import { expectProblem, JSON_HEADERS, openTestService } from "../../helpers/service.ts";

const MANUAL = { blocks: { mode: "manual" } } as const;

describe("an accepted submission", () => {
  test("the answer names the transaction, its lane and where to look, and the transaction commits", async () => {
    const { clients, call, host } = openTestService();
    const signed = clients[0]!.noop({ clientTxId: "mine" });
    const { response, body } = await call("submitTransaction", {
      headers: { ...JSON_HEADERS, "idempotency-key": signed.key },
      body: JSON.stringify(encodeTransaction(signed)),
    });
    expect(response.headers["location"]).toBe(`/api/v1/transactions/${signed.id}`);
    expect(body).toMatchObject({
      txId: signed.id,
      status: "pending",
      lane: { account: clients[0]!.address, subaccount: 0, signer: clients[0]!.address, domain: "trading", nonce: "0" },
      links: { confirmation: `/api/v1/transactions/${signed.id}/confirmation` } as Accepted["links"],
    } satisfies Partial<Accepted>);
    expect(host.transaction(signed.id)).toMatchObject({ status: "committed" });
  });

  test("a repetition gets the same answer to the byte, says so, and commits nothing again", async () => {
    const { clients, submit, host } = openTestService();
    const signed = clients[0]!.noop();
    const first = await submit(signed, signed.key);
    for (const key of [signed.key, `"${signed.key}"`, "another-key-for-it"]) {
      const again = await submit(signed, key);
      expect([again.status, again.body]).toEqual([202, first.body]);
      expect(again.headers["idempotency-replayed"]).toBe("true");
    }
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    expect(host.state.height).toBe(1);
  });

  test("the same sent many times at once is taken once", async () => {
    const { clients, submit, host } = openTestService();
    const signed = clients[0]!.noop();
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(signed, signed.key)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
    expect(host.block(1)!.ids).toEqual([signed.id]);
  });

  test("a trading error is accepted: it is in the receipt", async () => {
    const { clients, submit, host } = openTestService();
    const signed = clients[0]!.order("buy", "1", "50000");
    expect((await submit(signed, signed.key)).status).toBe(202);
    expect(host.transaction(signed.id)).toMatchObject({ receipt: { status: "rejected", code: "PRICE_UNAVAILABLE" } });
  });
});

describe("keys", () => {
  const key = "a".repeat(16);

  test.each([
    "",
    "a".repeat(15),
    "a".repeat(65),
    `"${"a".repeat(15)}"`,
    `"${key}`,
    `${key} `,
    `${key}, ${key}`,
    `${key}\u00e9`,
    "0x",
  ])("the key %j is refused", async (bad) => {
    const { clients, submit } = openTestService();
    const problem = expectProblem(await submit(clients[0]!.noop(), bad), 400, "VALIDATION_ERROR");
    expect(problem.errors).toMatchObject([{ pointer: "header.idempotency-key" }]);
  });

  test("a submission without a key is refused", async () => {
    const { clients, ask } = openTestService();
    const body = JSON.stringify(encodeTransaction(clients[0]!.noop()));
    const response = await ask({ method: "POST", path: "/transactions", headers: JSON_HEADERS, body });
    const problem = expectProblem(response, 400, "VALIDATION_ERROR");
    expect(problem.errors).toMatchObject([{ pointer: "header.idempotency-key", rule: "missingField" }]);
  });

  test.each([key, "a".repeat(64), `"${key}"`, "A1._:-A1._:-A1._"])("the key %s is taken", async (good) => {
    const { clients, submit } = openTestService();
    expect((await submit(clients[0]!.noop(), good)).status).toBe(202);
  });

  test("a key names one transaction; another under it is a conflict that names the first", async () => {
    const { clients, submit, host } = openTestService();
    const [first, second] = [clients[0]!.noop(), clients[0]!.noop()];
    await submit(first, key);
    const problem = expectProblem(await submit(second, `"${key}"`), 409, "IDEMPOTENCY_CONFLICT", "KEY_REUSED");
    expect(problem.txId).toBe(second.id);
    expect(problem.errors![0]!.message).toContain(first.id);
    expect(host.transaction(second.id)).toBeUndefined();
  });

  test("a key belongs to its signer: no other signer can use it up", async () => {
    const { clients, submit } = openTestService();
    await submit(clients[0]!.noop(), key);
    expect((await submit(clients[1]!.noop(), key)).status).toBe(202);
  });
});

describe("a body that is no transaction is refused", () => {
  // biome-ignore lint/suspicious/noExplicitAny: the tests write what no type allows.
  type Loose = Record<string, any>;
  const change = (signed: Signed, edit: (json: Loose) => void): string => {
    const json = structuredClone(encodeTransaction(signed)) as Loose;
    edit(json);
    return JSON.stringify(json);
  };

  test.each<[string, (json: Loose) => void, string, string]>([
    ["an unknown field", (json) => (json["more"] = 1), "body.more", "unknownField"],
    ["an unknown field of the header", (json) => (json["header"].more = 1), "body.header.more", "unknownField"],
    ["an unknown field of the payload", (json) => (json["payload"].more = 1), "body.payload.more", "unknownField"],
    ["no header", (json) => delete json["header"], "body.header", "missingField"],
    ["a nonce that is a number", (json) => (json["header"].nonce = 0), "body.header.nonce", "wrongType"],
    ["a nonce with a zero in front", (json) => (json["header"].nonce = "00"), "body.header.nonce", "malformed"],
    [
      "an address in both cases",
      (json) => (json["header"].signer = `0x${"Ab".repeat(20)}`),
      "body.header.signer",
      "malformed",
    ],
    [
      "a signature of 64 bytes",
      (json) => (json["signature"] = json["signature"].slice(0, -2)),
      "body.signature",
      "malformed",
    ],
    ["an unknown action", (json) => (json["action"] = "steal"), "body.action", "unknownWord"],
    [
      "a text of a thousand characters",
      (json) => (json["header"].clientTxId = "a".repeat(1000)),
      "body.header.clientTxId",
      "tooLarge",
    ],
    ["letters beyond ASCII", (json) => (json["header"].clientTxId = "é"), "body.header.clientTxId", "malformed"],
    ["another envelope", (json) => (json["header"].envelopeVersion = 9), "body.header.envelopeVersion", "range"],
  ])("%s", async (_, edit, pointer, rule) => {
    const { clients, ask, host } = openTestService();
    const signed = clients[0]!.noop();
    const headers = { ...JSON_HEADERS, "idempotency-key": signed.key };
    const response = await ask({ method: "POST", path: "/transactions", headers, body: change(signed, edit) });
    expect(expectProblem(response, 400, "VALIDATION_ERROR").errors).toMatchObject([{ pointer, rule }]);
    expect(host.transaction(signed.id)).toBeUndefined();
  });

  test.each([
    "Infinity",
    "NaN",
    "0x1F",
    "1_000",
    "1e9000000",
    "-0",
    "+1",
    "01",
    "1.",
    ".5",
    "1.50",
    " 1",
    "1 ",
    "",
    "１",
    "1".repeat(100_000),
    "1".repeat(40),
    "0.000000001",
  ])("the decimal %j", async (text) => {
    const { clients, ask } = openTestService();
    const signed = clients[0]!.sign("withdraw", decodePayload("withdraw", { amount: "1" }), { nonceDomain: "funds" });
    const headers = { ...JSON_HEADERS, "idempotency-key": signed.key };
    const body = change(signed, (json) => (json["payload"].amount = text));
    const response = await ask({ method: "POST", path: "/transactions", headers, body });
    if (text.length > 65_536) expectProblem(response, 413, "MALFORMED_REQUEST", "TOO_LARGE");
    else
      expect(expectProblem(response, 400, "VALIDATION_ERROR").errors).toMatchObject([
        { pointer: "body.payload.amount" },
      ]);
  });

  test.each([
    ['{"action":"noop","action":"noop"}', "MALFORMED_REQUEST"],
    ['{"__proto__":{"action":"noop"}}', "VALIDATION_ERROR"],
    ['{"constructor":{"prototype":{}}}', "VALIDATION_ERROR"],
    [`${'{"a":'.repeat(50)}1${"}".repeat(50)}`, "MALFORMED_REQUEST"],
    ["\u0000", "MALFORMED_REQUEST"],
    ["[]", "VALIDATION_ERROR"],
    ["null", "VALIDATION_ERROR"],
    ['{"action":1e999}', "MALFORMED_REQUEST"],
    ["", "MALFORMED_REQUEST"],
  ])("the body %j", async (body, code) => {
    const { ask } = openTestService();
    const headers = { ...JSON_HEADERS, "idempotency-key": "a".repeat(16) };
    const response = await ask({ method: "POST", path: "/transactions", headers, body });
    expect([response.status, JSON.parse(response.body).code]).toEqual([400, code]);
  });
});

describe("an inadmissible transaction", () => {
  const withVersion = (signed: Signed & { key: string }, protocolVersion: number) => {
    const { transaction } = signed;
    return { ...signed, transaction: { ...transaction, header: { ...transaction.header, protocolVersion } } };
  };

  test("a signature that is not the signer's is UNAUTHORIZED, and the reason says how", async () => {
    const { clients, submit } = openTestService();
    const spoil = (edit: (bytes: Uint8Array) => void): Signed & { key: string } => {
      const signed = clients[0]!.noop({ nonce: 0 });
      const signature = Uint8Array.from(signed.signature);
      edit(signature);
      return { ...signed, signature };
    };
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const cases: [Signed & { key: string }, string][] = [
      [spoil((bytes) => (bytes[64] = 0)), "SIGNATURE_V"],
      [spoil((bytes) => (bytes[64] = 29)), "SIGNATURE_V"],
      [spoil((bytes) => bytes.fill(0, 0, 32)), "SIGNATURE_RANGE"],
      [spoil((bytes) => bytes.fill(0xff, 32, 64)), "SIGNATURE_RANGE"],
      [
        spoil((bytes) => {
          const s = order - BigInt(formatHex(bytes.slice(32, 64)));
          bytes.set(bytesOfHex(`0x${s.toString(16).padStart(64, "0")}`), 32);
          bytes[64] = 55 - bytes[64]!;
        }),
        "SIGNATURE_HIGH_S",
      ],
      [spoil((bytes) => (bytes[64] = 55 - bytes[64]!)), "SIGNER_MISMATCH"],
      [clients[0]!.sign("noop", {}, { nonce: 0 }, keyOf(2)), "SIGNER_MISMATCH"],
    ];
    for (const [signed, reason] of cases) {
      const problem = expectProblem(await submit(signed, signed.key), 422, "UNAUTHORIZED", reason);
      expect(problem.txId).toBe(clients[0]!.digester.digestOf(signed.transaction));
    }
  });

  test("whatever byte of a signature is changed, it is refused or the same transaction", async () => {
    const { clients, submit, host } = openTestService({}, MANUAL);
    const signed = clients[0]!.noop();
    for (let at = 0; at < 65; at++) {
      const signature = Uint8Array.from(signed.signature);
      signature[at]! ^= 1 << (at % 8);
      const response = await submit({ ...signed, signature }, `${signed.key.slice(0, 60)}${at}`);
      expect(response.status, `byte ${at}`).toBe(422);
    }
    expect(host.pool.size).toBe(0);
    expect((await submit(signed, signed.key)).status).toBe(202);
  });

  test("a signature for another network, chain, genesis, version or lane is refused", async () => {
    const { clients, submit, host } = openTestService();
    const foreign = (change: Partial<typeof testGenesis>) => new TestClient(keyOf(1), { ...testGenesis, ...change });
    const attempts: [Signed & { key: string }, string, string][] = [
      [foreign({ network: "other" }).noop(), "TRANSACTION_REJECTED", "WRONG_NETWORK"],
      [foreign({ chainId: 1 }).noop(), "UNAUTHORIZED", "SIGNER_MISMATCH"],
      [foreign({ timeMs: 1 }).noop(), "UNAUTHORIZED", "SIGNER_MISMATCH"],
      [withVersion(clients[0]!.noop({ nonce: 0 }), 9), "TRANSACTION_REJECTED", "WRONG_VERSION"],
      [clients[0]!.order("buy", "1", "1", { nonce: 0, nonceDomain: "risk" }), "TRANSACTION_REJECTED", "WRONG_DOMAIN"],
      [
        clients[0]!.noop({ account: clients[1]!.account, signer: clients[0]!.address }),
        "UNAUTHORIZED",
        "AUTHORIZATION_MISSING",
      ],
      [clients[0]!.noop({ authorization: `0x${"ab".repeat(32)}` }), "UNAUTHORIZED", "AUTHORIZATION_FOREIGN"],
      [clients[0]!.noop({ validFrom: 0, validUntil: 100_000 }), "TRANSACTION_REJECTED", "VALIDITY_TOO_LONG"],
      [new TestClient(keyOf(99), testGenesis).noop(), "TRANSACTION_REJECTED", "ACCOUNT_NOT_FOUND"],
      [
        clients[0]!.sign("faucetMint", { to: clients[0]!.address, toSubaccount: 0, amount: 1 } as never, {
          nonceDomain: "system",
        }),
        "UNAUTHORIZED",
        "NOT_AUTHORITY",
      ],
    ];
    for (const [signed, code, reason] of attempts) {
      expectProblem(await submit(signed, signed.key), 422, code, reason);
    }
    expect(host.state.height).toBe(0);
  });

  test("a used nonce is rejected for good, and the key keeps the answer", async () => {
    const { clients, submit } = openTestService();
    const first = clients[0]!.noop();
    await submit(first, first.key);
    const late = clients[0]!.noop({ nonce: 0, clientTxId: "late" });
    for (let again = 0; again < 2; again++) {
      expectProblem(await submit(late, late.key), 422, "TRANSACTION_REJECTED", "NONCE_TOO_LOW");
    }
  });

  test("another transaction with a pending nonce is a conflict that names the pending one", async () => {
    const { clients, submit } = openTestService({}, MANUAL);
    const first = clients[0]!.noop();
    await submit(first, first.key);
    const second = clients[0]!.noop({ nonce: 0, clientTxId: "second" });
    const problem = expectProblem(await submit(second, second.key), 409, "IDEMPOTENCY_CONFLICT", "NONCE_PENDING");
    expect(problem.errors![0]!.message).toContain(first.id);
    const third = clients[0]!.noop({ nonce: 0, replaces: `0x${"12".repeat(32)}` });
    expectProblem(await submit(third, third.key), 422, "TRANSACTION_REJECTED", "REPLACES_UNKNOWN");
    const fourth = clients[0]!.noop({ nonce: 0, replaces: first.id });
    expect((await submit(fourth, fourth.key)).status).toBe(202);
  });

  test("a full lane is an admission quota, a full pool a service that is busy", async () => {
    const { clients, submit } = openTestService({}, { ...MANUAL, pool: { most: 3, lanesMost: 2 } });
    for (const signed of [clients[0]!.noop(), clients[0]!.noop(), clients[1]!.noop()]) await submit(signed, signed.key);
    const lane = clients[0]!.noop();
    expect(expectProblem(await submit(lane, lane.key), 429, "RATE_LIMITED", "LANE_FULL").retryAfterMs).toBe(1_000);
    const pool = clients[1]!.noop();
    const problem = expectProblem(await submit(pool, pool.key), 503, "SERVICE_UNAVAILABLE", "POOL_FULL");
    expect([problem.maybeSubmitted, problem.retryable]).toEqual([false, true]);
  });

  test("every refusal of a host has its answer", () => {
    const id: Bytes32 = `0x${"0".repeat(64)}`;
    const refused = (refusal: Parameters<typeof problemOfRefusal>[0]["refusal"]) =>
      problemOfRefusal({ accepted: false, id, refusal });
    for (const code of INVALID_NAMES) {
      const { status, fields } = refused({ kind: "admission", code });
      expect([status, fields.reason]).toEqual([422, code]);
    }
    const statuses = Object.fromEntries(
      (Object.keys(POOL_CODES) as PoolCode[]).map((code) => [code, refused({ kind: "pool", code }).status]),
    );
    expect(statuses).toEqual({
      NOT_ADMISSIBLE: 422,
      ALREADY_PENDING: 409,
      NONCE_PENDING: 409,
      REPLACES_UNKNOWN: 422,
      LANE_FULL: 429,
      OWNER_FULL: 429,
      VALIDITY_EMPTY: 422,
      VALIDITY_TOO_FAR: 422,
      POOL_FULL: 503,
    });
    for (const maybeSubmitted of [true, false]) {
      const { status, fields } = refused({ kind: "unavailable", reason: "disk", maybeSubmitted });
      expect([status, fields.maybeSubmitted]).toEqual([503, maybeSubmitted]);
    }
  });
});

describe("a service that accepts no transactions", () => {
  test("about to end, it answers that the transaction was not accepted", async () => {
    const { clients, submit, services } = openTestService();
    services.lifecycle.isDraining = true;
    const signed = clients[0]!.noop();
    const problem = expectProblem(await submit(signed, signed.key), 503, "SERVICE_UNAVAILABLE", "DRAINING");
    expect([problem.maybeSubmitted, problem.retryable]).toEqual([false, true]);
  });

  test("with a host that stopped it still answers reads", async () => {
    const { clients, submit, host, call } = openTestService();
    await host.close();
    const signed = clients[0]!.noop();
    expectProblem(await submit(signed, signed.key), 503, "SERVICE_UNAVAILABLE", "STOPPED");
    expect((await call("getStatus")).response.status).toBe(200);
  });
});

describe("limits of submissions", () => {
  test("a signer has an allowance, which no other client can use up", async () => {
    const { clients, submit, services } = openTestService({ limits: "public", elapsed: () => 0 }, MANUAL);
    const { quota } = services.limiter.limits.signer!;
    const pretended = clients[1]!.noop();
    for (let count = 0; count < quota; count++) {
      // Another client claims the first client's account, with a bad signature.
      const bad = { ...clients[0]!.noop({ nonce: 0 }), signature: pretended.signature };
      expect((await submit(bad, bad.key)).status).toBe(422);
    }
    for (let count = 0; count < quota; count++) {
      const signed = clients[0]!.noop();
      expect((await submit(signed, signed.key)).status).toBe(202);
    }
    const more = clients[0]!.noop();
    const problem = expectProblem(await submit(more, more.key), 429, "RATE_LIMITED", "SIGNER");
    expect(problem.retryAfterMs).toBe(20);
    expect((await submit(pretended, pretended.key)).status).toBe(202);
  });

  test("a client without allowance can still cancel", async () => {
    const { clients, submit, services } = openTestService({ limits: "public", elapsed: () => 0 }, MANUAL);
    for (let count = 0; count < services.limiter.limits.signer!.quota; count++) {
      const signed = clients[0]!.noop();
      await submit(signed, signed.key);
    }
    const cancel = clients[0]!.sign("cancelAll", decodePayload("cancelAll", { market: "", intents: true }), {
      nonceDomain: "risk",
    });
    expect((await submit(cancel, cancel.key)).status).toBe(202);
  });

  test("a client has one, for all signers together", async () => {
    const { clients, submit, services } = openTestService({ limits: "public", elapsed: () => 0 });
    const { quota, name, windowMs } = services.limiter.limits.submissions!;
    const signed = clients[0]!.noop();
    for (let count = 0; count < quota; count++) await submit(signed, signed.key);
    const refused = await submit(signed, signed.key);
    expectProblem(refused, 429, "RATE_LIMITED", "SUBMISSIONS");
    expect(refused.headers["ratelimit-policy"]).toBe(`"${name}";q=${quota};w=${windowMs / 1000}`);
  });
});
