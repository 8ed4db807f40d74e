/** Admission of transactions, and the reach of agents. */
import { describe, expect, test } from "vitest";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import type { TestVenue } from "../../../helpers/venue.ts";
import { open, refused } from "./stage.ts";

describe("a transaction is inadmissible, and leaves no trace", () => {
  const header = (more: Step["header"]) => (v: TestVenue) => v.act("alice", "noop", {}, more);
  test.each([
    ["WRONG_NETWORK", header({ network: "other" })],
    ["WRONG_NETWORK", header({ network: "other", verdict: false, nonce: 9 })],
    ["INVALID_SIGNATURE", header({ verdict: false })],
    ["INVALID_SIGNATURE", header({ verdict: false, nonce: 9 })],
    ["AUTHORIZATION_MISSING", header({ signer: addressOf("bob") })],
    ["WRONG_DOMAIN", header({ nonceDomain: "system" })],
    ["VALIDITY_TOO_LONG", header({ validFrom: 0, validUntil: 1201 })],
    ["NOT_YET_VALID", header({ validFrom: 3, validUntil: 5 })],
    ["EXPIRED", header({ validFrom: 0, validUntil: 1 })],
    ["NONCE_GAP", header({ nonce: 1 })],
    ["NONCE_GAP", header({ nonce: 9e15 })],
  ] as const)("%s", (code, story) => {
    const v = open();
    refused(v, story(v), code);
  });

  test("ACCOUNT_NOT_FOUND: an account without any deposit", () => {
    const v = open();
    refused(v, v.act("stranger", "noop", {}), "ACCOUNT_NOT_FOUND");
    refused(v, v.act("alice/7", "noop", {}), "ACCOUNT_NOT_FOUND");
  });

  test("WRONG_DOMAIN: an order in the risk lane", () => {
    const v = open();
    const order = v.buy("alice", "1", "90");
    refused(v, { ...order, header: { nonceDomain: "risk" } }, "WRONG_DOMAIN");
  });

  test("NONCE_TOO_LOW: the same nonce again, also after a rejection", () => {
    const v = open();
    v.do(v.act("alice", "noop", {}));
    refused(v, v.act("alice", "noop", {}, { nonce: 0 }), "NONCE_TOO_LOW");
    expect(v.try(v.cancel("alice", 1))).toBe("ORDER_NOT_FOUND");
    refused(v, v.act("alice", "noop", {}, { nonce: 1 }), "NONCE_TOO_LOW");
    expect(v.try(v.act("alice", "noop", {}, { nonce: 2 }))).toBe("applied");
  });

  test("NONCE_USED: the same nonce again where trading lanes have a window, also after a rejection", () => {
    const v = open({ genesis: { nonces: { trading: "window:4" } } });
    expect(v.try({ ...v.amend("alice", 1, { price: "91" }), header: { nonce: 2 } })).toBe("ORDER_NOT_FOUND");
    refused(v, v.act("alice", "noop", {}, { nonce: 2 }), "NONCE_USED");
    expect(v.run(v.act("alice", "noop", {}, { nonce: 1 })).of("nonceUsed")).toMatchObject([
      { lane: -1, nonce: 1, next: 3 },
    ]);
    refused(v, v.act("alice", "noop", {}, { nonce: 1 }), "NONCE_USED");
  });

  test("NOT_AUTHORITY: a system action by a user, or by another authority", () => {
    const v = open();
    const mint = v.deposit("alice", "1");
    refused(v, { ...mint, who: "alice" }, "NOT_AUTHORITY");
    refused(v, { ...mint, who: "faucet" }, "NOT_AUTHORITY");
    refused(v, { ...mint, header: { signer: addressOf("alice") } }, "NOT_AUTHORITY");
  });

  test("WRONG_VERSION: of protocol or envelope", () => {
    const v = open();
    for (const field of ["protocolVersion", "envelopeVersion"] as const) {
      const [transaction] = v.toTransactions([v.act("alice", "noop", {})]);
      const header = { ...transaction!.header, [field]: 77 };
      const story = v.apply(v.state.timeMs + 1, [{ ...transaction!, header }]);
      expect(story.outcomes).toEqual(["WRONG_VERSION"]);
      expect(v.nextNonce("alice", "trading")).toBe(0);
    }
  });

  test("the validity range includes both its ends, and 1,200 blocks are not too long", () => {
    const v = open();
    const here = v.state.height + 1;
    const at = (validFrom: number, validUntil: number) => v.act("alice", "noop", {}, { validFrom, validUntil });
    expect(v.try(at(here, here + 1200))).toBe("applied");
    expect(v.try(at(here - 1, here + 1))).toBe("applied");
    expect(v.try(at(0, here + 2))).toBe("applied");
    expect(v.try(at(0, here + 2))).toBe("EXPIRED");
  });

  test("lanes are apart: a gap in one stops no other", () => {
    const v = open();
    expect(v.try(v.act("alice", "noop", {}, { nonce: 5 }))).toBe("NONCE_GAP");
    for (const nonceDomain of ["trading", "risk", "funds", "admin"] as const) {
      expect(v.try(v.act("alice", "noop", {}, { nonceDomain }))).toBe("applied");
      expect(v.nextNonce("alice", nonceDomain)).toBe(1);
    }
    expect([v.nextNonce("bob", "trading"), v.nextNonce("alice/1", "trading")]).toEqual([0, 0]);
  });
});

// What grants allow in detail is tested in authorization/authorization.test.ts; here every code and event is met once.
describe("an agent's action", () => {
  const cases: [string, Parameters<TestVenue["grant"]>[2], (v: TestVenue) => Step][] = [
    ["AUTHORIZATION_SCOPE", { scopes: "cancel" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_SUBACCOUNT", { subaccounts: "1" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_MARKET", { markets: "" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_ORDER_LIMIT", { maxOrderNotional: "89" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_POSITION_LIMIT", { maxPositionNotional: "99" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_DAILY_LIMIT", { maxDailyNotional: "89" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_OPEN_ORDERS", { maxOpenOrders: "0" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_NOT_YET_VALID", { validFrom: 1_000_000 }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_EXPIRED", { expiresAt: 4_000 }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_FOREIGN", {}, (v) => v.buy("bob", "1", "90")],
  ];
  test.each(cases)("%s", (code, terms, story) => {
    const v = open();
    const id = v.authorize("alice", "bot", terms);
    v.run();
    expect(v.try(v.by("bot", id, story(v)))).toBe(code);
  });

  test("applies, and ends with its grant", () => {
    const v = open();
    const id = v.authorize("alice", "bot", { maxDailyNotional: "90", scopes: "trade", expiresAt: 80_000_000 });
    const other = v.authorize("alice", "bot");
    v.do(v.by("bot", id, v.buy("alice", "1", "90")), v.revoke("alice", other));
    expect(v.try(v.by("bot", id, v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_EXHAUSTED");
    expect(v.try(v.by("bot", other, v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_REVOKED");
    expect(v.try(v.revoke("alice", `0x${"0".repeat(64)}`))).toBe("GRANT_NOT_FOUND");
    expect(v.try(v.grant("alice", "bot", { scopes: "owner" }))).toBe("GRANT_INVALID");
  });
});
