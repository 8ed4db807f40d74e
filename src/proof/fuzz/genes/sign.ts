/** Headers of genes: mostly valid ones. */
import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import { type ActionName, actions, type Payloads } from "../../../protocol/actions/index.ts";
import { createTransaction, type TransactionInit } from "../../../protocol/createTransaction.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { idOfGrant } from "../../../venue/engine/authorization/addGrant.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { type BlockBuilder, CARRIER_NONCE } from "./blockBuilder.ts";
import { findGrant } from "./references.ts";

/** Header choices below this are signed by the owner, later ones by an agent, the last ones are faulty. */
export const OWNER_BELOW = 0xc000;
export const AGENT_BELOW = 0xf800;
/** Detail of a faulty header that reuses the previous nonce. */
export const NONCE_REUSED = 23;
/** Nonce choices below this use the next nonce, also in a lane with a window. */
const NEXT_BELOW = 0xf000;

const LANES = ["trading", "risk", "funds", "admin"] as const;

/** Signs a user's transaction: by the owner, by an agent if there is one, or with a faulty header. */
export function signUser<A extends ActionName>(
  builder: BlockBuilder,
  account: AccountRow,
  action: A,
  payload: Payloads[A],
): Transaction {
  const { scene, state, header, detail } = builder;
  const { domain } = actions[action];
  const nonceDomain = domain === "any" ? LANES[detail % 4]! : (domain as Domain);
  const init = { action, account: scene.keyOf(account), payload, nonceDomain, nonce: 0, ...getValidity(builder) };
  if (header >= AGENT_BELOW) return spoil(builder, init, () => scene.takeNonce(account, nonceDomain));
  // Mostly a usable grant.
  const grant =
    header < OWNER_BELOW
      ? NONE
      : header % 8 === 0
        ? scene.pickGrant(builder.choices, account)
        : findGrant(state, header >> 3, account);
  if (grant === NONE) return withNonce(builder, init, scene.takeNonce(account, nonceDomain));
  const agent = { signer: state.grants.agents[grant]!, authorization: idOfGrant(state, grant as never) };
  return withNonce(builder, { ...init, ...agent }, scene.takeAgentNonce(account, grant as never, nonceDomain));
}

/** Signs an authority's transaction. */
export function signSystem<A extends ActionName>(builder: BlockBuilder, action: A, payload: Payloads[A]): Transaction {
  const { authority } = { authority: "operator" as const, ...actions[action] };
  const account = builder.authorities[authority];
  const init = { action, account, payload, nonce: 0, ...getValidity(builder) };
  const take = () => builder.scene.takeAuthorityNonce(authority);
  if (builder.header >= AGENT_BELOW) return spoil(builder, init, take);
  if (action === "devnetImpersonate") return createTransaction({ ...init, nonce: CARRIER_NONCE });
  return createTransaction({ ...init, nonce: take() });
}

/** Valid from the current block on, for the maximum time that the venue allows. */
function getValidity({ state, profile }: BlockBuilder): { readonly validFrom: number; readonly validUntil: number } {
  const height = state.height + 1;
  return { validFrom: height, validUntil: height + profile.genesis.validityMax };
}

function withNonce<A extends ActionName>(builder: BlockBuilder, init: TransactionInit<A>, next: number): Transaction {
  const { nonceWindow } = builder.state;
  if (nonceWindow === 0 || init.nonceDomain !== "trading" || builder.nonce < NEXT_BELOW)
    return createTransaction({ ...init, nonce: next });
  const reach = nonceWindow + 1;
  return createTransaction({ ...init, nonce: Math.max(0, next - reach + (builder.nonce % (2 * reach))) });
}

/** A header with one fault, or at an edge. A faulty header consumes no nonce of its lane. */
function spoil<A extends ActionName>(builder: BlockBuilder, init: TransactionInit<A>, take: () => number): Transaction {
  const { validityMax } = builder.profile.genesis;
  const height = builder.state.height + 1;
  const good: readonly Partial<TransactionInit<A>>[] = [
    { validFrom: height, validUntil: height },
    { validFrom: Math.max(0, height - validityMax), validUntil: height },
    { validFrom: height, validUntil: height + validityMax },
    { clientTxId: "again", replaces: `0x${"cd".repeat(32)}` },
  ];
  const way = builder.detail % 24;
  const nonce = take();
  const signer = init.account.address;
  if (way < good.length) return createTransaction({ ...init, nonce, ...good[way] });
  builder.scene.giveBack();
  const bad: readonly Partial<TransactionInit<A>>[] = [
    { nonce: Math.max(0, nonce - 1) },
    { nonce: nonce + 1 },
    { nonce: nonce + 1_000_000 },
    { nonce: Math.max(0, nonce - 1 - builder.state.nonceWindow) },
    { nonce: nonce + builder.state.nonceWindow },
    { verdict: false },
    { signer: STRANGER.address },
    { account: STRANGER, signer: STRANGER.address },
    { network: "elsewhere" },
    { nonceDomain: init.nonceDomain === "funds" ? "risk" : "funds" },
    { nonceDomain: "system" },
    { validFrom: height + 1, validUntil: height + 1 },
    { validFrom: 0, validUntil: height - 1 },
    { validFrom: height, validUntil: height + validityMax + 1 },
    { authorization: `0x${"ab".repeat(32)}` },
    { authorization: `0x${"ab".repeat(32)}`, signer: STRANGER.address },
    ...listForeign(builder),
    // A valid key for another account.
    { account: builder.scene.keyOf((builder.actor % builder.state.accounts.rows.high) as AccountRow), signer },
    { account: new AccountKey(signer, (init.account.subaccount ^ 1) >>> 0), signer },
  ];
  const place = (builder.detail >> 5) % (bad.length + 2);
  if (place < bad.length) return createTransaction({ ...init, nonce, ...bad[place] });
  const transaction = createTransaction({ ...init, nonce });
  const version = place === bad.length ? { protocolVersion: 99 } : { envelopeVersion: 99 };
  return { ...transaction, header: { ...transaction.header, ...version } };
}

/** Picks any grant and signs as its agent. */
function listForeign({ state, detail }: BlockBuilder): { authorization: Bytes32; signer: Address }[] {
  const grant = findGrant(state, detail);
  if (grant === NONE) return [];
  return [{ authorization: idOfGrant(state, grant), signer: state.grants.agents[grant]! }];
}

/** An account that never had funds. */
const STRANGER = new AccountKey("0x00000000000000000000000000000000000bad00", 0);
