import { ACTION_CODES } from "../../../protocol/actions/index.ts";
import { isSystem } from "../../engine/authorization/admission.ts";
import type { State } from "../../engine/state/state.ts";
import type { SealedBlock } from "../observer.ts";
import type { Pending } from "./lanes.ts";
import { OPERATIONS_MOST, OperationBudget } from "./operations.ts";
import { checkPending, type PendingPool } from "./pendingPool.ts";
import { type BuilderPolicy, cancelsFirst, isDue } from "./policy.ts";

export interface BuildOptions {
  readonly timeMs: number;
  /** Default: `cancels-first`. */
  readonly policy?: BuilderPolicy;
  /** Most transactions of the block. Default: 10,000. */
  readonly most?: number;
  /** Most order operations of the block (`OperationBudget`). Default: 10,000. */
  readonly operationsMost?: number | undefined;
  /** Hears of each transaction of the block, in its order. */
  readonly onTaken?: (pending: Pending) => void;
  /** Called once if the bound of transactions or of order operations leaves ready transactions to the next block. */
  readonly onFull?: () => void;
}

/** Classes of system transactions: they come before every user's, oracle updates first (NET-2). */
const ORACLE_CLASS = -2;
const SYSTEM_CLASS = -1;

/** A lane while a block is built: its transactions in order, and how far it has come. */
interface Queue {
  readonly pending: readonly Pending[];
  next: number;
  readonly rank: number;
}

/**
 * Makes the next block of a venue from what is pending, without changing either. Each lane offers its first transaction
 * that the block can carry. Of the offers the lowest class goes first, then the earliest arrival. Then the lane offers
 * its next. So no lane is reordered, and a transaction waits as long as the head of its lane does (BLK). An offer that
 * the bound of order operations does not admit waits for the next block with the rest of its lane.
 *
 * Cost: the lanes, and the transactions of the block times the logarithm of the lanes.
 */
export function buildBlock(state: State, pool: PendingPool, options: BuildOptions): SealedBlock {
  const { timeMs, policy = cancelsFirst, most = 10_000, operationsMost = OPERATIONS_MOST } = options;
  const height = state.height + 1;
  const offers = new Offers();
  for (const lane of pool.lanes()) {
    const queue = { pending: lane.inOrder(), next: 0, rank: 0 };
    if (isReady(state, policy, height, queue, undefined)) offers.push(rank(policy, queue));
  }
  const budget = new OperationBudget(state, operationsMost);
  const chosen: Pending[] = [];
  let isFull = false;
  for (;;) {
    const queue = offers.pop();
    if (queue === undefined) break;
    const taken = queue.pending[queue.next]!;
    if (chosen.length >= most || !budget.take(taken)) {
      isFull = true;
      if (chosen.length >= most) break;
      continue;
    }
    chosen.push(taken);
    options.onTaken?.(taken);
    const rest = { ...queue, next: queue.next + 1 };
    if (isReady(state, policy, height, rest, taken)) offers.push(rank(policy, rest));
  }
  if (isFull) options.onFull?.();
  return {
    height,
    timeMs,
    transactions: chosen.map(({ transaction }) => transaction),
    signatures: chosen.map(({ signature }) => signature),
  };
}

/** Whether the next transaction of a lane can be in the block, right after the one of its lane that was taken. */
function isReady(
  state: State,
  policy: BuilderPolicy,
  height: number,
  { pending, next }: Queue,
  before: Pending | undefined,
): boolean {
  const candidate = pending[next];
  if (candidate === undefined || !isDue(policy, candidate, height)) return false;
  // Cheaper than admission, which would refuse it.
  if (candidate.transaction.header.validFrom > height) return false;
  // After one that is among the users', an authority's other transactions wait for the next block (NET-2).
  if (before !== undefined && isSystem(candidate.transaction.code) && !isSystem(before.transaction.code)) return false;
  const reason = checkPending(state, candidate.transaction);
  if (reason === undefined) return true;
  const { nonce } = candidate.transaction.header;
  // A sequential lane takes the nonce after the one before it; a window reaches as far as its width.
  const isWindow = state.nonceWindow !== 0 && candidate.transaction.header.nonceDomain === "trading";
  const reach = isWindow ? state.nonceWindow : 1;
  return reason === "NONCE_GAP" && before !== undefined && nonce <= before.transaction.header.nonce + reach;
}

function rank(policy: BuilderPolicy, queue: Queue): Queue {
  const { transaction } = queue.pending[queue.next]!;
  if (!isSystem(transaction.code)) return { ...queue, rank: policy.classOf(transaction) };
  return { ...queue, rank: transaction.code === ACTION_CODES.oracleUpdate ? ORACLE_CLASS : SYSTEM_CLASS };
}

/** Lanes by class of their first transaction, then by its arrival: a binary heap. */
class Offers {
  readonly #queues: Queue[] = [];

  push(queue: Queue): void {
    const queues = this.#queues;
    let place = queues.push(queue) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(queue, queues[parent]!)) break;
      queues[place] = queues[parent]!;
      place = parent;
    }
    queues[place] = queue;
  }

  pop(): Queue | undefined {
    const queues = this.#queues;
    const first = queues[0];
    const last = queues.pop();
    if (last === undefined || queues.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= queues.length) break;
      if (child + 1 < queues.length && isBefore(queues[child + 1]!, queues[child]!)) child++;
      if (!isBefore(queues[child]!, last)) break;
      queues[place] = queues[child]!;
      place = child;
    }
    queues[place] = last;
    return first;
  }
}

function isBefore(a: Queue, b: Queue): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.pending[a.next]!.arrival < b.pending[b.next]!.arrival;
}
