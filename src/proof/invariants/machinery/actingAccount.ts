import { NONE } from "../../../ground/collections/table.ts";
import { ACTION_CODES } from "../../../protocol/actions/index.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { findActor } from "../../../venue/engine/authorization/admission.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { NONCE, USED } from "./ledger/post.ts";
import type { Moment } from "./moment.ts";

/** The account that signed a transaction, or in whose name the operator acted; NONE for none. */
export function findActingAccount(
  state: State,
  transaction: Transaction,
  { data, from, to }: Pick<Moment, "data" | "from" | "to">,
): AccountRow {
  const signed = findActor(state, transaction);
  if (transaction.code !== ACTION_CODES.devnetImpersonate) return signed;
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
    if (data[at] === EVENT_CODES.nonceUsed) return data[at + USED.account]! as AccountRow;
    if (data[at] === EVENT_CODES.nonceAdvanced && data[at + NONCE.account]! >= 0)
      return data[at + NONCE.account]! as AccountRow;
  }
  return NONE as AccountRow;
}
