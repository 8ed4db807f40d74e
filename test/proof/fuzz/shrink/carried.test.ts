import { expect, test } from "vitest";
import type { Chronicle } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { nameActors } from "../../../../src/proof/fuzz/shrink/nameActors.ts";
import { readScript } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { playScript } from "../../../../src/proof/fuzz/shrink/runner.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import { type ActionName, actions } from "../../../../src/protocol/actions/index.ts";
import { decodePayload, encodePayload } from "../../../../src/protocol/codec.ts";
import { completePayload } from "../../../../src/protocol/completePayload.ts";
import { createTransaction } from "../../../../src/protocol/createTransaction.ts";
import type { Address, Bytes32 } from "../../../../src/protocol/fields.ts";
import { createGenesis, DEVELOPMENT_AUTHORITIES, type Features } from "../../../../src/protocol/genesis.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { createDigester } from "../../../../src/protocol/typedDataDigest.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { signingDomainOf } from "../../../../src/venue/simulation/signatures.ts";

const ALICE: Address = `0x${"a".repeat(40)}`;
const BOT: Address = `0x${"b".repeat(40)}`;
const LIMITS = { maxOrderNotional: "*", maxPositionNotional: "*", maxDailyNotional: "*", maxOpenOrders: "*" };
const GRANT = { agent: BOT, scopes: "*", markets: "*", subaccounts: "*", ...LIMITS, expiresAt: 100_000 };

const read = (action: ActionName, json: object) =>
  decodePayload(action, completePayload(actions[action].fields, json) as never) as never;

function sign(who: Address, action: ActionName, nonce: number, json: object, more: object = {}): Transaction {
  return createTransaction({ action, account: new AccountKey(who, 0), nonce, payload: read(action, json), ...more });
}

/** The operator acts for alice. */
function carry(nonce: number, action: ActionName, json: object): Transaction {
  const payload = `0x${Buffer.from(JSON.stringify(encodePayload(action, read(action, json)))).toString("hex")}`;
  return sign(DEVELOPMENT_AUTHORITIES.operator, "devnetImpersonate", nonce, { account: ALICE, action, payload });
}

const createDevnet = (features: Partial<Features>) =>
  createGenesis({
    features: { devnet: true, ...features },
    markets: [{ name: "TEST", preset: "minimal", parameters: {} }],
    accounts: [{ address: ALICE, subaccount: 0, role: "normal", balance: "1000" }],
  });

function codesOf({ genesis, blocks }: Chronicle): string[][] {
  const state = createVenue(genesis);
  return blocks.map((block) => {
    const { receipts } = applyBlock(state, block);
    return block.transactions.map((_, index) => receipts.at(index).code ?? "applied");
  });
}

test("an agent of a carried grant signs under it in a script, also with other names", () => {
  const genesis = createDevnet({});
  const digester = createDigester(signingDomainOf(genesis));
  const account = new AccountKey(ALICE, 0);
  const header = { account, nonce: 0, validFrom: 1, validUntil: 1 };
  const id = digester.digestOf(
    createTransaction({ action: "grantAuthorization", payload: read("grantAuthorization", GRANT), ...header }),
  );
  const act = (authorization: Bytes32) => sign(ALICE, "noop", 0, {}, { signer: BOT, authorization });
  const blocks = [
    { height: 1, timeMs: 1000, transactions: [carry(0, "grantAuthorization", GRANT)] },
    { height: 2, timeMs: 2000, transactions: [act(id), act(`0x${"9".repeat(64)}`)] },
  ];
  const wanted = [["applied"], ["applied", "AUTHORIZATION_MISSING"]];
  expect(codesOf({ genesis, blocks })).toEqual(wanted);
  const script = readScript({ genesis, blocks });
  expect(codesOf(playScript(script).chronicle)).toEqual(wanted);
  expect(codesOf(playScript(nameActors(script).all).chronicle)).toEqual(wanted);
});

// Both commit: the operator's transaction, and the rejected one that it carries.
test("orders after a carried transaction that genesis does not enable are resolved", () => {
  const genesis = createDevnet({ agents: false });
  const { oracle } = DEVELOPMENT_AUTHORITIES;
  const order = { market: "TEST", side: "buy", size: "1", price: "90" };
  const blocks = [
    {
      height: 1,
      timeMs: 1000,
      transactions: [
        sign(oracle, "oracleUpdate", 0, { market: "TEST", price: "100" }),
        carry(0, "grantAuthorization", GRANT),
        sign(ALICE, "placeOrder", 0, order),
        sign(ALICE, "noop", 1, {}),
      ],
    },
    { height: 2, timeMs: 2000, transactions: [sign(ALICE, "cancelOrder", 2, { orderId: String(4 * 64) })] },
  ];
  const wanted = [["applied", "FEATURE_DISABLED", "applied", "applied"], ["applied"]];
  expect(codesOf({ genesis, blocks })).toEqual(wanted);
  expect(codesOf(playScript(readScript({ genesis, blocks })).chronicle)).toEqual(wanted);
});

test("a carried transaction keeps its order and grant when earlier lines are dropped or names change", () => {
  const genesis = createDevnet({});
  const price = sign(DEVELOPMENT_AUTHORITIES.oracle, "oracleUpdate", 0, { market: "TEST", price: "100" });
  const order = sign(ALICE, "placeOrder", 1, { market: "TEST", side: "buy", size: "1", price: "90" });
  const grant = sign(ALICE, "grantAuthorization", 0, GRANT);
  const authorization = createDigester(signingDomainOf(genesis)).digestOf(grant);
  const blocks = [
    { height: 1, timeMs: 1000, transactions: [price, sign(ALICE, "noop", 0, {}), order, grant] },
    {
      height: 2,
      timeMs: 2000,
      transactions: [
        carry(0, "cancelOrder", { orderId: String(3 * 64) }),
        carry(1, "revokeAuthorization", { authorization }),
      ],
    },
  ];
  const wanted = [Array(4).fill("applied"), ["applied", "applied"]];
  expect(codesOf({ genesis, blocks })).toEqual(wanted);
  const script = readScript({ genesis, blocks });
  const { chronicle } = playScript(script);
  expect(codesOf(chronicle)).toEqual(wanted);
  expect(chronicle.blocks[1]!.transactions.map(({ payload }) => payload)).toEqual(
    blocks[1]!.transactions.map(({ payload }) => payload),
  );
  expect(codesOf(playScript(nameActors(script).all).chronicle)).toEqual(wanted);
  const fewer = script.lines.filter((line) => line.kind === "block" || line.action !== "noop");
  expect(codesOf(playScript({ ...script, lines: fewer }).chronicle)).toEqual([Array(3).fill("applied"), wanted[1]]);
});
