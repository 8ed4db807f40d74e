import fc from "fast-check";
import { expect, test } from "vitest";
import { RateBuckets, rateHeaders } from "../../../../src/server/face/limits/bucket.ts";

const policy = { name: "reads", quota: 10, windowMs: 1_000 };

test("a client may use its whole quota at once, and then as much as is refilled", () => {
  const buckets = new RateBuckets(policy);
  for (let left = 9; left >= 0; left--) {
    expect(buckets.take("a", 1, 0)).toMatchObject({ allowed: true, remaining: left, retryAfterMs: 0 });
  }
  expect(buckets.take("a", 1, 0)).toEqual({ allowed: false, remaining: 0, resetMs: 1_000, retryAfterMs: 100 });
  expect(buckets.take("a", 1, 99)).toMatchObject({ allowed: false, retryAfterMs: 1 });
  expect(buckets.take("a", 1, 100)).toMatchObject({ allowed: true, remaining: 0 });
  expect(buckets.take("b", 10, 100)).toMatchObject({ allowed: true });
  expect(buckets.take("a", 10, 1_100)).toMatchObject({ allowed: true, remaining: 0 });
});

test("a refused request costs nothing, and neither does a look at the quota", () => {
  const buckets = new RateBuckets(policy);
  buckets.take("a", 8, 0);
  for (let again = 0; again < 20; again++) {
    expect(buckets.take("a", 3, 0).allowed).toBe(false);
    expect(buckets.peek("a", 2, 0).allowed).toBe(true);
  }
  expect(buckets.take("a", 2, 0).allowed).toBe(true);
});

test("a request heavier than the quota needs the whole of it", () => {
  const buckets = new RateBuckets(policy);
  expect(buckets.take("a", 11, 0)).toMatchObject({ allowed: true, remaining: 0 });
  expect(buckets.take("a", 11, 999)).toMatchObject({ allowed: false, retryAfterMs: 1 });
  expect(buckets.take("a", 11, 1_000).allowed).toBe(true);
});

test("no window admits more than twice the quota, and a client that waits as asked is admitted", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ afterMs: fc.nat(400), weight: fc.integer({ min: 1, max: 12 }) }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 2_000 }),
      (requests, quota, windowMs) => {
        const buckets = new RateBuckets({ name: "x", quota, windowMs });
        const taken: { atMs: number; weight: number }[] = [];
        let nowMs = 0;
        for (const { afterMs, weight } of requests) {
          nowMs += afterMs;
          const allowance = buckets.take("a", weight, nowMs);
          expect(allowance.remaining).toBeLessThanOrEqual(quota);
          if (!allowance.allowed) {
            nowMs += allowance.retryAfterMs;
            expect(buckets.take("a", weight, nowMs).allowed).toBe(true);
          }
          taken.push({ atMs: nowMs, weight: Math.min(weight, quota) });
          const within = taken.filter(({ atMs }) => atMs > nowMs - windowMs);
          expect(within.reduce((sum, { weight: one }) => sum + one, 0)).toBeLessThanOrEqual(2 * quota);
        }
      },
    ),
  );
});

test("clients whose bucket is full are forgotten, and there are never more than the bound", () => {
  const buckets = new RateBuckets(policy, 100);
  for (let client = 0; client < 1_000; client++) buckets.take(String(client), 1, client * 30);
  expect(buckets.size).toBeLessThanOrEqual(100);
  for (let client = 0; client < 1_000; client++) buckets.take(`x${client}`, 10, 30_000);
  expect(buckets.size).toBeLessThanOrEqual(100);
});

test("the headers are in the form of the draft", () => {
  const buckets = new RateBuckets({ name: "reads", quota: 1_200, windowMs: 60_000 });
  expect(rateHeaders(buckets.policy, buckets.take("a", 13, 0))).toEqual({
    "ratelimit-policy": '"reads";q=1200;w=60',
    ratelimit: '"reads";r=1187;t=1',
  });
});
