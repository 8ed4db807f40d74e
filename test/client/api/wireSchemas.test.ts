import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { hashTypedData } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { LIMIT } from "../../../src/ground/math/fixed.ts";
import { ACTION_NAMES, type ActionName, actions } from "../../../src/protocol/actions/index.ts";
import { encodeTransaction } from "../../../src/protocol/codec.ts";
import { arbitrarySignatureBytes, arbitraryTransaction } from "../../helpers/arbitraries.ts";
import { openTestService } from "../../server/helpers/service.ts";

// Goal: a client that has the served document and nothing else writes what the venue takes, and signs it.
// Method: the document is read from the service as text; its schemas are compiled by a library; its type texts are
// parsed here. Nothing of the service but its answers has a part in what is expected.

// biome-ignore lint/suspicious/noExplicitAny: a document of JSON
type Loose = Record<string, any>;

const service = openTestService({ limits: "off" }, { blocks: { mode: "manual" } });
let schemas: Readonly<Record<string, Loose>>;
let isValid: ValidateFunction;

beforeAll(async () => {
  const { body } = await service.ask({ path: "/openapi.json" });
  const { components } = JSON.parse(body) as { components: { schemas: typeof schemas } };
  schemas = components.schemas;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "doc", components }, "doc");
  isValid = ajv.compile({ $ref: "doc#/components/schemas/SignedTransaction" });
});

const schemaOf = (action: ActionName): Loose => schemas[`Signed${actions[action].primaryType}`]!;

/** Whether the venue reads a body as a transaction; whether it takes the transaction is another question. */
async function isRead(body: unknown): Promise<boolean> {
  const headers = { "content-type": "application/json", "idempotency-key": "a-key-of-sixteen-or-more" };
  const answer = await service.ask({ method: "POST", path: "/transactions", headers, body: JSON.stringify(body) });
  expect([202, 400, 409, 422], answer.body).toContain(answer.status);
  return answer.status !== 400;
}

const signed = (action: ActionName) =>
  fc
    .tuple(arbitraryTransaction(action), arbitrarySignatureBytes)
    .map(([transaction, signature]) => encodeTransaction({ transaction, signature }) as unknown as Loose);

/** Numbers at, just below and just above the bounds of every scale, whole and with digits after the point. */
const BOUNDS = [0, 6, 8, 9].flatMap((decimals) => {
  const most = String(LIMIT / 10 ** decimals);
  const below = String(LIMIT / 10 ** decimals - 1);
  const tail = `.${"9".repeat(decimals)}`;
  const least = `0.${"0".repeat(Math.max(decimals - 1, 0))}1`;
  const texts = [
    most,
    below,
    below + tail,
    `${most}.1`,
    `${below}${tail}9`,
    `${most}0`,
    least,
    `${least}1`,
    `1${most}`,
  ];
  return texts.flatMap((text) => [text, `-${text}`]);
});

const text = fc.oneof(
  fc.constantFrom(...BOUNDS),
  fc.constantFrom("", "0", "-0", "00", "01", "1.", ".1", "1.0", "0.10", "+1", "1e3", " 1", "1\n", "NaN", "0x", "0xAB"),
  fc.stringMatching(/^-?[0-9]{1,17}(\.[0-9]{0,10})?$/),
  fc.string({ unit: "binary-ascii", maxLength: 70 }),
  fc.string({ maxLength: 70, unit: "binary" }).map((one) => one.toWellFormed()),
  fc.stringMatching(/^0x[0-9a-f]{0,66}$/),
  fc.constantFrom(`0x${"a".repeat(40)}`, `0x${"A".repeat(40)}`, `0x${"0".repeat(64)}`, "x".repeat(64), "x".repeat(65)),
);
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, 1e21, LIMIT, LIMIT + 1, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, 2 ** 53),
  fc.integer({ min: -2, max: 2 ** 33 }),
);
const leaf = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 3, arbitrary: number },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      [],
      {},
      ["1"],
      Array.from({ length: 51 }, () => "1"),
    ),
  },
);

/** Places of everything in a value that is no object or list, and of lists themselves. */
function* placesOf(value: unknown, at: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) yield at;
  if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) yield* placesOf(member, [...at, name]);
  }
}

function put(value: Loose, place: readonly (string | number)[], change: (holder: Loose, name: string) => void): Loose {
  const copy = structuredClone(value);
  let holder: Loose = copy;
  for (const name of place.slice(0, -1)) holder = holder[name];
  change(holder, String(place.at(-1)));
  return copy;
}

describe.each(ACTION_NAMES)("%s", (action) => {
  test("is read by the venue where the served schema takes it, and refused where the schema refuses it", async () => {
    const verdicts = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(signed(action), fc.nat(), leaf, fc.nat(9), async (whole, pick, value, way) => {
        const places = [...placesOf(whole)];
        const place = places[pick % places.length]!;
        const changed = put(whole, place, (holder, name) => {
          if (way === 0) delete holder[name];
          else if (way === 1) holder[`${name}x`] = value;
          else if (way > 2) holder[name] = value;
        });
        const isTaken = await isRead(changed);
        verdicts[isTaken ? "taken" : "refused"]++;
        expect(isValid(changed), `${place.join(".")}: ${JSON.stringify(changed)} ${isTaken}`).toBe(isTaken);
      }),
      { numRuns: 200, seed: 6 },
    );
    expect(Math.min(verdicts.taken, verdicts.refused), JSON.stringify(verdicts)).toBeGreaterThan(10);
  });

  // The field's own values are few among all that the property above writes, so each bound is met on purpose here.
  test("has bounds in the served schema that are the venue's, at every number of its payload", async () => {
    const [whole] = fc.sample(signed(action), { numRuns: 1, seed: 3 });
    for (const place of placesOf(whole)) {
      const old = place.reduce<unknown>((value, name) => (value as Loose)[name], whole);
      if (place[0] === "action" || place[0] === "signature" || !["string", "number"].includes(typeof old)) continue;
      const edges = typeof old === "string" ? BOUNDS : [LIMIT, LIMIT + 1, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000];
      for (const edge of edges) {
        const changed = put(whole!, place, (holder, name) => {
          holder[name] = edge;
        });
        expect(isValid(changed), `${place.join(".")} ${edge}`).toBe(await isRead(changed));
      }
    }
  });

  test("is signed from the served type text alone as the venue hashes it", () => {
    const { primaryType, encodeType } = schemaOf(action)["x-eip712"] as { primaryType: string; encodeType: string };
    const types = parseTypes(encodeType);
    const { domain: given, vectors } = readVectors(action);
    const { name, version, encodeType: domainType } = schemas["SignedTransaction"]!["x-eip712-domain"] as Loose;
    expect(domainType).toBe("EIP712Domain(string name,string version,uint256 chainId,bytes32 salt)");
    const domain = { name, version, chainId: given["chainId"], salt: given["salt"] };
    for (const { transaction, digest } of vectors) {
      const message = withNumbers(primaryType, types, { header: transaction["header"], ...transaction["payload"] });
      expect(hashTypedData({ domain, types, primaryType, message } as never)).toBe(digest);
    }
  });

  test("names the type of every field, in the order of the message", () => {
    const { primaryType, encodeType } = schemaOf(action)["x-eip712"] as { primaryType: string; encodeType: string };
    const types = parseTypes(encodeType);
    const typesOf = (name: string) =>
      Object.entries(schemas[name]!["properties"] as Loose).map(([field, form]) => ({
        name: field,
        type: form["x-eip712-type"] as string,
      }));
    const [first, ...rest] = types[primaryType]!;
    expect(first).toEqual({ name: "header", type: "TxHeader" });
    expect(typesOf(`${primaryType}Payload`)).toEqual(rest);
    for (const name of Object.keys(types)) {
      if (name !== primaryType)
        expect(typesOf(name === "TxHeader" ? name : `${name}Struct`), name).toEqual(types[name]);
    }
  });
});

type Types = Record<string, { name: string; type: string }[]>;

/** The structs of an `encodeType` text. */
function parseTypes(encoded: string): Types {
  return Object.fromEntries(
    [...encoded.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, struct, members]) => [
      struct!,
      members === ""
        ? []
        : members!.split(",").map((member) => ({ type: member.split(" ")[0]!, name: member.split(" ")[1]! })),
    ]),
  );
}

/** The library wants 64-bit numbers as bigint. */
function withNumbers(type: string, types: Types, value: unknown): unknown {
  if (type.endsWith("[]")) return (value as unknown[]).map((item) => withNumbers(type.slice(0, -2), types, item));
  if (type === "uint64") return BigInt(value as string);
  if (types[type] === undefined) return value;
  return Object.fromEntries(
    types[type].map((member) => [member.name, withNumbers(member.type, types, (value as Loose)[member.name])]),
  );
}

interface Vectors {
  readonly domain: Loose;
  readonly vectors: readonly { readonly transaction: Loose; readonly digest: string }[];
}

function readVectors(action: ActionName): Vectors {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../vectors/${action}.json`), "utf8")) as Vectors;
}
