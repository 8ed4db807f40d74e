import { expect, test } from "vitest";
import { isClientError, isVenueError } from "../../../src/client/sdk/errors.ts";
import { memoryOutbox } from "../../../src/client/sdk/outbox/outbox.ts";
import { createFake, order } from "./helpers/fakeClient.ts";
import { type Fault, problem } from "./helpers/fakeVenue.ts";

// Goal: every row of the specification's retry matrix, each fault alone and in pairs, ends as the row says.
// Method: a venue that has the fault; what was sent, in which order, and what the caller received.

const PASSING = [
  "resetBefore",
  "resetAfter",
  "timeoutBefore",
  "timeoutAfter",
  "unavailableBefore",
  "unavailableMaybe",
  "unavailableAfter",
  "limited",
  "proxy",
] as const satisfies readonly Fault[];
const FINAL = {
  rejected: "TRANSACTION_REJECTED",
  conflict: "IDEMPOTENCY_CONFLICT",
  malformed: "VALIDATION_ERROR",
  laneFull: "RATE_LIMITED",
  poolFull: "SERVICE_UNAVAILABLE",
} as const;

async function submitUnder(faults: readonly Fault[]) {
  const { venue, clock, client } = createFake();
  venue.faults.push(...faults);
  const submission = await client.placeOrder(order);
  const outcome = await submission.wait().catch((error: unknown) => error);
  return { venue, clock, client, submission, outcome };
}

test.each(PASSING)("one submission under %s commits once, with one body and one key", async (fault) => {
  const { venue, client, submission, outcome } = await submitUnder([fault]);
  expect(outcome).toMatchObject({ status: "applied", txId: submission.txId });
  expect(venue.taken.size).toBe(1);
  expect(new Set(venue.attempts.map(({ body }) => body)).size).toBe(1);
  expect(new Set(venue.attempts.map(({ key }) => key))).toEqual(new Set([submission.txId.slice(2)]));
  expect(await client.core.outbox.list()).toEqual([]);
});

test.each(PASSING.flatMap((first) => PASSING.map((second) => [first, second] as const)))(
  "one submission under %s and then %s commits once",
  async (first, second) => {
    const { venue, outcome } = await submitUnder([first, second]);
    expect(outcome).toMatchObject({ status: "applied" });
    expect(venue.taken.size).toBe(1);
    expect(venue.committedNext).toBe(1);
  },
);

test.each(["timeoutBefore", "timeoutAfter", "unavailableMaybe", "unavailableAfter", "proxy"] as const)(
  "after %s the transaction is looked for by its id before it is sent again",
  async (fault) => {
    const { venue } = await submitUnder([fault]);
    const posts = venue.requests.flatMap((request, place) => (request === "POST /transactions" ? [place] : []));
    const looks = venue.requests.findIndex((request) => request.includes("/confirmation"));
    expect(looks).toBeGreaterThan(posts[0]!);
    expect(posts.length).toBe(fault.endsWith("After") ? 1 : 2);
    if (posts[1] !== undefined) expect(looks).toBeLessThan(posts[1]);
  },
);

test.each(["resetBefore", "resetAfter"] as const)("after %s the same bytes are sent at once", async (fault) => {
  const { venue } = await submitUnder([fault]);
  expect(venue.attempts.length).toBe(2);
  expect(venue.requests.filter((request) => /POST|confirmation/.test(request)).slice(0, 2)).toEqual([
    "POST /transactions",
    "POST /transactions",
  ]);
});

test("a 202 is not sent again, however long it waits", async () => {
  const { venue, client } = createFake();
  venue.pendingFor = 5;
  venue.readFaults.push("reset", "limited", "unavailable");
  const outcome = await (await client.placeOrder(order)).wait();
  expect(outcome.status).toBe("applied");
  expect(venue.attempts.length).toBe(1);
});

test("a 429 or a 503 is obeyed: no attempt before the time that it names", async () => {
  const limited = await submitUnder(["limited"]);
  expect(limited.clock.sleeps[0]).toBe(2_500);
  const unavailable = await submitUnder(["unavailableBefore"]);
  expect(unavailable.clock.sleeps[0]).toBe(3_000);
});

test.each(Object.entries(FINAL) as [Fault, string][])(
  "%s stops at once, and the nonce is free again",
  async (fault, code) => {
    const { venue, client, outcome, submission } = await submitUnder([fault]);
    expect(isVenueError(outcome) && outcome.code).toBe(code);
    expect(venue.attempts.length).toBe(1);
    await expect(submission.accepted).rejects.toBe(outcome);
    expect(await client.core.outbox.list()).toEqual([]);
    const next = await client.placeOrder({ ...order, size: "0.5" });
    expect(next.nonce).toBe(submission.nonce);
    expect((await next.wait()).status).toBe("applied");
  },
);

// After a lost response a refusal says nothing about the first attempt: it may have committed.
test.each(Object.keys(FINAL) as Fault[])(
  "%s after a lost response is looked into before it is believed",
  async (fault) => {
    const { outcome, venue } = await submitUnder(["resetAfter", fault]);
    expect(outcome).toMatchObject({ status: "applied" });
    expect(venue.attempts.length).toBe(2);
  },
);

test("a committed business rejection is a final outcome and not sent again", async () => {
  const { venue, client } = createFake();
  venue.judge = () => ({ outcome: "rejected", code: "INSUFFICIENT_MARGIN", numbers: { free: "1", needed: "2" } });
  const outcome = await (await client.placeOrder(order)).wait();
  expect(outcome).toMatchObject({
    status: "rejected",
    code: "INSUFFICIENT_MARGIN",
    numbers: { free: "1", needed: "2" },
    height: 11,
  });
  expect(venue.attempts.length).toBe(1);
  const next = await client.placeOrder(order);
  expect(next.nonce).toBe(1);
});

test.each(["expired", "dropped"] as const)("%s is a final outcome that used no nonce", async (status) => {
  const { venue, client } = createFake();
  venue.judge = () => ({ status, outcome: null });
  const first = await client.placeOrder(order);
  expect((await first.wait()).status).toBe(status);
  venue.judge = () => ({});
  expect((await client.placeOrder(order)).nonce).toBe(first.nonce);
});

test("while it is not known whether the venue has a transaction, no nonce of its lane is given out", async () => {
  const { venue, client } = createFake();
  venue.faults.push("timeoutAfter");
  venue.readFaults.push("unavailable", "unavailable");
  const first = await client.placeOrder(order);
  const second = await client.placeOrder(order);
  const posts = venue.requests.flatMap((request, place) => (request.startsWith("POST") ? [place] : []));
  const known = venue.requests.findIndex((request, place) => place > posts[0]! && request.includes("/confirmation"));
  await Promise.all([first.wait(), second.wait()]);
  const later = venue.requests.lastIndexOf("POST /transactions");
  expect(later).toBeGreaterThan(known);
  expect(second.nonce).toBe(first.nonce + 1);
});

test("an outcome that is never found is reported as unknown, stored, and holds the lane until it is resumed", async () => {
  const outbox = memoryOutbox();
  const { venue, client } = createFake({ outbox, retry: { submissionMs: 20_000 } });
  venue.faults.push(...Array<Fault>(100).fill("resetBefore"));
  const first = await client.placeOrder(order);
  const error = await first.wait().catch((error: unknown) => error);
  expect(isClientError(error, "OUTCOME_UNKNOWN") && error.details).toEqual({ txId: first.txId });
  expect((await outbox.list()).map(({ txId }) => txId)).toEqual([first.txId]);
  await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  venue.faults.length = 0;
  const [again] = await client.recover();
  expect((await again!.wait()).status).toBe("applied");
  expect((await (await client.placeOrder(order)).wait()).status).toBe("applied");
  expect(venue.taken.size).toBe(2);
});

const PROXY_PAGE = { status: 200, headers: {}, body: "<html>Log in first</html>" };
test.each([
  ["whether it lapsed", "/status", "timeoutBefore", problem("SERVICE_UNAVAILABLE")],
  ["whether it lapsed", "/status", "timeoutBefore", problem("UNAUTHORIZED")],
  ["what is known of it", "/confirmation", "timeoutAfter", problem("UNAUTHORIZED")],
  ["what is known of it", "/confirmation", "timeoutAfter", PROXY_PAGE],
  ["for its outcome", "/confirmation", undefined, problem("UNAUTHORIZED")],
  ["for its outcome", "/confirmation", undefined, PROXY_PAGE],
] as const)("an error of the question %s (%s) says nothing of the transaction", async (_what, path, fault, answer) => {
  const outbox = memoryOutbox();
  const { venue, client } = createFake({ outbox, retry: { submissionMs: 20_000 } });
  if (fault !== undefined) venue.faults.push(fault);
  const ask = venue.request.bind(venue);
  let isBroken = true;
  venue.request = (request) => {
    const isMeant = isBroken && venue.attempts.length > 0 && request.path.includes(path);
    return isMeant ? Promise.resolve(answer) : ask(request);
  };
  const first = await client.placeOrder(order);
  const error = await first.wait().catch((error: unknown) => error);
  expect(isClientError(error, "OUTCOME_UNKNOWN") && error.details).toEqual({ txId: first.txId });
  expect((await outbox.list()).map(({ txId }) => txId)).toEqual([first.txId]);
  await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  isBroken = false;
  const [again] = await client.recover();
  expect((await again!.wait()).status).toBe("applied");
  expect(venue.taken.size).toBe(1);
});

test("a submission refused by a full pool every time is reported as such, and leaves nothing in the outbox", async () => {
  const { venue, client } = createFake({ retry: { submissionMs: 20_000 } });
  venue.faults.push(...Array<Fault>(100).fill("limited"));
  const error = await (await client.placeOrder(order)).wait().catch((error: unknown) => error);
  expect(isVenueError(error, "RATE_LIMITED")).toBe(true);
  expect(await client.core.outbox.list()).toEqual([]);
});

test("a transaction that never arrived and that no block can include any more has expired, and its nonce is free", async () => {
  const { venue, client } = createFake();
  venue.faults.push("timeoutBefore");
  const first = await client.placeOrder(order, { validUntil: 12 });
  venue.status = { ...venue.status, head: { ...venue.status.head, height: 12 } };
  expect(await first.wait()).toMatchObject({ status: "expired", confirmation: undefined });
  expect(venue.attempts.length).toBe(1);
  expect((await client.placeOrder(order)).nonce).toBe(first.nonce);
});

test("a wait with a timeout ends, and the submission continues", async () => {
  const { venue, client } = createFake();
  venue.pendingFor = 50;
  const submission = await client.placeOrder(order);
  await expect(submission.wait({ timeoutMs: 100 })).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect((await submission.wait()).status).toBe("applied");
});
