import { mulDivFloor } from "../../src/ground/math/fixed.ts";
import { Random } from "../../src/ground/math/random.ts";

/** Two small loops, in nanoseconds per element of CPU time, and how much slower than the reference they ran. */
export interface Calibration {
  readonly typedArraysNs: number;
  readonly mulDivNs: number;
  readonly slowdown: number;
}

/**
 * What the loops took on the quiet machine whose figures the project's targets were set by: Node 24, 2 vCPU AMD EPYC
 * (family 26), medians of processes.
 */
const REFERENCE = { typedArraysNs: 0.51, mulDivNs: 4.24 };

const LENGTH = 1024;
const PASSES = 200;

/**
 * Samples loops that change only with the machine and its load: a plain pass over typed arrays (size * (mark - entry)),
 * and an exact multiplication and division whose product takes more than 53 bits. Sampled between the rounds of a
 * bench, so that its medians and theirs saw the same load.
 */
export class Calibrator {
  private readonly sizes: Float64Array;
  private readonly marks: Float64Array;
  private readonly entries: Float64Array;
  private readonly lots: Float64Array;
  private readonly moves: Float64Array;
  private readonly typedArrays: number[] = [];
  private readonly mulDivs: number[] = [];
  private sum = 0;

  constructor() {
    const random = new Random([9, 9, 9, 9]);
    const make = (bound: number, scale: number) =>
      Float64Array.from({ length: LENGTH }, () => random.below(bound) * scale);
    this.sizes = make(1000, 1);
    this.marks = make(60_000, 1);
    this.entries = make(60_000, 1);
    this.lots = make(1_000_000, 10_007);
    this.moves = make(1_000_000, 1_000_003);
    for (let count = 0; count < 20; count++) this.sample();
    this.typedArrays.length = 0;
    this.mulDivs.length = 0;
  }

  /** About a millisecond. */
  sample(): void {
    this.typedArrays.push(this.time(() => sumGains(this.sizes, this.marks, this.entries)));
    this.mulDivs.push(this.time(() => sumPayments(this.lots, this.moves)));
  }

  /** Medians of the samples so far; takes some if there are few. */
  read(): Calibration {
    while (this.typedArrays.length < 15) this.sample();
    if (!Number.isFinite(this.sum)) throw new Error("the calibration loops must stay finite");
    const typedArraysNs = middle(this.typedArrays);
    const mulDivNs = middle(this.mulDivs);
    const slowdown = Math.sqrt((typedArraysNs / REFERENCE.typedArraysNs) * (mulDivNs / REFERENCE.mulDivNs));
    return { typedArraysNs, mulDivNs, slowdown };
  }

  private time(pass: () => number): number {
    const before = process.cpuUsage();
    for (let count = 0; count < PASSES; count++) this.sum += pass();
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / (PASSES * LENGTH);
  }
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

function sumGains(sizes: Float64Array, marks: Float64Array, entries: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < LENGTH; at++) sum += sizes[at]! * (marks[at]! - entries[at]!);
  return sum;
}

function sumPayments(lots: Float64Array, moves: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < LENGTH; at++) sum += mulDivFloor(lots[at]!, moves[at]!, 1_000_000_000);
  return sum;
}
