/** Signature checks on several threads. Transactions travel as bytes, findings come back as bytes; order is kept. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { ByteWriter } from "../../ground/collections/byteWriter.ts";
import { SIGNATURE_BYTES, type Signed } from "../../protocol/codec.ts";
import { writeTransaction } from "../../protocol/codecBinary.ts";
import { formatHex } from "../../protocol/codecHex.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import { BackendMissingError, type BackendName } from "./backends.ts";
import { SIGNATURE_FAULTS } from "./recover.ts";
import { type Batch, FINDING_BYTES, type Findings, type Greeting } from "./verifierMessages.ts";
import type { Verification, VerifierOptions } from "./verify.ts";

export interface VerifierPoolOptions extends VerifierOptions {
  readonly domain: SigningDomain;
  /** Threads, at least 1. Default: as many as the machine runs at once. */
  readonly workers?: number;
  /** Transactions handed to a thread at a time; findings do not depend on it. */
  readonly chunk?: number;
}

export interface VerifierPool {
  readonly backend: BackendName;
  readonly workers: number;
  /**
   * Findings in the order of the batch, the same as one `Verifier` would give. Batches may be handed in while others
   * run.
   *
   * @throws {VerifierPoolError} when the pool is closed or a thread has died; pending batches are then lost
   */
  verifyTransactions(batch: readonly Signed[]): Promise<Verification[]>;
  /** Ends the threads. Pending batches fail. */
  close(): Promise<void>;
}

/** The pool cannot answer: it was closed, or a thread ended. Make a new one. */
export class VerifierPoolError extends Error {
  override readonly name = "VerifierPoolError";
  readonly code = "VERIFIER_POOL";
}

interface Job {
  readonly batch: readonly Signed[];
  readonly from: number;
  readonly to: number;
  readonly done: (findings: Findings) => void;
  readonly failed: (error: Error) => void;
}

const CHUNK = 128;

/**
 * Starts the threads and waits until each has loaded its backend.
 *
 * @throws {BackendMissingError} where the chosen backend does not load
 */
export async function createVerifierPool(options: VerifierPoolOptions): Promise<VerifierPool> {
  const { domain, backend = "auto", workers: size = availableParallelism(), chunk = CHUNK } = options;
  if (!Number.isInteger(size) || size < 1) throw new RangeError(`workers: ${size} is not a whole number from 1`);
  if (!Number.isInteger(chunk) || chunk < 1) throw new RangeError(`chunk: ${chunk} is not a whole number from 1`);
  const started = await Promise.allSettled(Array.from({ length: size }, () => startWorker({ domain, backend })));
  const threads = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failure = started.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
    throw failure.reason;
  }
  return new ThreadPool(threads, chunk);
}

interface Thread {
  readonly worker: Worker;
  readonly backend: BackendName;
}

function startWorker(data: { domain: SigningDomain; backend: BackendName | "auto" }): Promise<Thread> {
  // The build renames the file, and no compiler rewrites the name in a URL.
  const file = import.meta.url.endsWith(".ts") ? "./verifierWorker.ts" : "./verifierWorker.js";
  const worker = new Worker(new URL(file, import.meta.url), { workerData: data });
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => reject(new VerifierPoolError("a verifier thread ended before it was ready")));
    worker.once("message", (greeting: Greeting) => {
      // By name: removing all of them would also remove those with which the worker itself hears its thread.
      for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
      if ("backend" in greeting) return resolve({ worker, backend: greeting.backend });
      void worker.terminate();
      reject(new BackendMissingError(greeting.missing, undefined));
    });
  });
}

class ThreadPool implements VerifierPool {
  readonly backend: BackendName;
  readonly workers: number;
  private readonly threads: readonly Worker[];
  private readonly chunk: number;
  private readonly idle: Worker[];
  private readonly waiting: Job[] = [];
  private readonly running = new Map<Worker, Job>();
  private ended: VerifierPoolError | undefined;

  constructor(threads: readonly Thread[], chunk: number) {
    this.backend = threads[0]!.backend;
    this.workers = threads.length;
    this.threads = threads.map(({ worker }) => worker);
    this.idle = [...this.threads];
    this.chunk = chunk;
    for (const worker of this.threads) {
      worker.on("message", (findings: Findings) => this.finish(worker, findings));
      worker.on("error", (cause) => this.end(new VerifierPoolError("a verifier thread failed", { cause })));
      worker.on("exit", () => this.end(new VerifierPoolError("a verifier thread ended")));
    }
  }

  async verifyTransactions(batch: readonly Signed[]): Promise<Verification[]> {
    const parts: Promise<Findings>[] = [];
    for (let from = 0; from < batch.length; from += this.chunk) {
      const to = Math.min(from + this.chunk, batch.length);
      parts.push(new Promise((done, failed) => this.waiting.push({ batch, from, to, done, failed })));
    }
    this.dispatch();
    const findings = await Promise.all(parts);
    return batch.map((signed, index) => {
      const part = findings[Math.floor(index / this.chunk)]!;
      return readFinding(signed, part, (index % this.chunk) * FINDING_BYTES);
    });
  }

  async close(): Promise<void> {
    this.end(new VerifierPoolError("the verifier pool is closed"));
    await Promise.all(this.threads.map((worker) => worker.terminate()));
  }

  private dispatch(): void {
    if (this.ended !== undefined) {
      for (const job of this.waiting.splice(0)) job.failed(this.ended);
      return;
    }
    while (this.idle.length > 0 && this.waiting.length > 0) {
      const job = this.waiting.shift()!;
      let message: Batch;
      try {
        message = writeBatch(job);
      } catch (error) {
        job.failed(error as Error);
        continue;
      }
      const worker = this.idle.pop()!;
      this.running.set(worker, job);
      worker.postMessage(message, [message.bytes.buffer]);
    }
  }

  private finish(worker: Worker, findings: Findings): void {
    const job = this.running.get(worker);
    // Findings that arrived after the pool's end; its jobs already have their error.
    if (job === undefined) return;
    this.running.delete(worker);
    this.idle.push(worker);
    job.done(findings);
    this.dispatch();
  }

  private end(error: VerifierPoolError): void {
    if (this.ended !== undefined) return;
    this.ended = error;
    for (const job of this.running.values()) job.failed(error);
    this.running.clear();
    this.dispatch();
    for (const worker of this.threads) void worker.terminate();
  }
}

function writeBatch({ batch, from, to }: Job): Batch {
  const writer = new ByteWriter((to - from) * 256);
  for (let index = from; index < to; index++) {
    const { transaction, signature } = batch[index]!;
    writeTransaction(writer, transaction, signature.length === SIGNATURE_BYTES ? signature : undefined);
  }
  return { bytes: writer.view8(), count: to - from };
}

function readFinding({ transaction }: Signed, findings: Findings, at: number): Verification {
  const place = findings[at]! - 1;
  const reason = SIGNATURE_FAULTS[place];
  const known = reason === undefined || reason === "SIGNER_MISMATCH";
  return {
    verdict: reason === undefined,
    reason,
    digest: formatHex(findings.subarray(at + 1, at + 33)),
    expected: transaction.header.signer,
    recovered: known ? formatHex(findings.subarray(at + 33, at + FINDING_BYTES)) : undefined,
  };
}
