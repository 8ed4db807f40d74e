import { NONE } from "../../../ground/collections/table.ts";
import type { ActionEvents } from "../../../protocol/action.ts";
import { type ActionName, actions, type Payloads } from "../../../protocol/actions/index.ts";
import { type EventOf, listMoves } from "../../../protocol/events.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import type { Moment } from "../machinery/moment.ts";

export const movesExactly = defineInvariant({
  id: "movesExactly",
  sentence:
    "A deposit, mint, withdrawal or transfer moves exactly the requested amount, which is positive, and nothing else.",
  rules: ["ACT", "POS-4"],
  catalogue: ["T10", "G05"],
  when: "transaction",
  kinds: listMoves("in", "out", "within"),
  moments: ["transaction"],
  touched(moment) {
    const { transaction, ledger, index } = moment;
    // An impersonated action carries its amount in the inner payload.
    if (transaction === undefined || moment.code !== 0 || transaction.action === "devnetImpersonate") return undefined;
    moment.met++;
    const { amount } = transaction.payload as Payloads["withdraw"];
    const name = `transaction ${index}`;
    if (!(amount > 0)) return `${name} moves ${amount}`;
    const { collateral, inflows, withdrawals } = ledger.deltas;
    const came = BigInt(SIGN[wayOf(transaction.action)] * amount);
    if (collateral.value() !== came) return `${name} asks for ${amount}, and collateral moves by ${collateral.value()}`;
    if (inflows.value() - withdrawals.value() !== came)
      return `${name} asks for ${amount}, and ${inflows.value()} came in`;
    return transaction.action === "deposit"
      ? checkReference(moment, transaction.payload as Payloads["deposit"])
      : undefined;
  },
});

const SIGN = { in: 1, out: -1, within: 0 } as const;

/** The way in which an action moves collateral, by its event. */
function wayOf(action: ActionName): keyof typeof SIGN {
  const events: ActionEvents = actions[action].events;
  return Object.values(events)[0]?.moves ?? "within";
}

/** A `deposited` event carries the reference of its transaction. */
function checkReference(moment: Moment, { reference }: Payloads["deposit"]): string | undefined {
  const place = moment.events.find(({ kind }) => kind === "deposited") as EventOf<"deposited">;
  const reported = place.reference === NONE ? "" : moment.state.events.texts[place.reference];
  return reported === reference
    ? undefined
    : `transaction ${moment.index} has the reference ${reference}, its event has ${reported}`;
}
