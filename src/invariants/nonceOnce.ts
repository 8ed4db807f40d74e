import { findActor } from "../engine/admission.ts";
import { addressOfAgent } from "../engine/authorization/agents.ts";
import type { LaneRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { DOMAINS } from "../protocol/action.ts";
import { defineInvariant, eventsOf } from "./defineInvariant.ts";
import { listAccounts } from "./exact/walk.ts";
import { readUsed } from "./fold/readFolded.ts";

export const nonceOnce = defineInvariant({
  id: "nonceOnce",
  sentence:
    "Every committed transaction takes a nonce that its lane admits and that none took before, an inadmissible one none.",
  rules: ["NON-1", "NON-2", "NON-3"],
  catalogue: ["T01"],
  when: "block",
  sweep(state, step) {
    const { before, block, result, events } = step;
    const lanes = readLanes(before);
    const windows = readWindows(before);
    let consumed = before.consumed;
    for (const [index, transaction] of block.transactions.entries()) {
      if (result.receipts.status(index) === "invalid") continue;
      consumed++;
      const { header } = transaction;
      const actor = header.nonceDomain === "system" ? header.signer : findActor(state, transaction);
      const agent = header.signer === header.account.address ? "" : ` ${header.signer}`;
      const lane =
        header.nonceDomain === "system"
          ? authorityLane(state, header.signer)
          : `${actor}${agent} ${header.nonceDomain}`;
      const next = lanes.get(lane) ?? 0;
      const isWindow = state.nonceWindow !== 0 && header.nonceDomain === "trading";
      if (isWindow ? !takesFromWindow(windows, lane, header.nonce, next, state.nonceWindow) : header.nonce !== next)
        return `transaction ${index} committed nonce ${header.nonce} of ${lane}`;
      lanes.set(lane, Math.max(next, header.nonce + 1));
      if (header.nonceDomain !== "system") continue;
      for (const carried of eventsOf(step, index)) {
        if ((carried.kind !== "nonceAdvanced" && carried.kind !== "nonceUsed") || carried.account < 0) continue;
        consumed++;
        const own = `${carried.account} ${carried.kind === "nonceUsed" ? "trading" : DOMAINS[carried.domain]}`;
        const free = lanes.get(own) ?? 0;
        if (carried.next !== free + 1) return `transaction ${index} carried nonce ${carried.next - 1} of ${own}`;
        lanes.set(own, carried.next);
        if (carried.kind === "nonceUsed") takesFromWindow(windows, own, carried.nonce, free, state.nonceWindow);
      }
    }
    const after = readLanes(state);
    for (const [lane, next] of after) {
      if (next !== (lanes.get(lane) ?? 0))
        return `${lane} is at ${next}, its transactions lead to ${lanes.get(lane) ?? 0}`;
    }
    for (const [lane, used] of readWindows(state)) {
      const next = lanes.get(lane) ?? 0;
      const wanted = [...(windows.get(lane) ?? [])].filter((nonce) => nonce >= next - state.nonceWindow);
      if (wanted.length !== used.size || wanted.some((nonce) => !used.has(nonce)))
        return `${lane} has other used nonces than its transactions`;
    }
    step.met += consumed - before.consumed;
    if (state.consumed !== consumed) return `${state.consumed} transactions are counted, ${consumed} committed`;
    const said = events.filter(({ kind }) => SAYS_USED.has(kind)).length;
    return said === consumed - before.consumed ? undefined : `${said} nonces are said to be used`;
  },
});

const SAYS_USED: ReadonlySet<string> = new Set(["nonceAdvanced", "laneAdvanced", "nonceUsed"]);

/** Whether a nonce lies within a window and is unused (NON-2); it is used then. */
function takesFromWindow(
  windows: Map<string, Set<number>>,
  lane: string,
  nonce: number,
  next: number,
  window: number,
): boolean {
  const highest = next - 1;
  const used = windows.get(lane) ?? new Set<number>();
  if (nonce <= Math.max(-1, highest - window) || nonce > highest + window || used.has(nonce)) return false;
  windows.set(lane, used.add(nonce));
  return true;
}

/** Used nonces of trading lanes with a window, by lane. */
function readWindows(state: State): Map<string, Set<number>> {
  const windows = new Map<string, Set<number>>();
  if (state.nonceWindow === 0) return windows;
  const { accounts, lanes } = state;
  for (const account of listAccounts(state)) {
    const next = accounts.nonceTrading[account]!;
    windows.set(`${account} trading`, readUsed(state.ownerNonces, account, next));
  }
  for (let row = 0; row < lanes.rows.high; row++) {
    const lane = row as LaneRow;
    const name = `${lanes.account[lane]} ${addressOfAgent(state, lanes.agent[lane]!)} trading`;
    windows.set(name, readUsed(state.agentNonces, row, lanes.nonceTrading[lane]!));
  }
  return windows;
}

/** Next nonces by lane. */
function readLanes(state: State): Map<string, number> {
  const lanes = new Map<string, number>();
  for (const [place, next] of state.authorityNonces.entries()) lanes.set(`authority ${place}`, next);
  const { accounts } = state;
  const columns = [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin];
  for (const account of listAccounts(state)) {
    for (const [place, column] of columns.entries()) lanes.set(`${account} ${DOMAINS[place]}`, column[account]!);
  }
  const { lanes: agents } = state;
  for (let row = 0; row < agents.rows.high; row++) {
    const lane = row as LaneRow;
    const address = addressOfAgent(state, agents.agent[lane]!);
    const nonces = [agents.nonceTrading, agents.nonceRisk, agents.nonceFunds, agents.nonceAdmin];
    for (const [place, column] of nonces.entries()) {
      lanes.set(`${agents.account[lane]} ${address} ${DOMAINS[place]}`, column[lane]!);
    }
  }
  return lanes;
}

function authorityLane(state: State, signer: string): string {
  const { oracle, faucet, operator } = state.genesis.authorities;
  return `authority ${[oracle, faucet, operator].indexOf(signer as never)}`;
}
