import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  findSignInFault,
  formatSignIn,
  parseSignIn,
  readSignInTime,
  type SignInMessage,
} from "../../../../src/client/api/signIn.ts";
import { addressFromKey, signDigest } from "../../../../src/client/signing/sign.ts";
import { bytesOfHex } from "../../../../src/protocol/codecHex.ts";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import { digestOfMessage, isSignedBy } from "../../../../src/server/face/session/personalMessage.ts";
import { type SessionLimits, Sessions } from "../../../../src/server/face/session/sessions.ts";

const key: Bytes32 = `0x${"11".repeat(32)}`;
const other: Bytes32 = `0x${"22".repeat(32)}`;
const address = addressFromKey(key);
const sign = (message: string, by = key) => signDigest(digestOfMessage(message), by);

class Fixture {
  nowMs = Date.UTC(2026, 0, 1);
  /** By how much the wall clock was set. */
  setMs = 0;
  readonly sessions: Sessions;

  constructor(limits: Partial<SessionLimits> = {}) {
    this.sessions = new Sessions({
      origin: () => "http://127.0.0.1:8645",
      chainId: 735_711,
      network: "perplab-devnet",
      now: () => this.nowMs + this.setMs,
      elapsed: () => this.nowMs,
      limits,
    });
  }

  async open(by = key) {
    const { challengeId, message } = this.sessions.challenge(addressFromKey(by), "1.2.3.4");
    return (await this.sessions.verify(challengeId, sign(message, by)))!;
  }
}

test("the challenge is a message of the standard that names venue, network, account and purpose", () => {
  const { sessions, nowMs } = new Fixture();
  const { message, nonce, challengeId } = sessions.challenge(address, "1.2.3.4");
  const read = parseSignIn(message);
  expect(read).toMatchObject({
    domain: "127.0.0.1:8645",
    uri: "http://127.0.0.1:8645",
    chainId: "735711",
    nonce,
    requestId: challengeId,
    issuedAt: new Date(nowMs).toISOString(),
    expirationTime: new Date(nowMs + 300_000).toISOString(),
    resources: ["urn:perplab:session:read"],
  });
  expect(read.address.toLowerCase()).toBe(address);
  expect(nonce.length * 4).toBeGreaterThanOrEqual(96);
});

test("a signature over the challenge opens a session whose token is found until it is revoked", async () => {
  const { sessions } = new Fixture();
  const { challengeId, message } = sessions.challenge(address, "1.2.3.4");
  const session = (await sessions.verify(challengeId, sign(message)))!;
  expect(session.address).toBe(address);
  expect(sessions.find(session.token)).toMatchObject({ sessionId: session.sessionId, address });
  expect(sessions.isActive(session.sessionId)).toBe(true);
  expect(Buffer.from(session.token, "base64url")).toHaveLength(32);

  expect(sessions.revoke(session.token)).toBe(true);
  expect(sessions.find(session.token)).toBe("revoked");
  expect(sessions.isActive(session.sessionId)).toBe(false);
  expect(sessions.revoke(session.token)).toBe(true);
  expect(sessions.revoke("x")).toBe(false);
  expect(sessions.find("x")).toBe("unknown");
});

test("a challenge is used up by the first attempt, good or bad", async () => {
  const { sessions } = new Fixture();
  const used = sessions.challenge(address, "a");
  expect(await sessions.verify(used.challengeId, sign(used.message))).toBeDefined();
  expect(await sessions.verify(used.challengeId, sign(used.message))).toBeUndefined();
  const tried = sessions.challenge(address, "a");
  expect(await sessions.verify(tried.challengeId, sign(tried.message, other))).toBeUndefined();
  expect(await sessions.verify(tried.challengeId, sign(tried.message))).toBeUndefined();
});

test("two attempts at the same time open one session", async () => {
  const { sessions } = new Fixture();
  const { challengeId, message } = sessions.challenge(address, "a");
  const both = await Promise.all([1, 2].map(() => sessions.verify(challengeId, sign(message))));
  expect(both.filter((session) => session !== undefined)).toHaveLength(1);
});

test("a signature of another key, another challenge, or other bytes opens none", async () => {
  const { sessions } = new Fixture();
  const attempts = [
    (message: string) => sign(message, other),
    () => sign(sessions.challenge(address, "b").message),
    (message: string) => sign(`${message} `),
    () => new Uint8Array(65),
    () => new Uint8Array(0),
    (message: string) => Uint8Array.from([...sign(message), 0]),
  ];
  for (const attempt of attempts) {
    const { challengeId, message } = sessions.challenge(address, "a");
    expect(await sessions.verify(challengeId, attempt(message))).toBeUndefined();
  }
});

test("the last byte of a signature may be 0 or 1, as some wallets write it", async () => {
  const { sessions } = new Fixture();
  const { challengeId, message } = sessions.challenge(address, "a");
  const signature = sign(message);
  signature[64]! -= 27;
  expect(await sessions.verify(challengeId, signature)).toBeDefined();
});

test("a challenge lasts five minutes", async () => {
  for (const [ms, opens] of [
    [299_999, true],
    [300_000, false],
  ] as const) {
    const fixture = new Fixture();
    const { challengeId, message } = fixture.sessions.challenge(address, "a");
    fixture.nowMs += ms;
    expect((await fixture.sessions.verify(challengeId, sign(message))) !== undefined).toBe(opens);
  }
});

test("a session ends an hour after its last use", async () => {
  const fixture = new Fixture();
  const { token } = await fixture.open();
  fixture.nowMs += 3_599_999;
  expect(fixture.sessions.find(token)).toBeTypeOf("object");
  fixture.nowMs += 3_599_999;
  expect(fixture.sessions.find(token)).toBeTypeOf("object");
  fixture.nowMs += 3_600_000;
  expect(fixture.sessions.find(token)).toBe("expired");
});

test("a session ends after twelve hours, however it is used", async () => {
  const fixture = new Fixture();
  const { token } = await fixture.open();
  for (let hour = 0; hour < 23; hour++) {
    fixture.nowMs += 30 * 60_000;
    expect(fixture.sessions.find(token)).toBeTypeOf("object");
  }
  fixture.nowMs += 30 * 60_000;
  expect(fixture.sessions.find(token)).toBe("expired");
});

test("every verification returns a new token, and the oldest session of an address ends", async () => {
  const fixture = new Fixture({ sessionsOfAddress: 2 });
  const ended: string[] = [];
  fixture.sessions.onEnd(({ sessionId }) => ended.push(sessionId));
  const [first, second, third] = [await fixture.open(), await fixture.open(), await fixture.open()];
  expect(new Set([first.token, second.token, third.token]).size).toBe(3);
  expect(fixture.sessions.find(first.token)).toBe("revoked");
  expect(fixture.sessions.find(second.token)).toBeTypeOf("object");
  expect(ended).toEqual([first.sessionId]);
});

test("the numbers of sessions and challenges are bounded", async () => {
  const fixture = new Fixture({ sessionsMost: 3, challengesMost: 5 });
  for (let index = 1; index <= 6; index++) await fixture.open(`0x${String(index).padStart(64, "0")}`);
  expect(fixture.sessions.size).toBe(3);
  fixture.nowMs += 12 * 3_600_000;
  await fixture.open();
  expect(fixture.sessions.size).toBe(1);
});

test("a client that begins many challenges pushes out its own, not another's", async () => {
  const { sessions } = new Fixture();
  const mine = sessions.challenge(address, "mine");
  const theirs = sessions.challenge(address, "theirs");
  for (let index = 0; index < 10; index++) sessions.challenge(address, "theirs");
  expect(await sessions.verify(theirs.challengeId, sign(theirs.message))).toBeUndefined();
  expect(await sessions.verify(mine.challengeId, sign(mine.message))).toBeDefined();
});

test("a client that begins challenges for many addresses pushes out its own, not those of others", async () => {
  const { sessions } = new Fixture({ challengesMost: 20 });
  const mine = sessions.challenge(address, "mine");
  const first = sessions.challenge(addressFromKey(`0x${"2".repeat(64)}`), "theirs");
  for (let index = 0; index < 40; index++) sessions.challenge(`0x${String(index).padStart(40, "0")}`, "theirs");
  expect(await sessions.verify(first.challengeId, sign(first.message, `0x${"2".repeat(64)}`))).toBeUndefined();
  expect(await sessions.verify(mine.challengeId, sign(mine.message))).toBeDefined();
});

interface Vector {
  readonly id: string;
  readonly title: string;
  readonly function: string;
  readonly inputs: Readonly<Record<"signature" | "time", string>> & {
    readonly fields: SignInMessage;
    readonly expected_domain?: string;
    readonly expected_nonce?: string;
  };
  readonly expect: { readonly valid: boolean };
}

describe("vectors of the standard's reference library", () => {
  const text = readFileSync(new URL("../../../vectors/siwe/vectors.json", import.meta.url), "utf8");
  const vectors = (JSON.parse(text) as { vectors: Vector[] }).vectors.filter((vector) => vector.function === "verify");

  test.each(vectors.map((vector) => [`${vector.id} ${vector.title}`, vector] as const))("%s", async (_, vector) => {
    expect(await isValid(vector)).toBe(vector.expect.valid);
  });

  async function isValid({ inputs }: Vector): Promise<boolean> {
    const { fields, signature, time, expected_domain, expected_nonce } = inputs;
    let message: string;
    try {
      message = formatSignIn(fields);
    } catch {
      return false;
    }
    const fault = findSignInFault(fields, {
      timeMs: readSignInTime(time)!,
      ...(expected_domain === undefined ? {} : { domain: expected_domain }),
      ...(expected_nonce === undefined ? {} : { nonce: expected_nonce }),
    });
    return fault === undefined && (await isSignedBy(message, bytesOfHex(signature as never), fields.address));
  }
});

test("a connection that delivers its streams keeps a session from being idle, not from its end", async () => {
  const fixture = new Fixture({ sessionMs: 10_000, idleMs: 1_000 });
  const { sessionId } = await fixture.open();
  for (let used = 0; used < 10; used++) {
    expect(fixture.sessions.isActive(sessionId)).toBe(true);
    fixture.sessions.use(sessionId);
    fixture.nowMs += 999;
  }
  fixture.nowMs += 10;
  expect(fixture.sessions.isActive(sessionId)).toBe(false);
  fixture.sessions.use(sessionId);
  expect(fixture.sessions.isActive(sessionId)).toBe(false);
});

test.each([-86_400_000, 86_400_000])(
  "a wall clock that is set by %i ms ends no session and prolongs none",
  async (ms) => {
    const fixture = new Fixture({ sessionMs: 10_000, idleMs: 10_000, challengeMs: 1_000 });
    const { challengeId, message } = fixture.sessions.challenge(address, "1.2.3.4");
    fixture.setMs = ms;
    const { token, sessionId } = (await fixture.sessions.verify(challengeId, sign(message)))!;
    fixture.setMs = 0;
    expect(fixture.sessions.find(token)).toMatchObject({ address });
    fixture.setMs = ms;
    expect(fixture.sessions.find(token)).toMatchObject({ address });
    expect(fixture.sessions.leftMs(sessionId)).toBe(10_000);
    fixture.nowMs += 10_000;
    expect([fixture.sessions.find(token), fixture.sessions.leftMs(sessionId)]).toEqual(["expired", 0]);
  },
);

test.each([-86_400_000, 86_400_000])(
  "a challenge begun under a wall clock set by %i ms lasts as long as any",
  async (ms) => {
    for (const [elapsedMs, opens] of [
      [299_999, true],
      [300_000, false],
    ] as const) {
      const fixture = new Fixture();
      fixture.setMs = ms;
      const { challengeId, message } = fixture.sessions.challenge(address, "a");
      fixture.nowMs += elapsedMs;
      expect((await fixture.sessions.verify(challengeId, sign(message))) !== undefined).toBe(opens);
    }
  },
);
