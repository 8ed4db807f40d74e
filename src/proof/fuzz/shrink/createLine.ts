import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import { type ActionName, DOMAIN_OF } from "../../../protocol/actions/index.ts";
import type { TransactionLine } from "./script.ts";

/** Fields of a new line. */
export interface LineInit {
  readonly number: number;
  readonly action: ActionName;
  readonly account: AccountKey;
  readonly payload: object;
  /** Default: the domain of the action; for an action of any domain, `trading`. */
  readonly domain?: Domain;
}

/** Creates a transaction signed by the account's owner, next in its lane, with a valid header. */
export function createLine({ number, action, account, payload, domain }: LineInit): TransactionLine {
  return {
    kind: "transaction",
    number,
    action,
    account,
    payload,
    links: [],
    signer: account.address,
    grant: undefined,
    domain: domain ?? DOMAIN_OF[action],
    nonce: 0,
    validFrom: 0,
    validUntil: 0,
    network: undefined,
    version: undefined,
    envelope: undefined,
    replaces: undefined,
    clientTxId: "",
    verdict: true,
  };
}
