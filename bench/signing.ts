/**
 * The signature stage on one core: hash and recover with each backend, and viem on the same transactions; the codecs
 * on the same data, and a pool of threads. All findings are checked to be equal before anything is timed.
 *
 *     npm run bench -- signing            node bench/signing.ts [--count 1000] [--rounds 5] [--json] [--record]
 */
import { parseArgs } from "node:util";
import { recoverTypedDataAddress } from "viem";
import { BACKENDS, loadBackend } from "../src/client/signing/backends.ts";
import { loadKeccak } from "../src/client/signing/keccak.ts";
import { accountFromKey, signTransaction } from "../src/client/signing/sign.ts";
import { createVerifierPool } from "../src/client/signing/verifierPool.ts";
import { createVerifier } from "../src/client/signing/verify.ts";
import { ByteReader } from "../src/ground/collections/byteReader.ts";
import { ByteWriter } from "../src/ground/collections/byteWriter.ts";
import type { PriceE8, SizeE8 } from "../src/ground/math/fixed.ts";
import { decodeTransaction, encodeTransaction, parseTransaction } from "../src/protocol/codec.ts";
import { AccountKeys, readTransaction, writeTransaction } from "../src/protocol/codecBinary.ts";
import { createTransaction } from "../src/protocol/createTransaction.ts";
import type { Bytes32 } from "../src/protocol/fields.ts";
import { PLAIN_ORDER } from "../src/protocol/plainOrder.ts";
import { typedDataOf } from "../src/protocol/typedData.ts";
import { createDigester } from "../src/protocol/typedDataDigest.ts";
import { type Figure, median, report, timeTask } from "./lib/measure.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
  },
  strict: false,
});
const count = Number(values.count);
const rounds = Number(values.rounds);

const domain = { chainId: 31337, genesisHash: `0x${"5a".repeat(32)}` } as const;
const keys = Array.from({ length: 16 }, (_, index): Bytes32 => `0x${(index + 1).toString(16).padStart(64, "0")}`);
const accounts = keys.map((key) => accountFromKey(key));
const keccak = await loadKeccak();
const digester = createDigester(domain, keccak);
const plain = createDigester(domain);

const signed = Array.from({ length: count }, (_, index) => {
  const transaction = createTransaction({
    action: "placeOrder",
    account: accounts[index % 16]!,
    nonce: 1 + Math.floor(index / 16),
    payload: {
      ...PLAIN_ORDER,
      market: index % 3 === 0 ? "ETH-PERP" : "BTC-PERP",
      side: index % 2,
      size: (1_000_000 * (1 + (index % 500))) as SizeE8,
      price: (6_000_000_000_000 + 10_000_000 * (index % 977)) as PriceE8,
      clientOrderId: index % 4 === 0 ? `order-${index}` : "",
    },
  });
  return signTransaction(transaction, keys[index % 16]!, digester);
});
const transactions = signed.map(({ transaction }) => transaction);
const json = signed.map((one) => encodeTransaction(one));
const texts = json.map((one) => JSON.stringify(one));
const few = json.slice(0, Math.max(1, Math.floor(count / 10)));
const writer = new ByteWriter();
for (const { transaction, signature } of signed) writeTransaction(writer, transaction, signature);
const bytes = writer.view8().slice();
const accountKeys = new AccountKeys();

const verifiers = await Promise.all(BACKENDS.map((backend) => createVerifier(domain, { backend })));
const native = await loadBackend("native");
const digests = transactions.map(digester.digest);
const pool = await createVerifierPool({ domain });
const POOL = `verify pool of ${pool.workers}`;

// Equal first, fast second.
const findings = verifiers[0]!.verifyTransactions(signed);
if (!findings.every(({ verdict }) => verdict)) throw new Error("a good signature is not found good");
for (const other of [
  ...verifiers.map((verifier) => verifier.verifyTransactions(signed)),
  await pool.verifyTransactions(signed),
]) {
  if (JSON.stringify(other) !== JSON.stringify(findings)) throw new Error("backends differ");
}

async function byViem(): Promise<void> {
  for (const [index, one] of few.entries()) {
    const typed = typedDataOf(one, domain);
    const address = await recoverTypedDataAddress({ ...typed, signature: one.signature as Bytes32 } as never);
    if ((address as string).toLowerCase() !== findings[index]!.recovered) throw new Error("viem differs");
  }
}

interface Task {
  readonly name: string;
  readonly count: number;
  run(): Promise<unknown> | unknown;
}

const slow = signed.slice(0, few.length);
const tasks: Task[] = [
  { name: "verify native", count, run: () => verifiers[0]!.verifyTransactions(signed) },
  { name: "verify wasm", count, run: () => verifiers[1]!.verifyTransactions(signed) },
  { name: "verify js", count: few.length, run: () => verifiers[2]!.verifyTransactions(slow) },
  { name: "verify viem", count: few.length, run: byViem },
  { name: POOL, count, run: () => pool.verifyTransactions(signed) },
  // The library call alone: what is left of "verify native" is ours.
  { name: "recover native", count, run: () => signed.map(recoverAlone) },
  { name: "digest wasm keccak", count, run: () => transactions.map(digester.digest) },
  { name: "digest js keccak", count, run: () => transactions.map(plain.digest) },
  {
    name: "sign",
    count: few.length,
    run: () => slow.map((one, i) => signTransaction(one.transaction, keys[i % 16]!, digester)),
  },
  { name: "create", count, run: () => transactions.map(create) },
  { name: "JSON.parse", count, run: () => texts.map((text) => JSON.parse(text)) },
  { name: "decode JSON values", count, run: () => json.map(decodeTransaction) },
  { name: "parse JSON text", count, run: () => texts.map((text) => parseTransaction(text)) },
  { name: "encode JSON", count, run: () => signed.map(encodeTransaction) },
  { name: "write binary", count, run: write },
  { name: "read binary", count, run: read },
];

function create({ header: { account, nonce }, payload }: (typeof transactions)[number]) {
  return createTransaction({ action: "placeOrder", account, nonce, payload });
}

function recoverAlone({ signature }: (typeof signed)[number], index: number) {
  return native.recover(digests[index]!, signature.subarray(0, 64), signature[64] === 28 ? 1 : 0);
}

function write(): void {
  writer.reset();
  for (const { transaction, signature } of signed) writeTransaction(writer, transaction, signature);
}

function read(): void {
  const reader = new ByteReader(bytes);
  while (reader.left() > 0) readTransaction(reader, accountKeys);
}

// Tasks take turns, so that a busy moment of the machine falls on all. CPU time, but wall time for the pool of threads.
const seconds = new Map(tasks.map(({ name }): [string, number[]] => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const { name, run } of tasks) {
    const { cpu, wall } = await timeTask(run);
    seconds.get(name)!.push(name === POOL ? wall : cpu);
  }
}
await pool.close();

const rates = new Map(tasks.map(({ name, count }) => [name, count / median(seconds.get(name)!) / 1e3]));
const figures: Figure[] = [];
for (const [name, value] of rates) {
  figures.push({ name, value, unit: "k/s", ...(name === "verify native" ? { target: ">= 15" } : {}) });
}
for (const { name } of tasks) {
  if (!name.startsWith("verify") || name === "verify viem") continue;
  figures.push({ name: `${name} to viem`, value: rates.get(name)! / rates.get("verify viem")!, unit: "x" });
}
report("signing", [
  ...figures,
  { name: "transaction in binary form, with signature", value: bytes.length / count, unit: "bytes" },
  { name: "transaction as JSON", value: texts[0]!.length, unit: "bytes" },
]);
