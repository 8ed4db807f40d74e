import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORITIES, type Domain } from "../../../protocol/action.ts";
import { ACTION_CODES, type ActionName, actions } from "../../../protocol/actions/index.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import {
  type Block,
  ENVELOPE_VERSION,
  PROTOCOL_VERSION,
  type Transaction,
  ZERO_BYTES32,
} from "../../../protocol/transaction.ts";
import { createDigester, type Digester } from "../../../protocol/typedDataDigest.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { findAgent } from "../../../venue/engine/authorization/agents.ts";
import { findLane } from "../../../venue/engine/authorization/lanes.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import type { Crash } from "../case/crash.ts";
import { carriedOf, countCommitted, draftCarried } from "./carried.ts";
import { fillLine } from "./links.ts";
import type { Line, Link, TransactionLine } from "./script.ts";

/** Order in a block: oracle updates, other system transactions, users. */
export const RANKS = Object.fromEntries(
  Object.values(actions).map((action) => {
    if (action.name === "oracleUpdate") return [action.name, 0];
    return [action.name, action.domain === "system" && !("carries" in action) ? 1 : 2];
  }),
) as { readonly [A in ActionName]: number };

/** A block made of lines. */
export interface Played {
  readonly block: Block;
  /** Line of each transaction, in the order of the block. */
  readonly lines: readonly TransactionLine[];
  /** Index of the first line after it. */
  readonly next: number;
  readonly crash: Crash["way"] | undefined;
}

/**
 * Builds blocks from the lines of a script, on a venue that it reads. Nonces follow the lanes; ids are those that the
 * lines received when they were played. Within a block, a transaction with a valid header counts as committed.
 */
export class Player {
  /** Number of transactions committed before each line was played, by line number; 0 for lines not played. */
  readonly bases: Float64Array;
  readonly #grants = new Map<number, Transaction>();
  #digester: Digester | undefined;

  /** @param most highest number of a line */
  constructor(most: number) {
    this.bases = new Float64Array(most + 1);
  }

  /** Restarts after lines that were played before. */
  restore(lines: readonly Line[], count: number, from: Player): void {
    this.bases.fill(0);
    this.#grants.clear();
    for (let at = 0; at < count; at++) {
      const line = lines[at]!;
      if (line.kind === "block") continue;
      this.bases[line.number] = from.bases[line.number]!;
      const grant = from.#grants.get(line.number);
      if (grant !== undefined) this.#grants.set(line.number, grant);
    }
  }

  /** Builds the block that starts at a line. */
  build(state: State, lines: readonly Line[], at: number): Played {
    const own: TransactionLine[] = [];
    let next = at;
    let afterMs = 1000;
    let crash: Played["crash"];
    let rank = 0;
    let sorted = true;
    for (; next < lines.length; next++) {
      const line = lines[next]!;
      if (line.kind === "block") {
        ({ afterMs, crash } = line);
        next++;
        break;
      }
      own.push(line);
      const { action } = line;
      if (RANKS[action] < rank) sorted = false;
      rank = RANKS[action];
    }
    if (!sorted) own.sort((a, b) => RANKS[a.action] - RANKS[b.action]);
    const height = state.height + 1;
    const timeMs = state.timeMs + afterMs;
    const lanes = new Map<string, number>();
    let consumed = state.consumed;
    const transactions = own.map((line): Transaction => {
      this.bases[line.number] = consumed;
      const admissible = isAdmissible(line, state.nonceWindow);
      const transaction = this.#sign(state, line, lanes, height, timeMs, admissible);
      if (admissible) consumed += 1 + takeCarried(state, line.action, line.payload, lanes);
      const grant = line.action === "grantAuthorization" ? transaction : draftGrant(state, transaction, lanes, height);
      if (grant !== undefined) this.#grants.set(line.number, grant);
      return transaction;
    });
    return { block: { height, timeMs, transactions }, lines: own, next, crash };
  }

  /** Records the venue's result of a block. */
  note(state: State, { lines }: Played, { receipts }: BlockResult): void {
    let consumed = state.consumed;
    for (let index = lines.length - 1; index >= 0; index--) {
      const { number, action } = lines[index]!;
      consumed -= countCommitted(action, receipts, index);
      this.bases[number] = consumed;
    }
  }

  #sign(
    state: State,
    line: TransactionLine,
    lanes: Map<string, number>,
    height: number,
    timeMs: number,
    admissible: boolean,
  ): Transaction {
    const { account, signer, domain } = line;
    const lane = laneOf(line);
    const next = lanes.get(lane) ?? getNextNonce(state, account, signer, domain);
    const nonce = next + line.nonce;
    lanes.set(lane, admissible ? Math.max(next, nonce + 1) : next);
    const { genesis } = state;
    return {
      action: line.action,
      code: ACTION_CODES[line.action],
      header: {
        network: line.network ?? genesis.network,
        protocolVersion: line.version ?? PROTOCOL_VERSION,
        envelopeVersion: line.envelope ?? ENVELOPE_VERSION,
        account,
        signer,
        authorization: this.#grantOf(state, line.grant),
        nonceDomain: domain,
        nonce,
        // A committed transaction has no negative height, even if earlier blocks were dropped; an invalid one may have
        // any.
        validFrom: line.validFrom < -height ? 0 : height + line.validFrom,
        validUntil: height + line.validUntil,
        replaces: line.replaces ?? ZERO_BYTES32,
        clientTxId: line.clientTxId,
      },
      payload: (line.links.length === 0
        ? line.payload
        : fillLine(line, (link) => this.#valueOf(state, link, height, timeMs))) as never,
      verdict: line.verdict,
    };
  }

  #valueOf(state: State, link: Link, height: number, timeMs: number): unknown {
    switch (link.to) {
      case "id":
        return this.bases[link.line] ? this.bases[link.line]! * ORDERS_PER_TRANSACTION + link.part : NO_ORDER;
      case "grant":
        return this.#grantOf(state, link.line);
      case "height":
        return Math.max(1, height + link.after);
      case "time":
        return Math.max(1, timeMs + link.after);
    }
  }

  #grantOf(state: State, grant: TransactionLine["grant"]): Bytes32 {
    if (grant === undefined) return ZERO_BYTES32;
    if (typeof grant === "string") return grant;
    const transaction = this.#grants.get(grant);
    if (transaction === undefined) return MISSING;
    this.#digester ??= state.digester ?? createDigester(signingDomainOf(state.genesis));
    return this.#digester.digestOf(transaction);
  }
}

/**
 * Takes the nonce of a carried transaction.
 *
 * @returns number of carried transactions: 0 or 1
 */
export function takeCarried(state: State, action: ActionName, payload: object, lanes: Map<string, number>): number {
  const carried = carriedOf(action, payload);
  if (carried === undefined) return 0;
  const { account, domain } = carried;
  const lane = nameLane(account, account.address, domain);
  lanes.set(lane, 1 + (lanes.get(lane) ?? getNextNonce(state, account, account.address, domain)));
  return 1;
}

/** The grant that a carried transaction makes, after its nonce was taken; undefined if it makes none. */
export function draftGrant(
  { genesis }: State,
  { action, payload }: Pick<Transaction, "action" | "payload">,
  lanes: ReadonlyMap<string, number>,
  height: number,
): Transaction | undefined {
  const carried = carriedOf(action, payload);
  if (carried?.action !== "grantAuthorization") return undefined;
  const next = lanes.get(nameLane(carried.account, carried.account.address, carried.domain));
  return next === undefined ? undefined : draftCarried(carried, next - 1, height, genesis.network);
}

/** A lane as one text. */
export function nameLane({ address, subaccount }: AccountKey, signer: Address, domain: Domain): string {
  return `${address}/${subaccount} ${signer} ${domain}`;
}

/** Lane names by line, built once: lines are played thousands of times. */
const LANES = new WeakMap<TransactionLine, string>();

function laneOf(line: TransactionLine): string {
  let lane = LANES.get(line);
  if (lane === undefined) {
    lane = nameLane(line.account, line.signer, line.domain);
    LANES.set(line, lane);
  }
  return lane;
}

/** An order that never existed: ids start after it. */
const NO_ORDER = ORDERS_PER_TRANSACTION - 1;
/** Id of a grant that does not exist. */
const MISSING: Bytes32 = `0x${"f".repeat(64)}`;

/** True if the header of a line is valid, so that it commits unless its account, grant or key is unknown. */
export function isAdmissible(line: TransactionLine, nonceWindow: number): boolean {
  const { domain } = actions[line.action];
  if (domain === "any" ? line.domain === "system" : line.domain !== domain) return false;
  const isWindow = nonceWindow !== 0 && line.domain === "trading";
  return (
    line.verdict &&
    line.network === undefined &&
    line.version === undefined &&
    line.envelope === undefined &&
    line.validFrom <= 0 &&
    line.validUntil >= 0 &&
    (line.signer === line.account.address) === (line.grant === undefined) &&
    (isWindow ? line.nonce >= -nonceWindow && line.nonce < nonceWindow : line.nonce === 0)
  );
}

/** The next nonce of a lane; 0 if the lane does not exist yet. */
export function getNextNonce(state: State, account: AccountKey, signer: Address, domain: Domain): number {
  if (domain === "system") {
    const { authorities } = state.genesis;
    const place = AUTHORITIES.findIndex((name) => authorities[name] === account.address);
    return place < 0 ? 0 : state.authorityNonces[place]!;
  }
  const row = findAccount(state, account);
  if (row === NONE) return 0;
  let lanes: Readonly<Record<(typeof NONCES)[keyof typeof NONCES], ArrayLike<number>>> = state.accounts as never;
  let at: number = row;
  if (signer !== account.address) {
    const agent = findAgent(state, new AccountKey(signer, 0));
    at = agent === NONE ? NONE : findLane(state, row, agent);
    if (at === NONE) return 0;
    lanes = state.lanes as never;
  }
  return lanes[NONCES[domain]][at]!;
}

const NONCES = { trading: "nonceTrading", risk: "nonceRisk", funds: "nonceFunds", admin: "nonceAdmin" } as const;
