import type { InvalidCode } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { TABLE } from "../actions/table.ts";
import type { Lane, ModelState } from "../state.ts";

/** Lane of a transaction: account, subaccount, signer and domain; of a system action, its authority (NON-1). */
export function laneKey({ action, header }: Transaction): string {
  const { authority } = TABLE[action];
  if (authority !== undefined) return `${authority}/system`;
  const { account, signer, nonceDomain } = header;
  return `${account.address}/${account.subaccount}/${signer}/${nonceDomain}`;
}

/** How far apart nonces of a trading lane may be; 0 in sequence (NON-2). */
export function windowOf(state: ModelState, domain: string): number {
  const scheme = domain === "trading" ? (state.genesis.nonces?.trading ?? "sequential") : "sequential";
  return scheme === "sequential" ? 0 : Number(scheme.slice("window:".length));
}

/** Whether a nonce commits in its lane now: floor < n <= highest + N and unused, or the next exactly (NON-2). */
export function judgeNonce(state: ModelState, transaction: Transaction): InvalidCode | undefined {
  const { nonce, nonceDomain } = transaction.header;
  const lane = state.lanes.get(laneKey(transaction)) ?? EMPTY_LANE;
  const window = windowOf(state, nonceDomain);
  if (window === 0) return nonce < lane.next ? "NONCE_TOO_LOW" : nonce > lane.next ? "NONCE_GAP" : undefined;
  const highest = lane.next - 1;
  if (nonce <= Math.max(highest - window, -1)) return "NONCE_TOO_LOW";
  if (lane.used.includes(nonce)) return "NONCE_USED";
  return nonce > highest + window ? "NONCE_GAP" : undefined;
}

/** Uses the nonce of a transaction that commits (NON-3). */
export function useNonce(state: ModelState, transaction: Transaction): void {
  const { nonce, nonceDomain } = transaction.header;
  const key = laneKey(transaction);
  const lane = state.lanes.get(key) ?? EMPTY_LANE;
  const next = Math.max(lane.next, nonce + 1);
  const window = windowOf(state, nonceDomain);
  const used = window === 0 ? lane.used : [...lane.used, nonce].filter((number) => number >= next - 1 - window);
  state.lanes.set(key, { next, used });
}

/** Next nonce of a transaction's lane: one more than the highest used. */
export function nextNonce(state: ModelState, transaction: Transaction): number {
  return (state.lanes.get(laneKey(transaction)) ?? EMPTY_LANE).next;
}

const EMPTY_LANE: Lane = { next: 0, used: [] };
