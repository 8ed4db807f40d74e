import fc from "fast-check";
import { expect, test } from "vitest";
import type { VenuePicture } from "../../../../src/product/backtest/account/venuePicture.ts";
import { Inbox } from "../../../../src/product/backtest/link/inbox.ts";

const picture: VenuePicture = { height: 1, markets: [] };

// Goal: messages arrive in the order of sending, each at its latency or with the one before it, and a call is never
// missed. Method: the arrivals of drawn messages are the greatest sum of time and latency so far.
test("no message of the feed overtakes an earlier one, and the next call is when the first of them arrives", () => {
  const drawn = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(90), fc.boolean());
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 1, maxLength: 40 }), (messages) => {
      let latencyMs = 0;
      const inbox = new Inbox({ feed: (timeMs) => timeMs + latencyMs, receipt: (timeMs) => timeMs });
      const sent: { timeMs: number; arrivalMs: number; isCall: boolean }[] = [];
      const taken: number[] = [];
      let timeMs = 1_000;
      const wake = (untilMs: number) => {
        for (;;) {
          const nextMs = inbox.findNextMs(Number.POSITIVE_INFINITY, false);
          const first = sent.find(({ timeMs: at, isCall }) => isCall && at > (taken.at(-1) ?? 0));
          expect(nextMs).toBe(first?.arrivalMs ?? Number.POSITIVE_INFINITY);
          if (!(nextMs < untilMs)) return;
          const { feed } = inbox.take(nextMs);
          taken.push(...feed.map((message) => message.timeMs));
          expect(taken.at(-1)).toBe(sent.findLast(({ arrivalMs }) => arrivalMs <= nextMs)!.timeMs);
        }
      };
      for (const [gapMs, drawnMs, wanted] of messages) {
        timeMs += gapMs;
        wake(timeMs);
        latencyMs = drawnMs;
        // The first message is a call in any case: the strategy begins with it.
        const isCall = wanted || sent.length === 0;
        inbox.addFeed({ timeMs, picture, segments: [], isBlock: true, isCall: wanted });
        sent.push({ timeMs, arrivalMs: Math.max(timeMs + drawnMs, sent.at(-1)?.arrivalMs ?? 0), isCall });
      }
      wake(Number.POSITIVE_INFINITY);
      expect(taken).toEqual(taken.toSorted((a, b) => a - b));
      const calls = sent.filter(({ isCall }) => isCall).map(({ timeMs: at }) => at);
      expect(taken.filter((at) => calls.includes(at))).toEqual(calls);
    }),
  );
});
