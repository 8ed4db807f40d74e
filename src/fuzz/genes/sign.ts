/** Headers of genes: mostly good ones. */
import { NONE } from "../../collections/table.ts";
import { idOfGrant } from "../../engine/authorization/addGrant.ts";
import type { AccountRow } from "../../engine/state/schema.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Domain } from "../../protocol/action.ts";
import { type ActionName, actions, type Payloads } from "../../protocol/actions/index.ts";
import { createTransaction, type TransactionInit } from "../../protocol/createTransaction.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { Desk } from "./desk.ts";

/** Header choices below this sign as the owner does; then an agent's, then spoilt ones. */
export const OWNER_BELOW = 0xa000;
export const AGENT_BELOW = 0xf000;

const LANES = ["trading", "risk", "funds", "admin"] as const;

/** Signs what a user does: as the owner, as an agent where there is one, or wrongly. */
export function signUser<A extends ActionName>(
  desk: Desk,
  account: AccountRow,
  action: A,
  payload: Payloads[A],
): Transaction {
  const { scene, state, header, detail } = desk;
  const { domain } = actions[action];
  const nonceDomain = domain === "any" ? LANES[detail % 4]! : (domain as Domain);
  const init = { action, account: scene.keyOf(account), payload, nonceDomain, nonce: 0, validFrom: state.height + 1 };
  if (header >= AGENT_BELOW) return spoil(desk, init, scene.takeNonce(account, nonceDomain));
  const grant = header < OWNER_BELOW ? NONE : scene.pickGrant(desk.choices, account);
  if (grant === NONE) return withNonce(desk, init, scene.takeNonce(account, nonceDomain));
  const agent = { signer: state.grants.agents[grant]!, authorization: idOfGrant(state, grant as never) };
  return withNonce(desk, { ...init, ...agent }, scene.takeAgentNonce(account, grant as never, nonceDomain));
}

/** Signs what an authority does. */
export function signSystem<A extends ActionName>(desk: Desk, action: A, payload: Payloads[A]): Transaction {
  const { authority } = { authority: "operator" as const, ...actions[action] };
  const account = new AccountKey(desk.profile.genesis.authorities[authority], 0);
  const init = { action, account, payload, nonce: 0, validFrom: desk.state.height + 1 };
  const nonce = desk.scene.takeAuthorityNonce(authority);
  return desk.header >= AGENT_BELOW ? spoil(desk, init, nonce) : withNonce(desk, init, nonce);
}

function withNonce<A extends ActionName>(desk: Desk, init: TransactionInit<A>, next: number): Transaction {
  const { nonceWindow } = desk.state;
  if (nonceWindow === 0 || init.nonceDomain !== "trading" || desk.nonce < 0xa000)
    return createTransaction({ ...init, nonce: next });
  const reach = nonceWindow + 1;
  return createTransaction({ ...init, nonce: next - reach + (desk.nonce % (2 * reach)) });
}

/** A header with one thing wrong, or at an edge. */
function spoil<A extends ActionName>(desk: Desk, init: TransactionInit<A>, nonce: number): Transaction {
  const { state } = desk;
  const { validityMax } = desk.profile.genesis;
  const height = state.height + 1;
  const stranger = new AccountKey("0x00000000000000000000000000000000000bad00", 0);
  const ways: readonly Partial<TransactionInit<A>>[] = [
    { nonce: nonce - 1 },
    { nonce: nonce + 1 },
    { verdict: false },
    { signer: stranger.address },
    { account: stranger, signer: stranger.address },
    { network: "elsewhere" },
    { nonceDomain: init.nonceDomain === "funds" ? "risk" : "funds" },
    { nonceDomain: "system" },
    { validFrom: height, validUntil: height },
    { validFrom: height + 1 },
    { validFrom: 0, validUntil: height - 1 },
    { validFrom: height, validUntil: height + validityMax },
    { validFrom: height, validUntil: height + validityMax + 1 },
    { validFrom: 0, validUntil: height },
    { nonce: -1 },
    { nonce: 1_000_000 },
    { nonce: 0 },
    { authorization: `0x${"ab".repeat(32)}` },
    { clientTxId: "again", replaces: `0x${"cd".repeat(32)}` },
  ];
  const way = desk.detail % (ways.length + 2);
  if (way < ways.length) return createTransaction({ ...init, nonce, ...ways[way] });
  const transaction = createTransaction({ ...init, nonce });
  const version = way === ways.length ? { protocolVersion: 99 } : { envelopeVersion: 99 };
  return { ...transaction, header: { ...transaction.header, ...version } };
}
