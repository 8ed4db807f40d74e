import { DOMAINS } from "../../../protocol/action.ts";
import { findActor } from "../../../venue/engine/authorization/admission.ts";
import { addressOfAgent } from "../../../venue/engine/authorization/agents.ts";
import type { AccountRow, LaneRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listAccounts } from "../../../venue/engine/state/walk.ts";
import { defineInvariant, eventsOf } from "../machinery/defineInvariant.ts";
import { readUsed } from "../machinery/fold/readFolded.ts";

export const nonceOnce = defineInvariant({
  id: "nonceOnce",
  sentence:
    "Every committed transaction uses a nonce that its lane admits and that is unused. An inadmissible transaction uses none.",
  rules: ["NON-1", "NON-2", "NON-3"],
  catalogue: ["T01"],
  when: "block",
  sweep(state, step) {
    const { before, block, result, events } = step;
    const lanes = new Lanes(before);
    const windows = new Windows(before);
    let consumed = before.consumed;
    for (let index = 0; index < block.transactions.length; index++) {
      if (result.receipts.codes[index]! < 0) continue;
      const transaction = block.transactions[index]!;
      consumed++;
      const { header } = transaction;
      const isSystem = header.nonceDomain === "system";
      const lane = isSystem
        ? authorityLane(state, header.signer)
        : header.signer === header.account.address
          ? ownerLane(findActor(state, transaction), header.nonceDomain)
          : `${findActor(state, transaction)} ${header.signer} ${header.nonceDomain}`;
      const next = lanes.next(lane);
      const isWindow = state.nonceWindow !== 0 && header.nonceDomain === "trading";
      if (isWindow ? !takesFromWindow(windows, lane, header.nonce, next, state.nonceWindow) : header.nonce !== next)
        return `transaction ${index} committed nonce ${header.nonce} of ${nameOfLane(lane)}`;
      lanes.taken.set(lane, Math.max(next, header.nonce + 1));
      if (!isSystem) continue;
      for (const carried of eventsOf(step, index)) {
        if ((carried.kind !== "nonceAdvanced" && carried.kind !== "nonceUsed") || carried.account < 0) continue;
        consumed++;
        const own = ownerLane(carried.account, carried.kind === "nonceUsed" ? "trading" : DOMAINS[carried.domain]!);
        const free = lanes.next(own);
        if (carried.next !== free + 1)
          return `transaction ${index} used nonce ${carried.next - 1} of ${nameOfLane(own)}`;
        lanes.taken.set(own, carried.next);
        if (carried.kind === "nonceUsed") takesFromWindow(windows, own, carried.nonce, free, state.nonceWindow);
      }
    }
    const fault = lanes.compare(state);
    if (fault !== undefined) return fault;
    const other = windows.compare(state, lanes);
    if (other !== undefined) return `${nameOfLane(other)} has used nonces that differ from its transactions`;
    step.met += consumed - before.consumed;
    if (state.consumed !== consumed) return `${state.consumed} transactions are counted, ${consumed} committed`;
    let used = 0;
    for (const { kind } of events) if (USES_NONCE.has(kind)) used++;
    return used === consumed - before.consumed ? undefined : `${used} nonces are reported as used`;
  },
});

const USES_NONCE: ReadonlySet<string> = new Set(["nonceAdvanced", "laneAdvanced", "nonceUsed"]);

/** Whether a nonce lies within a window and is unused (NON-2); marks it as used. */
function takesFromWindow(windows: Windows, lane: Lane, nonce: number, next: number, window: number): boolean {
  const highest = next - 1;
  const used = windows.get(lane);
  if (nonce <= Math.max(-1, highest - window) || nonce > highest + window || used.has(nonce)) return false;
  used.add(nonce);
  return true;
}

/** Used nonces of trading lanes with a window: before the block, plus those of its transactions. */
class Windows {
  readonly #before: State;
  readonly #used = new Map<Lane, Set<number>>();
  /** Rows of agents' lanes before the block, filled on the first use. */
  #rows: Map<string, LaneRow> | undefined;

  constructor(before: State) {
    this.#before = before;
  }

  get(lane: Lane): Set<number> {
    let used = this.#used.get(lane);
    if (used === undefined) {
      used = this.#read(lane);
      this.#used.set(lane, used);
    }
    return used;
  }

  #read(lane: Lane): Set<number> {
    const { accounts, lanes, ownerNonces, agentNonces } = this.#before;
    if (typeof lane === "string") {
      this.#rows ??= new Map(
        Array.from({ length: lanes.rows.high }, (_, row) => [
          nameTrading(this.#before, row as LaneRow),
          row as LaneRow,
        ]),
      );
      const row = this.#rows.get(lane);
      return row === undefined ? new Set() : readUsed(agentNonces, row, lanes.nonceTrading[row]!);
    }
    const account = Math.floor(lane / LANES) as AccountRow;
    if (lane < 0 || !accounts.rows.isLive(account)) return new Set();
    return readUsed(ownerNonces, account, accounts.nonceTrading[account]!);
  }

  /** The first lane whose used nonces differ from those of its transactions. */
  compare(state: State, lanes: Lanes): Lane | undefined {
    const before = this.#before;
    if (state.nonceWindow === 0) return undefined;
    const { accounts, lanes: agents, ownerNonces, agentNonces } = state;
    for (const account of listAccounts(state)) {
      const lane = ownerLane(account, "trading");
      const next = accounts.nonceTrading[account]!;
      const isStill = !this.#used.has(lane) && before.accounts.rows.isLive(account);
      if (
        isStill &&
        next === before.accounts.nonceTrading[account] &&
        isAlike(ownerNonces, before.ownerNonces, account)
      )
        continue;
      if (this.#differs(lane, readUsed(ownerNonces, account, next), lanes)) return lane;
    }
    for (let row = 0 as LaneRow; row < agents.rows.high; row++) {
      const next = agents.nonceTrading[row]!;
      const isStill = row < before.lanes.rows.high && next === before.lanes.nonceTrading[row];
      const lane = nameTrading(state, row);
      if (isStill && !this.#used.has(lane) && isAlike(agentNonces, before.agentNonces, row)) continue;
      if (this.#differs(lane, readUsed(agentNonces, row, next), lanes)) return lane;
    }
    return undefined;
  }

  #differs(lane: Lane, used: ReadonlySet<number>, lanes: Lanes): boolean {
    const from = lanes.next(lane) - this.#before.nonceWindow;
    const wanted = [...this.get(lane)].filter((nonce) => nonce >= from);
    return wanted.length !== used.size || wanted.some((nonce) => !used.has(nonce));
  }
}

/** Whether a row has the same bits in both. */
function isAlike(one: State["ownerNonces"], other: State["ownerNonces"], row: number): boolean {
  for (let place = 0; place < one.words; place++) if (one.word(row, place) !== other.word(row, place)) return false;
  return true;
}

/** The trading lane of an agent. */
function nameTrading(state: State, row: LaneRow): string {
  const { lanes } = state;
  return `${lanes.account[row]} ${addressOfAgent(state, lanes.agent[row]!)} trading`;
}

/** A lane: a number for authorities and owners, a text for agents. */
type Lane = number | string;

/** Owners' lanes start at `account * LANES`, authorities' lanes are below zero. */
const LANES = 8;

function ownerLane(account: number, domain: string): Lane {
  return account * LANES + DOMAINS.indexOf(domain as never);
}

function authorityLane(state: State, signer: string): Lane {
  const { oracle, faucet, operator } = state.genesis.authorities;
  return -1 - [oracle, faucet, operator].indexOf(signer as never);
}

function nameOfLane(lane: Lane): string {
  if (typeof lane === "string") return lane;
  return lane < 0 ? `authority ${-1 - lane}` : `${Math.floor(lane / LANES)} ${DOMAINS[lane % LANES]}`;
}

/** Next nonces by lane: before the block, advanced by its transactions. */
class Lanes {
  readonly #before: State;
  /** Agents' lanes before the block, filled on the first use. */
  #agents: ReadonlyMap<string, number> | undefined;
  readonly taken = new Map<Lane, number>();

  constructor(before: State) {
    this.#before = before;
  }

  next(lane: Lane): number {
    return this.taken.get(lane) ?? this.#start(lane);
  }

  #start(lane: Lane): number {
    if (typeof lane === "string") {
      this.#agents ??= readAgents(this.#before);
      return this.#agents.get(lane) ?? 0;
    }
    if (lane < 0) return this.#before.authorityNonces[-1 - lane] ?? 0;
    const account = Math.floor(lane / LANES);
    if (!this.#before.accounts.rows.isLive(account)) return 0;
    return columnsOf(this.#before)[lane % LANES]![account as AccountRow]!;
  }

  /** The first lane whose next nonce differs from its transactions. */
  compare(state: State): string | undefined {
    for (let place = 0; place < state.authorityNonces.length; place++) {
      const found = this.#compareLane(-1 - place, state.authorityNonces[place]!);
      if (found !== undefined) return found;
    }
    const columns = columnsOf(state);
    const before = columnsOf(this.#before);
    for (let account = 0 as AccountRow; account < state.accounts.rows.high; account++) {
      if (!state.accounts.rows.isLive(account)) continue;
      const wasThere = this.#before.accounts.rows.isLive(account);
      for (let place = 0; place < columns.length; place++) {
        const lane = account * LANES + place;
        const next = columns[place]![account];
        // Most lanes are at rest.
        if (wasThere && next === before[place]![account] && !this.taken.has(lane)) continue;
        const found = this.#compareLane(lane, next);
        if (found !== undefined) return found;
      }
    }
    // Most blocks use no agent's nonce; then no agent's lane may have changed.
    if (this.#agents === undefined && isUnmoved(this.#before, state)) return undefined;
    for (const [lane, next] of readAgents(state)) {
      const found = this.#compareLane(lane, next);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #compareLane(lane: Lane, next: number): string | undefined {
    const led = this.next(lane);
    return next === led ? undefined : `${nameOfLane(lane)} is at ${next}, its transactions lead to ${led}`;
  }
}

/** Next nonces of owners, in the order of DOMAINS. */
function columnsOf({ accounts }: State) {
  return [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin];
}

/** Whether no lane of an agent has changed. */
function isUnmoved({ lanes: before }: State, { lanes: after }: State): boolean {
  if (before.rows.high !== after.rows.high) return false;
  for (let row = 0 as LaneRow; row < after.rows.high; row++) {
    const isSame =
      before.account[row] === after.account[row] &&
      before.agent[row] === after.agent[row] &&
      before.nonceTrading[row] === after.nonceTrading[row] &&
      before.nonceRisk[row] === after.nonceRisk[row] &&
      before.nonceFunds[row] === after.nonceFunds[row] &&
      before.nonceAdmin[row] === after.nonceAdmin[row];
    if (!isSame) return false;
  }
  return true;
}

/** Next nonces of agents. */
function readAgents(state: State): Map<string, number> {
  const nonces = new Map<string, number>();
  const { lanes } = state;
  for (let row = 0; row < lanes.rows.high; row++) {
    const lane = row as LaneRow;
    const address = addressOfAgent(state, lanes.agent[lane]!);
    const columns = [lanes.nonceTrading, lanes.nonceRisk, lanes.nonceFunds, lanes.nonceAdmin];
    for (const [place, column] of columns.entries()) {
      nonces.set(`${lanes.account[lane]} ${address} ${DOMAINS[place]}`, column[lane]!);
    }
  }
  return nonces;
}
