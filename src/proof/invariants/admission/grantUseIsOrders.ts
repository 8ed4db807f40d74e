import type { Payloads } from "../../../protocol/actions/index.ts";
import { ORDER_TYPE, POST_ONLY } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

const { authorization, day, used } = AT.authorizationUsed;

/** Day and sum by grant. */
type Used = Map<number, { readonly day: number; readonly used: number }>;

const DAY_MS = 86_400_000;

/** Price and size on the wire are in 1e-8; a quote unit is 1e-6. */
const PER_UNIT = 10n ** 10n;

export const grantUseIsOrders = defineInvariant({
  id: "grantUseIsOrders",
  sentence:
    "The daily use of a grant starts from zero in each day and grows with every order that counts, by the exact value of a limit order that was placed.",
  rules: ["AUT"],
  catalogue: ["T06"],
  when: "events",
  kinds: ["authorizationUsed"],
  start: readUsed,
  event(moment, at, known) {
    const { data, state } = moment;
    moment.met++;
    const grant = data[at + authorization]!;
    const now = { day: data[at + day]!, used: data[at + used]! };
    const before = known.get(grant);
    known.set(grant, now);
    if (now.day !== Math.floor(state.timeMs / DAY_MS))
      return `grant ${grant} uses day ${now.day} at ${state.timeMs} ms`;
    const added = now.used - (before?.day === now.day ? before.used : 0);
    if (added <= 0) return `grant ${grant} uses ${added} for an order`;
    const value = findValue(moment);
    if (value === undefined || BigInt(added) === value) return undefined;
    return `grant ${grant} uses ${added} for an order of ${value}`;
  },
});

function readUsed({ authorizations }: State): Used {
  const known: Used = new Map();
  for (let grant = 0; grant < authorizations.rows.high; grant++) {
    known.set(grant, { day: authorizations.day[grant as never]!, used: authorizations.used[grant as never]! });
  }
  return known;
}

/** Value of a single limit order at its price; undefined for all that set their price otherwise. */
function findValue({ transaction }: Moment): bigint | undefined {
  if (transaction?.action !== "placeOrder") return undefined;
  const { orderType, price, size, postOnly } = transaction.payload as Payloads["placeOrder"];
  if (orderType !== ORDER_TYPE.limit || postOnly === POST_ONLY.slide) return undefined;
  return (BigInt(price) * BigInt(size)) / PER_UNIT;
}
