import { NONE } from "../../../ground/collections/table.ts";
import { AUTHORITIES, DOMAINS } from "../../../protocol/action.ts";
import { ACTION_NAMES, actions } from "../../../protocol/actions/index.ts";
import { INVALID_PLACES, type InvalidCode } from "../../../protocol/rejections.ts";
import { type Transaction, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { findAccount } from "../state/accounts.ts";
import type { AccountRow, AuthorizationRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { checkAgent } from "./checkAgent.ts";
import { advanceLane, findLane, getLaneNonce } from "./lanes.ts";

/** The data of an action that admission needs, by its code. */
const RULES = ACTION_NAMES.map((name) => {
  const { domain, scope, authority, carries } = { authority: undefined, carries: false, ...actions[name] };
  return { domain, scope, carries, authority: authority === undefined ? NONE : AUTHORITIES.indexOf(authority) };
});

/** Whether the action is a system transaction: those come first in a block (NET-2). */
export function isSystem(code: number): boolean {
  return SYSTEM[code] === 1;
}

/** 1 for the codes of system transactions: every block asks for each of its transactions. */
const SYSTEM = Uint8Array.from(RULES, ({ authority, carries }) => (authority !== NONE && !carries ? 1 : 0));

/**
 * Whether a transaction may commit at a height (TX, VAL, NON), in order of precedence. Writes nothing.
 *
 * @param height the present block's; a pending pool asks for the next one
 * @returns undefined if so, else the code of the receipt
 */
export function checkAdmission(
  state: State,
  transaction: Transaction,
  account: AccountRow,
  height: number = state.height,
): InvalidCode | undefined {
  const { header } = transaction;
  const { genesis } = state;
  if (header.network !== genesis.network) return "WRONG_NETWORK";
  if (header.protocolVersion !== genesis.protocolVersion || header.envelopeVersion !== genesis.envelopeVersion) {
    return "WRONG_VERSION";
  }
  if (!transaction.verdict) return "INVALID_SIGNATURE";
  const rules = RULES[transaction.code]!;
  const system = rules.authority !== NONE;
  if (system) {
    const key = genesis.authorities[AUTHORITIES[rules.authority]!];
    if (header.signer !== key || header.account.address !== key || header.account.subaccount !== 0)
      return "NOT_AUTHORITY";
  } else {
    if (account === NONE) return "ACCOUNT_NOT_FOUND";
    if (header.signer !== header.account.address) {
      const refused = checkAgent(state, header, account);
      if (refused !== undefined) return refused;
    } else if (header.authorization !== ZERO_BYTES32) {
      return "AUTHORIZATION_FOREIGN";
    }
  }
  if (rules.domain === "any" ? header.nonceDomain === "system" : header.nonceDomain !== rules.domain)
    return "WRONG_DOMAIN";
  if (!(header.validUntil - header.validFrom <= genesis.validityMax)) return "VALIDITY_TOO_LONG";
  if (header.validFrom > height) return "NOT_YET_VALID";
  if (header.validUntil < height) return "EXPIRED";
  const next = getNextNonce(state, transaction, account);
  if (state.nonceWindow !== 0 && header.nonceDomain === "trading")
    return checkWindow(state, transaction, account, next);
  if (header.nonce < next) return "NONCE_TOO_LOW";
  if (header.nonce > next) return "NONCE_GAP";
  return undefined;
}

/** Whether the window of a trading lane admits a nonce (NON-2). */
function checkWindow(
  state: State,
  { header }: Transaction,
  account: AccountRow,
  next: number,
): InvalidCode | undefined {
  const { nonce } = header;
  const { nonceWindow } = state;
  if (nonce < 0 || nonce < next - nonceWindow) return "NONCE_TOO_LOW";
  if (nonce >= next) return nonce < next + nonceWindow ? undefined : "NONCE_GAP";
  if (header.signer === header.account.address) return state.ownerNonces.has(account, nonce) ? "NONCE_USED" : undefined;
  const lane = findLane(state, account, state.authorizations.agent[state.grants.find(header.authorization)]);
  return lane !== NONE && state.agentNonces.has(lane, nonce) ? "NONCE_USED" : undefined;
}

/** The account that a transaction acts for; NONE where an authority signs, and for unknown accounts. */
export function findActor(state: State, transaction: Transaction): AccountRow {
  const signed = RULES[transaction.code]!.authority !== NONE;
  return signed ? (NONE as AccountRow) : findAccount(state, transaction.header.account);
}

/** Grant under which an admissible transaction was signed; NONE where the account's owner or an authority signed. */
export function findGrant(state: State, { header }: Transaction): AuthorizationRow {
  const agent = header.signer !== header.account.address;
  return agent ? state.grants.find(header.authorization) : (NONE as AuthorizationRow);
}

/**
 * The nonce that commits next in the lane of a transaction: one more than the highest used one. For an unknown account
 * it is the first of any lane.
 */
export function getNextNonce(state: State, transaction: Transaction, account: AccountRow): number {
  const { accounts } = state;
  const { header } = transaction;
  if (header.signer !== header.account.address) {
    return getLaneNonce(state, account, state.grants.find(header.authorization), header.nonceDomain);
  }
  switch (header.nonceDomain) {
    case "trading":
      return accounts.nonceTrading[account];
    case "risk":
      return accounts.nonceRisk[account];
    case "funds":
      return accounts.nonceFunds[account];
    case "admin":
      return accounts.nonceAdmin[account];
    case "system":
      return state.authorityNonces[RULES[transaction.code]!.authority]!;
  }
}

/** Uses up the nonce of a committed transaction (NON-3). */
export function advanceNonce(
  state: State,
  transaction: Transaction,
  account: AccountRow,
  grant: AuthorizationRow,
): void {
  const { accounts } = state;
  const { nonceDomain, nonce } = transaction.header;
  const next = nonce + 1;
  if (grant !== NONE) {
    advanceLane(state, account, grant, nonceDomain, nonce);
    state.consumed++;
    return;
  }
  let who: number = account;
  switch (nonceDomain) {
    case "trading":
      if (state.nonceWindow !== 0) {
        useOwnerNonce(state, account, nonce);
        return;
      }
      accounts.nonceTrading[account] = next;
      break;
    case "risk":
      accounts.nonceRisk[account] = next;
      break;
    case "funds":
      accounts.nonceFunds[account] = next;
      break;
    case "admin":
      accounts.nonceAdmin[account] = next;
      break;
    case "system": {
      const { authority } = RULES[transaction.code]!;
      state.authorityNonces[authority] = next;
      who = -1 - authority;
    }
  }
  state.consumed++;
  state.events.nonceAdvanced({ account: who, domain: DOMAINS.indexOf(nonceDomain), next });
}

/** Uses up a nonce of the owner's trading lane, where it has a window. */
function useOwnerNonce(state: State, account: AccountRow, nonce: number): void {
  const { accounts } = state;
  const next = state.ownerNonces.use(account, accounts.nonceTrading[account], nonce);
  accounts.nonceTrading[account] = next;
  state.consumed++;
  state.events.nonceUsed({ account, lane: NONE, nonce, next });
}

/** Place of an invalid code in a receipt: below zero. */
export function invalidReceipt(code: InvalidCode): number {
  return -1 - INVALID_PLACES[code];
}
