import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createVerifierPool, type VerifierPool } from "../../../../src/client/signing/verifierPool.ts";
import type { Verification } from "../../../../src/client/signing/verify.ts";
import { encodeTransaction, type Signed } from "../../../../src/protocol/codec.ts";
import { startServer } from "../../../../src/server/face/server.ts";
import { SignatureChecks } from "../../../../src/server/face/services/signatureChecks.ts";
import { openTestHost } from "../../../helpers/host.ts";

/** This many submissions, each with another first byte in its signature. */
const manySigned = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ signature: Uint8Array.of(place) }) as Signed);
const finding = ({ signature }: Signed) => ({ digest: `0x${signature[0]}` }) as unknown as Verification;

/** A pool that answers each batch when the test says so. */
class HeldPool implements VerifierPool {
  readonly backend = "js";
  readonly workers = 1;
  readonly batches: number[] = [];
  isClosed = false;
  readonly #answers: (() => void)[] = [];
  readonly #failures: ((error: Error) => void)[] = [];

  verifyTransactions(batch: readonly Signed[]): Promise<Verification[]> {
    this.batches.push(batch.length);
    return new Promise((resolve, reject) => {
      this.#answers.push(() => resolve(batch.map(finding)));
      this.#failures.push(reject);
    });
  }

  async answer(batch: number): Promise<void> {
    this.#answers[batch]!();
    await sleep(1);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const fail of this.#failures) fail(new Error("closed"));
  }
}

async function openChecks() {
  const pool = new HeldPool();
  let started = 0;
  const warnings: unknown[] = [];
  const checks = new SignatureChecks(
    async () => {
      started++;
      return pool;
    },
    (error) => warnings.push((error as Error).message),
  );
  const given: unknown[] = [];
  const ask = (batch: readonly Signed[], client = "one") => {
    for (const signed of batch) void checks.check(signed, client).then((found) => given.push(found?.digest));
    return sleep(5);
  };
  return { pool, checks, given, ask, warnings, started: () => started };
}

test("a few are left to the venue, and no thread is started for them", async () => {
  const { given, ask, started } = await openChecks();
  await ask(manySigned(3));
  expect([given, started()]).toEqual([[undefined, undefined, undefined], 0]);
});

test("many start the thread, once; while it starts the venue verifies them itself", async () => {
  const { given, ask, started, pool } = await openChecks();
  await Promise.all([ask(manySigned(4)), ask([])]);
  await ask(manySigned(4));
  expect([given, started(), pool.batches]).toEqual([Array(4).fill(undefined), 1, [4]]);
});

test("submissions are answered in their order, whichever batch is verified first", async () => {
  const { given, ask, pool } = await openChecks();
  await ask(manySigned(4));
  given.length = 0;
  const all = manySigned(100);
  await ask(all);
  expect([given, pool.batches]).toEqual([[], [48, 48]]);
  await pool.answer(1);
  expect(given).toEqual([]);
  await pool.answer(0);
  expect([given.length, pool.batches]).toEqual([96, [48, 48, 4]]);
  await pool.answer(2);
  expect(given).toEqual(all.map((signed) => finding(signed).digest));
});

test("submissions that come while the thread works wait, unless they are enough for a batch of their own", async () => {
  const { given, ask, pool } = await openChecks();
  await ask(manySigned(4));
  given.length = 0;
  const all = manySigned(60);
  await ask(all.slice(0, 20));
  await ask(all.slice(20, 30));
  expect(pool.batches).toEqual([20]);
  await ask(all.slice(30, 40));
  expect(pool.batches).toEqual([20, 20]);
  // The thread has two: these wait, however many they are, and go when it is through with one.
  await ask(all.slice(40, 60));
  expect(pool.batches).toEqual([20, 20]);
  await pool.answer(0);
  expect(pool.batches).toEqual([20, 20, 20]);
  await pool.answer(1);
  await pool.answer(2);
  expect(given).toEqual(all.map((signed) => finding(signed).digest));
});

test("a few that waited for the thread are left to the venue, after those before them", async () => {
  const { given, ask, pool } = await openChecks();
  await ask(manySigned(4));
  given.length = 0;
  await ask(manySigned(5));
  await ask(manySigned(2));
  expect([given, pool.batches]).toEqual([[], [5]]);
  await pool.answer(0);
  expect(given).toEqual(["0x0", "0x1", "0x2", "0x3", "0x4", undefined, undefined]);
});

test("a client with many submissions does not delay one with few", async () => {
  const { given, ask, pool } = await openChecks();
  await ask(manySigned(4));
  given.length = 0;
  await ask(manySigned(200), "flood");
  await ask(manySigned(250).slice(248), "other");
  expect(pool.batches).toEqual([48, 48]);
  await pool.answer(0);
  await pool.answer(1);
  await pool.answer(2);
  // The next batch that goes to the thread has a submission of each in turn.
  expect(given.slice(96, 100)).toEqual(["0x96", "0x248", "0x97", "0x249"]);
  expect(given).toHaveLength(144);
});

test("without a thread, the input of others comes between batches that the venue verifies", async () => {
  const order: string[] = [];
  const checks = new SignatureChecks(() => new Promise(() => {}));
  const check = (client: string) => void checks.check(manySigned(1)[0]!, client).then(() => order.push(client));
  for (let count = 0; count < 200; count++) check("flood");
  setImmediate(() => check("other"));
  await sleep(20);
  expect(order).toHaveLength(201);
  expect(order.indexOf("other")).toBeLessThan(100);
});

test("if the thread ends, the venue verifies signatures itself from then on, and reports it once", async () => {
  const { given, ask, pool, started, warnings } = await openChecks();
  await ask(manySigned(4));
  await ask(manySigned(100));
  await pool.close();
  await sleep(1);
  await ask(manySigned(8));
  expect([given, pool.batches, started()]).toEqual([Array(112).fill(undefined), [48, 48], 1]);
  expect(warnings).toEqual(["closed"]);
});

test("a requested end of the thread is no failure", async () => {
  const { checks, ask, given, warnings } = await openChecks();
  await ask(manySigned(4));
  await ask(manySigned(4));
  await checks.close();
  await sleep(1);
  expect([given, warnings]).toEqual([Array(8).fill(undefined), []]);
});

test("if no thread can be started, the venue verifies signatures itself, and reports it", async () => {
  const warnings: unknown[] = [];
  const failure = new Error("no threads here");
  const checks = new SignatureChecks(
    () => Promise.reject(failure),
    (error) => warnings.push(error),
  );
  for (let round = 0; round < 2; round++) {
    expect(await Promise.all(manySigned(6).map((signed) => checks.check(signed, "one")))).toEqual(
      Array(6).fill(undefined),
    );
  }
  expect(warnings).toEqual([failure]);
});

test("a thread that starts after the end is ended", async () => {
  const pool = new HeldPool();
  const checks = new SignatureChecks(() => sleep(20).then(() => pool));
  await Promise.all(manySigned(4).map((signed) => checks.check(signed, "one")));
  await checks.close();
  await sleep(40);
  expect(pool.isClosed).toBe(true);
});

test("the service accepts submissions that the thread found valid and refuses the others, many at a time", async () => {
  const { host, clients } = openTestHost();
  let batches = 0;
  const server = await startServer(host, {
    async startVerifiers() {
      const pool = await createVerifierPool({ domain: host.domain, workers: 1 });
      return {
        ...{ backend: pool.backend, workers: 1, close: () => pool.close() },
        verifyTransactions(batch) {
          batches++;
          return pool.verifyTransactions(batch);
        },
      };
    },
  });
  onTestFinished(() => server.close(50));
  const client = clients[0]!;
  const submit = async (round: number) => {
    const all = Array.from({ length: 40 }, (_, place) => {
      const signed = client.noop();
      const isWrong = place % 5 === round;
      return { ...signed, isWrong, signature: isWrong ? clients[1]!.noop().signature : signed.signature };
    });
    const answers = await Promise.all(
      all.map(async (signed) => {
        const response = await fetch(`${server.restUrl}/transactions`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": signed.key },
          body: JSON.stringify(encodeTransaction(signed)),
        });
        const body = (await response.json()) as { readonly txId?: string; readonly reason?: string };
        return { status: response.status, txId: body.txId, reason: body.reason };
      }),
    );
    for (const [place, { id, isWrong }] of all.entries()) {
      const { status, txId, reason } = answers[place]!;
      if (isWrong) expect([status, reason]).toEqual([422, "SIGNER_MISMATCH"]);
      else expect([status, txId]).toEqual([202, id]);
    }
  };
  // A request that comes alone is not checked by a thread, and on a busy machine many do.
  for (let round = 0; batches < 2; round = (round + 1) % 5) await submit(round);
});
