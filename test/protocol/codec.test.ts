import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ppb, PriceE8, SizeE8 } from "../../src/ground/math/fixed.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { ACTION_NAMES } from "../../src/protocol/actions/index.ts";
import { decodeTransaction, encodeTransaction, parseTransaction, withVerdict } from "../../src/protocol/codec.ts";
import { TRANSACTION_TEXT_MOST } from "../../src/protocol/codecText.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import { isValidationError, type ValidationFault } from "../../src/protocol/errors.ts";
import { arbitrarySignatureBytes, arbitraryTransaction } from "../helpers/arbitraries.ts";

type Node = Record<string, unknown>;

const account = new AccountKey(`0x${"a1".repeat(20)}`, 3);
const placed = createTransaction({
  action: "placeOrder",
  account,
  nonce: 7,
  validFrom: 10,
  payload: {
    market: "BTC-PERP",
    side: 1,
    orderType: 0,
    size: 50_000_000 as SizeE8,
    price: 6_000_050_000_000 as PriceE8,
    slippage: 0 as Ppb,
    timeInForce: 0,
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: 1,
    reduceOnly: false,
    selfTrade: 0,
    selfTradeScope: 0,
    clientOrderId: "first",
  },
});
const listed = createTransaction({
  action: "updateMarket",
  account,
  nonce: 1,
  payload: { market: "BTC-PERP", parameters: [{ name: "status", value: "halted" }] },
});
const cancelled = createTransaction({
  action: "cancelOrders",
  account,
  nonce: 1,
  payload: { orderIds: [], clientOrderIds: [] },
});
const flowed = createTransaction({
  action: "houseFlow",
  account,
  nonce: 1,
  payload: { market: "BTC-PERP", account: account.address, subaccount: 0, steps: new Uint8Array([1, 255]) },
});
const signature = new Uint8Array(65).fill(7);
const jsonOf = (transaction: Parameters<typeof encodeTransaction>[0]["transaction"]) =>
  structuredClone(encodeTransaction({ transaction, signature })) as unknown as Node;

/** The error that an input is refused with. */
function refusalOf(decode: () => unknown) {
  try {
    decode();
  } catch (error) {
    if (isValidationError(error)) return error;
    throw error;
  }
  throw new Error("accepted");
}

test("JSON of an order has the form that a person would write", () => {
  expect(jsonOf(placed)).toEqual({
    action: "placeOrder",
    header: {
      network: "perplab",
      protocolVersion: 1,
      envelopeVersion: 1,
      account: `0x${"a1".repeat(20)}`,
      subaccount: 3,
      signer: `0x${"a1".repeat(20)}`,
      authorization: `0x${"00".repeat(32)}`,
      nonceDomain: "trading",
      nonce: "7",
      validFrom: 10,
      validUntil: 1210,
      replaces: `0x${"00".repeat(32)}`,
      clientTxId: "",
    },
    payload: {
      market: "BTC-PERP",
      side: "sell",
      orderType: "limit",
      size: "0.5",
      price: "60000.5",
      slippage: "",
      timeInForce: "GTC",
      goodTilHeight: 0,
      goodTilTime: 0,
      postOnly: "reject",
      reduceOnly: false,
      selfTrade: "cancelTaker",
      selfTradeScope: "account",
      clientOrderId: "first",
    },
    signature: `0x${"07".repeat(65)}`,
  });
});

describe.each(ACTION_NAMES)("%s", (action) => {
  test("decodes to what was encoded, and encodes to what was decoded", () => {
    fc.assert(
      fc.property(arbitraryTransaction(action), arbitrarySignatureBytes, (transaction, signature) => {
        const json = encodeTransaction({ transaction, signature });
        const text = JSON.stringify(json);
        for (const signed of [decodeTransaction(json), parseTransaction(text, text.length)]) {
          expect(signed).toEqual({ transaction: withVerdict(transaction, false), signature });
          expect(encodeTransaction(signed)).toEqual(json);
        }
      }),
      { numRuns: 40 },
    );
  });

  // Goal: strict everywhere. Method: at every object of a valid transaction take a key away, add one, and put a value
  // of another type in place of each value; all must be refused at that place.
  test("is refused when a field is missing, unknown or of another type, at its place", () => {
    let tried = 0;
    fc.assert(
      fc.property(arbitraryTransaction(action), arbitrarySignatureBytes, (transaction, signature) => {
        const json = structuredClone(encodeTransaction({ transaction, signature })) as unknown as Node;
        const refused = (fault: ValidationFault, path: string) => {
          tried++;
          expect(refusalOf(() => decodeTransaction(json))).toMatchObject({ code: "VALIDATION_ERROR", fault, path });
        };
        const visit = (node: Node, path: string) => {
          const at = (name: string) => (path === "" ? name : `${path}.${name}`);
          node.surplus = "";
          refused("unknownField", at("surplus"));
          delete node.surplus;
          for (const [name, value] of Object.entries(node)) {
            delete node[name];
            refused("missingField", at(name));
            const others: unknown[] = [null, typeof value === "string" ? 1 : "x", Array.isArray(value) ? {} : []];
            for (const other of others) {
              node[name] = other;
              refused("wrongType", at(name));
            }
            node[name] = value;
            if (Array.isArray(value)) {
              value.slice(0, 2).forEach((entry, index) => {
                value[index] = null;
                refused("wrongType", `${at(name)}[${index}]`);
                value[index] = entry;
                if (typeof entry === "object") visit(entry, `${at(name)}[${index}]`);
              });
            } else if (typeof value === "object") visit(value as Node, at(name));
          }
        };
        visit(json, "");
        expect(decodeTransaction(json).signature).toEqual(signature);
      }),
      { numRuns: 5 },
    );
    expect(tried).toBeGreaterThan(5 * 13 * 4);
  });
});

const long = "x".repeat(65);
const cases: readonly [string, unknown, ValidationFault][] = [
  ["action", "placeorder", "unknownWord"],
  ["action", "__proto__", "unknownWord"],
  ["action", "constructor", "unknownWord"],
  ["header.network", "", "empty"],
  ["header.network", "perpl\u00e4b", "malformed"],
  ["header.network", "per\nplab", "malformed"],
  ["header.network", long, "tooLarge"],
  ["header.protocolVersion", 65_536, "range"],
  ["header.protocolVersion", -1, "range"],
  ["header.protocolVersion", 0.5, "malformed"],
  ["header.protocolVersion", -0, "malformed"],
  ["header.protocolVersion", Number.NaN, "malformed"],
  ["header.protocolVersion", "0", "wrongType"],
  ["header.envelopeVersion", 0, "range"],
  ["header.envelopeVersion", 2, "range"],
  ["header.account", `0x${"A1".repeat(20)}`, "malformed"],
  ["header.account", `0X${"a1".repeat(20)}`, "malformed"],
  ["header.account", "a1".repeat(20), "malformed"],
  ["header.account", `0x${"a1".repeat(19)}`, "malformed"],
  ["header.account", `0x${"a1".repeat(21)}`, "malformed"],
  ["header.account", `0x${"a1".repeat(19)}a`, "malformed"],
  ["header.account", `0x${"a1".repeat(19)}ag`, "malformed"],
  ["header.account", `0x${"a1".repeat(20)}\n`, "malformed"],
  ["header.subaccount", 2 ** 32, "range"],
  ["header.signer", "", "malformed"],
  ["header.authorization", `0x${"00".repeat(31)}`, "malformed"],
  ["header.authorization", "0x", "malformed"],
  ["header.nonceDomain", "Trading", "unknownWord"],
  ["header.nonce", 7, "wrongType"],
  ["header.nonce", "07", "malformed"],
  ["header.nonce", "-1", "range"],
  ["header.nonce", "1.0", "malformed"],
  ["header.nonce", "1e3", "malformed"],
  ["header.nonce", "", "malformed"],
  ["header.nonce", "9000000000000001", "range"],
  ["header.nonce", "1".repeat(65), "tooLarge"],
  ["header.validFrom", "10", "wrongType"],
  ["header.validUntil", 9e15 + 1, "range"],
  ["header.clientTxId", long, "tooLarge"],
  ["payload.market", "", "empty"],
  ["payload.side", "Buy", "unknownWord"],
  ["payload.side", 0, "wrongType"],
  ["payload.size", "", "empty"],
  ["payload.size", "0.50", "malformed"],
  ["payload.size", ".5", "malformed"],
  ["payload.size", "00.5", "malformed"],
  ["payload.size", "5.", "malformed"],
  ["payload.size", "5e-1", "malformed"],
  ["payload.size", "+0.5", "malformed"],
  ["payload.size", " 0.5", "malformed"],
  ["payload.size", "0,5", "malformed"],
  ["payload.size", "-0", "malformed"],
  ["payload.size", "-0.5", "range"],
  ["payload.size", "0.123456789", "precision"],
  ["payload.size", "90000001", "range"],
  ["payload.size", "\u0665", "malformed"],
  ["payload.size", "1".repeat(65), "tooLarge"],
  ["payload.size", 0.5, "wrongType"],
  ["payload.price", "0", "malformed"],
  ["payload.price", "NaN", "malformed"],
  ["payload.slippage", "0.0000000001", "precision"],
  ["payload.reduceOnly", "false", "wrongType"],
  ["payload.reduceOnly", 0, "wrongType"],
  ["signature", `0x${"07".repeat(64)}`, "malformed"],
  ["signature", `0x${"07".repeat(66)}`, "malformed"],
  ["signature", `0x${"AB".repeat(65)}`, "malformed"],
];

test.each(cases)("%s of %j is refused: %s", (path, value, fault) => {
  const json = jsonOf(placed);
  const [outer, inner] = path.split(".") as [string, string?];
  if (inner === undefined) json[outer] = value;
  else (json[outer] as Node)[inner] = value;
  const error = refusalOf(() => decodeTransaction(json));
  expect(error).toMatchObject({ path, fault });
  expect(error.message).toContain(path);
  expect(error.reason.length * error.hint.length).toBeGreaterThan(0);
  // One line of printable text, whatever was sent.
  expect(error.message).toMatch(/^[\x20-\x7e]{10,600}$/);
});

test("lists are bounded, have no holes, and name the place of a bad entry", () => {
  const json = jsonOf(cancelled);
  const payload = json.payload as Node;
  payload.orderIds = Array.from({ length: 51 }, () => "1");
  expect(refusalOf(() => decodeTransaction(json))).toMatchObject({ path: "payload.orderIds", fault: "tooLarge" });
  payload.orderIds = ["1", "0"];
  expect(refusalOf(() => decodeTransaction(json))).toMatchObject({ path: "payload.orderIds[1]", fault: "range" });
  payload.orderIds = new Array(2);
  expect(refusalOf(() => decodeTransaction(json))).toMatchObject({ path: "payload.orderIds[0]", fault: "wrongType" });
  const parameters = jsonOf(listed);
  const [first] = (parameters.payload as { parameters: Node[] }).parameters;
  // A tier is taken away by an empty value.
  first!.value = "";
  expect(decodeTransaction(parameters).transaction.payload).toMatchObject({
    parameters: expect.arrayContaining([{ name: first!.name, value: "" }]),
  });
  first!.name = "";
  expect(refusalOf(() => decodeTransaction(parameters))).toMatchObject({
    path: "payload.parameters[0].name",
    fault: "empty",
  });
});

test("bytes are pairs of lower-case hex digits", () => {
  const json = jsonOf(flowed);
  expect((json.payload as Node).steps).toBe("0x01ff");
  for (const steps of ["0x1", "0xFF", "01ff", "0x 1", ""]) {
    (json.payload as Node).steps = steps;
    expect(refusalOf(() => decodeTransaction(json))).toMatchObject({ path: "payload.steps", fault: "malformed" });
  }
});

describe("JSON text", () => {
  const text = JSON.stringify(jsonOf(placed));

  test.each([
    ["a key twice", text.replace('"side":"sell"', '"side":"sell","side":"buy"'), "duplicateKey", "payload.side"],
    [
      "a key twice, once escaped",
      text.replace('"side":"sell"', '"side":"sell","s\\u0069de":"buy"'),
      "duplicateKey",
      "payload.side",
    ],
    ["the action twice", text.replace("{", '{"action":"noop",'), "duplicateKey", "action"],
    [
      "__proto__ as a key",
      text.replace('"side"', '"__proto__":{"side":"buy"},"side"'),
      "unknownField",
      "payload.__proto__",
    ],
    [
      "__proto__ in place of a field",
      text.replace('"side":"sell"', '"__proto__":{"side":"buy"}'),
      "missingField",
      "payload.side",
    ],
    ["a fraction", text.replace('"validFrom":10', '"validFrom":10.0'), "malformed", "header.validFrom"],
    ["an exponent", text.replace('"validFrom":10', '"validFrom":1e1'), "malformed", "header.validFrom"],
    ["a leading zero", text.replace('"validFrom":10', '"validFrom":010'), "malformed", "header.validFrom"],
    ["minus zero", text.replace('"validFrom":10', '"validFrom":-0'), "malformed", "header.validFrom"],
    [
      "a number that doubles cannot hold",
      text.replace('"validFrom":10', '"validFrom":9007199254740993'),
      "malformed",
      "header.validFrom",
    ],
    ["a trailing comma", text.replace(/}$/, ",}"), "syntax", ""],
    ["text after the end", `${text} 1`, "syntax", ""],
    ["no end", text.slice(0, -1), "syntax", ""],
    ["a comment", `/**/${text}`, "syntax", ""],
    ["a raw line feed in a text", text.replace("first", "fir\nst"), "syntax", ""],
    ["a wrong escape", text.replace("first", "\\x41"), "syntax", ""],
    ["single quotes", text.replaceAll('"', "'"), "syntax", ""],
    ["nothing", "", "syntax", ""],
    ["a list", "[]", "wrongType", ""],
    ["null", "null", "wrongType", ""],
    ["deep nesting", "[".repeat(60_000), "syntax", ""],
    ["more than is accepted", " ".repeat(TRANSACTION_TEXT_MOST) + text, "tooLarge", ""],
  ])("with %s is refused", (_name, bad, fault, path) => {
    expect(refusalOf(() => parseTransaction(bad))).toMatchObject({ code: "VALIDATION_ERROR", fault, path });
  });

  test("is read like JSON.parse where that is strict enough", () => {
    const leaf = fc.oneof(fc.string({ unit: "binary" }), fc.boolean(), fc.constant(null), fc.maxSafeInteger());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value")), fc.dictionary(fc.string(), tie("value"))),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, "\t"), (json, space) => {
        fc.pre(!JSON.stringify(json).includes("-0"));
        const wrapped = JSON.stringify({ json }, null, space);
        const outcome = refusalOf(() => parseTransaction(wrapped));
        expect(outcome).toMatchObject({ path: "action", fault: "missingField" });
      }),
    );
  });

  test("of any bytes is decoded or refused, never anything else", () => {
    const mutated = fc
      .record({ at: fc.nat(text.length), cut: fc.nat(4), insert: fc.string({ maxLength: 3 }) })
      .map(({ at, cut, insert }) => text.slice(0, at) + insert + text.slice(at + cut));
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string({ unit: "binary" })), (input) => {
        try {
          const signed = parseTransaction(input);
          expect(decodeTransaction(encodeTransaction(signed))).toEqual(signed);
          seen.accepted++;
        } catch (error) {
          expect(isValidationError(error), String(error)).toBe(true);
          seen.refused++;
        }
      }),
      { numRuns: 1000 },
    );
    expect(seen.accepted).toBeGreaterThan(3);
    expect(seen.refused).toBeGreaterThan(300);
  });
});

test("fields of a prototype do not count", () => {
  const json = jsonOf(placed);
  const { side: _side, ...rest } = json.payload as Node;
  json.payload = Object.assign(Object.create({ side: "sell" }), rest);
  expect(refusalOf(() => decodeTransaction(json))).toMatchObject({ path: "payload.side", fault: "missingField" });
});
