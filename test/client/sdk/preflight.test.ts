import { describe, expect, test } from "vitest";
import { isClientError } from "../../../src/client/sdk/errors.ts";
import { buildTransaction } from "../../../src/client/sdk/transaction/buildTransaction.ts";
import { preflight } from "../../../src/client/sdk/transaction/preflight.ts";
import { PREFLIGHT_CHECKS } from "../../../src/client/sdk/transaction/preflightFailure.ts";
import type { Intention } from "../../../src/client/sdk/transaction/transactionRequest.ts";
import { ZERO_BYTES32 } from "../../../src/protocol/transaction.ts";
import { account, createFake, order } from "./helpers/fakeClient.ts";

// Goal: each of the specification's six checks before signing finds what it is for, and lets pass what is in order.
// Method: a transaction in order, with one thing wrong at a time.

const OTHER = `0x${"22".repeat(20)}` as const;
const GRANT = `0x${"77".repeat(32)}` as const;

async function arrange(change: Partial<Intention<"placeOrder">> = {}) {
  const { venue, client } = createFake();
  const network = await client.network.check();
  const intention = { action: "placeOrder", payload: order, ...change } as Intention<"placeOrder">;
  const actor = { owner: account.address, subaccount: 0, signer: account.address, authorization: ZERO_BYTES32 };
  const transaction = buildTransaction(
    intention,
    { ...actor, owner: intention.owner ?? actor.owner, authorization: intention.authorization ?? ZERO_BYTES32 },
    { network, nonce: 3, validityBlocks: 60 },
  );
  const { header } = transaction;
  const lane = {
    account: header.account.address,
    subaccount: 0,
    signer: account.address,
    domain: "trading",
  } as const;
  const facts = {
    intention,
    network,
    signer: account.address,
    lane,
    committedNext: 3,
    grant: undefined,
    markets: await client.core.markets(),
  };
  return { venue, client, transaction, facts };
}

const codes = (failures: { code: string }[]) => failures.map(({ code }) => code);

test("there are six checks, and a transaction in order passes them all", async () => {
  expect(Object.keys(PREFLIGHT_CHECKS)).toHaveLength(6);
  const { transaction, facts } = await arrange();
  expect(preflight(transaction, facts)).toEqual([]);
});

test("network: the header names the venue's network and versions that it takes", async () => {
  const { transaction, facts } = await arrange();
  const { header } = transaction;
  const elsewhere = {
    ...transaction,
    header: { ...header, network: "mainnet", protocolVersion: 9, envelopeVersion: 2 },
  };
  const failures = preflight(elsewhere, facts);
  expect(failures.map(({ check, code, place }) => [check, code, place])).toEqual([
    ["network", "WRONG_NETWORK", "header.network"],
    ["network", "WRONG_VERSION", "header.protocolVersion"],
    ["network", "WRONG_VERSION", "header.envelopeVersion"],
  ]);
});

describe("signer", () => {
  test("is the account that is going to sign", async () => {
    const { transaction, facts } = await arrange();
    expect(codes(preflight(transaction, { ...facts, signer: OTHER }))).toEqual(["WRONG_SIGNER"]);
  });

  test("is the owner, or names a grant", async () => {
    const { transaction, facts } = await arrange({ owner: OTHER });
    expect(codes(preflight(transaction, facts))).toEqual(["AUTHORIZATION_MISSING"]);
  });

  test("names no grant as an owner", async () => {
    const { transaction, facts } = await arrange({ authorization: GRANT });
    expect(codes(preflight(transaction, facts))).toEqual(["AUTHORIZATION_FOREIGN"]);
  });

  const grant = {
    authId: GRANT,
    owner: OTHER,
    agent: account.address,
    status: "active",
    scopes: ["trade"],
    markets: null,
    subaccounts: null,
  };

  test("as an agent has an active grant of this owner that covers the action", async () => {
    const { transaction, facts } = await arrange({ owner: OTHER, authorization: GRANT });
    const check = (change: object | undefined) =>
      codes(preflight(transaction, { ...facts, grant: change === undefined ? undefined : { ...grant, ...change } }));
    expect(check({})).toEqual([]);
    expect(check({ scopes: ["reduce"] })).toEqual([]);
    expect(check(undefined)).toEqual(["AUTHORIZATION_UNKNOWN"]);
    expect(check({ owner: account.address })).toEqual(["AUTHORIZATION_FOREIGN"]);
    expect(check({ agent: OTHER })).toEqual(["AUTHORIZATION_FOREIGN"]);
    expect(check({ status: "revoked" })).toEqual(["AUTHORIZATION_NOT_ACTIVE"]);
    expect(check({ scopes: ["cancel"] })).toEqual(["AUTHORIZATION_SCOPE"]);
    expect(check({ subaccounts: [1] })).toEqual(["AUTHORIZATION_SCOPE"]);
    expect(check({ markets: ["ETH-PERP"] })).toEqual(["AUTHORIZATION_SCOPE"]);
    expect(check({ markets: ["BTC-PERP"] })).toEqual([]);
  });
});

describe("intent", () => {
  test("the payload to sign equals the requested one", async () => {
    const { transaction, facts } = await arrange();
    const sells = { ...facts, intention: { action: "placeOrder", payload: { ...order, side: "sell" } } as Intention };
    expect(codes(preflight(transaction, sells))).toEqual(["NOT_AS_ASKED"]);
    const cancels = { ...facts, intention: { action: "cancelAll", payload: {} } as Intention };
    expect(codes(preflight(transaction, cancels))).toEqual(["NOT_AS_ASKED"]);
  });

  test("the market exists and takes orders", async () => {
    const { transaction, facts } = await arrange({ payload: { ...order, market: "ETH-PERP" } });
    expect(codes(preflight(transaction, facts))).toEqual(["UNKNOWN_MARKET"]);
    const open = await arrange();
    const [market] = open.venue.markets;
    const halted = new Map([["BTC-PERP", { ...market!, status: "halted" }]]);
    expect(codes(preflight(open.transaction, { ...open.facts, markets: halted }))).toEqual(["MARKET_CLOSED"]);
  });
});

describe("nonce", () => {
  test.each([
    ["signer", OTHER],
    ["account", OTHER],
    ["subaccount", 1],
    ["domain", "risk"],
  ])("was obtained for this %s", async (part, value) => {
    const { transaction, facts } = await arrange();
    const lane = { ...facts.lane, [part]: value };
    expect(codes(preflight(transaction, { ...facts, lane }))).toEqual(["WRONG_LANE"]);
  });

  test("counts in the domain of the action and is not used", async () => {
    const { transaction, facts } = await arrange();
    const risk = { ...transaction, header: { ...transaction.header, nonceDomain: "risk" as const } };
    expect(codes(preflight(risk, facts))).toEqual(["WRONG_DOMAIN"]);
    expect(codes(preflight(transaction, { ...facts, committedNext: 4 }))).toEqual(["NONCE_USED"]);
  });
});

describe("validity", () => {
  test.each([
    [9, ["EXPIRED"]],
    [10, ["EXPIRED"]],
    [11, []],
    [1_210, []],
    [1_211, ["VALIDITY_TOO_LONG"]],
  ])("at height 10, until %i: %j", async (validUntil, expected) => {
    const { transaction, facts } = await arrange({ validUntil });
    expect(codes(preflight(transaction, facts))).toEqual(expected);
  });

  test("begins before it ends", async () => {
    const { transaction, facts } = await arrange({ validFrom: 30, validUntil: 20 });
    expect(codes(preflight(transaction, facts))).toEqual(["VALIDITY_EMPTY"]);
  });

  test.each([
    [1_210, []],
    [1_211, ["VALIDITY_TOO_FAR"]],
  ])("at height 10, from %i: %j", async (validFrom, expected) => {
    const { transaction, facts } = await arrange({ validFrom, validUntil: 1_300 });
    expect(codes(preflight(transaction, facts))).toEqual(expected);
  });
});

describe("numbers", () => {
  test.each([
    [{ price: "60000.5" }, []],
    [{ price: "60000.25" }, ["OFF_TICK"]],
    [{ size: "0.0025" }, ["OFF_LOT"]],
    [{ size: "0.001" }, ["SIZE_OUT_OF_RANGE"]],
    [{ size: "0.001", reduceOnly: true }, []],
    [{ size: "0.002" }, []],
    [{ size: "100" }, []],
    [{ size: "100.001" }, ["SIZE_OUT_OF_RANGE"]],
    [{ size: "0.0005", price: "1.2" }, ["OFF_TICK", "OFF_LOT", "SIZE_OUT_OF_RANGE"]],
  ])("%j: %j", async (change, expected) => {
    const { transaction, facts } = await arrange({ payload: { ...order, ...change } });
    expect(codes(preflight(transaction, facts))).toEqual(expected);
  });

  test("every order of a list is checked, and reported by its place", async () => {
    const { client } = createFake();
    const failures = await client.preflight({
      action: "placeOrders",
      payload: { orders: [order, { ...order, price: "1.1" }] },
    });
    expect(failures.map(({ code, place }) => [code, place])).toEqual([["OFF_TICK", "payload.orders[1].price"]]);
  });

  test.each(["0.250", "1e3", "0x10", " 1", "-1", "0.123456789", "", "Infinity", "9".repeat(40)])(
    "a size of %j is malformed, and nothing is signed",
    async (size) => {
      const { venue, client } = createFake();
      const failures = await client.preflight({ action: "placeOrder", payload: { ...order, size } });
      expect(failures).toMatchObject([{ check: "numbers", code: "MALFORMED", place: "payload.size" }]);
      const error = await client.placeOrder({ ...order, size }).catch((error: unknown) => error);
      expect(isClientError(error, "PREFLIGHT_FAILED") && error.details.failures).toEqual(failures);
      expect(venue.attempts).toEqual([]);
    },
  );
});

test("a transaction that is not signed uses no nonce and leaves no entry in the outbox", async () => {
  const { venue, client } = createFake();
  await expect(client.placeOrder({ ...order, price: "0.3" })).rejects.toMatchObject({ code: "PREFLIGHT_FAILED" });
  expect(await client.core.outbox.list()).toEqual([]);
  expect(venue.attempts).toEqual([]);
  expect((await client.placeOrder(order)).nonce).toBe(0);
});
