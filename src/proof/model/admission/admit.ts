import type { InvalidCode } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { findAccount } from "../accounts.ts";
import { TABLE } from "../actions/table.ts";
import { admitSigner } from "../authorization/admit.ts";
import type { Actor, ModelState } from "../state.ts";
import { judgeNonce } from "./nonces.ts";

/**
 * Whether a transaction may commit at this height: the first fault in the order of the codes, or the actor (TX, VAL,
 * NON).
 */
export function admit(state: ModelState, transaction: Transaction): { code: InvalidCode } | { actor?: Actor } {
  const { genesis, height } = state;
  const { header } = transaction;
  const { domain, authority } = TABLE[transaction.action];
  if (header.network !== genesis.network) return { code: "WRONG_NETWORK" };
  if (header.protocolVersion !== genesis.protocolVersion || header.envelopeVersion !== genesis.envelopeVersion)
    return { code: "WRONG_VERSION" };
  if (!transaction.verdict) return { code: "INVALID_SIGNATURE" };
  let actor: Actor | undefined;
  if (authority !== undefined) {
    const key = genesis.authorities[authority];
    const { account, signer } = header;
    if (signer !== key || account.address !== key || account.subaccount !== 0) return { code: "NOT_AUTHORITY" };
  } else {
    const account = findAccount(state, header.account.address, header.account.subaccount);
    if (account === undefined) return { code: "ACCOUNT_NOT_FOUND" };
    const admitted = admitSigner(state, account, transaction);
    if ("code" in admitted) return admitted;
    actor = { account, grant: admitted.grant };
  }
  if (domain === "any" ? header.nonceDomain === "system" : header.nonceDomain !== domain)
    return { code: "WRONG_DOMAIN" };
  if (header.validUntil - header.validFrom > genesis.validityMax) return { code: "VALIDITY_TOO_LONG" };
  if (header.validFrom > height) return { code: "NOT_YET_VALID" };
  if (header.validUntil < height) return { code: "EXPIRED" };
  const code = judgeNonce(state, transaction);
  if (code !== undefined) return { code };
  return actor === undefined ? {} : { actor };
}
