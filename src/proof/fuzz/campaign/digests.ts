import { createHash } from "node:crypto";

/** Transactions between two marks. */
const MARK_EVERY = 1_000_000;

/** Digest of a campaign up to an iteration. */
export interface DigestMark {
  readonly transactions: number;
  readonly iteration: number;
  readonly digest: string;
}

/**
 * Digest of a campaign over the digests of its cases in order, with a mark every million transactions. Two runtimes
 * with the same behaviour produce the same marks.
 */
export class DigestChain {
  value: string;
  transactions: number;
  readonly marks: DigestMark[];

  constructor(value = "0".repeat(64), transactions = 0, marks: readonly DigestMark[] = []) {
    this.value = value;
    this.transactions = transactions;
    this.marks = [...marks];
  }

  add({ iteration, digest, transactions }: { iteration: number; digest: string; transactions: number }): void {
    this.value = createHash("sha256").update(`${this.value} ${iteration} ${digest} ${transactions}`).digest("hex");
    const before = Math.floor(this.transactions / MARK_EVERY);
    this.transactions += transactions;
    if (Math.floor(this.transactions / MARK_EVERY) === before) return;
    this.marks.push({ transactions: this.transactions, iteration, digest: this.value });
  }
}
