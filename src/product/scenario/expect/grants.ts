import { NONE } from "../../../ground/collections/table.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import type { AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { entriesOf, textOf } from "../parse/cell.ts";
import { either, key, map, mapOf, text, word } from "../shape/shape.ts";
import { compareValues, numberShape } from "./compare.ts";
import { defineExpectation } from "./expectation.ts";
import { usd } from "./units.ts";

const status = word([...AUTHORIZATION_STATUSES, "none"]);

const grantShape = map({
  status: key(status, "Status of the grant."),
  used: key(numberShape, "Value of the orders of its last day, in USD; counted where there is a daily limit."),
  openOrders: key(numberShape, "Orders that rest under it."),
  label: key(text(), "Its own name."),
});

export const grants = defineExpectation({
  shape: mapOf("$labels", /^\$[a-zA-Z][\w-]*$/, either(status, grantShape), "A grant by its label."),
  doc: "Grants to agents by label: their status, `none` for one that was not made, or values.",
  check(moment, cell) {
    const { state } = moment;
    for (const { key: label, value } of entriesOf(cell)) {
      const row = state.grants.find((moment.idOf(label, "transaction") ?? "") as Bytes32);
      if (value.kind === "map") {
        compareValues(moment, label, value, observeGrant(state, row));
        continue;
      }
      const expected = textOf(value) ?? "";
      const observed = statusOf(state, row);
      if (expected !== observed) moment.fail({ place: value.place, what: label, expected, observed });
    }
  },
});

function statusOf({ authorizations }: State, row: AuthorizationRow): string {
  return row === NONE ? "none" : AUTHORIZATION_STATUSES[authorizations.status[row]!]!;
}

function observeGrant(state: State, row: AuthorizationRow): Readonly<Record<string, () => string>> {
  const { authorizations, grants: texts } = state;
  const exists = row !== NONE;
  return {
    status: () => statusOf(state, row),
    used: () => usd(exists ? authorizations.used[row]! : 0),
    openOrders: () => String(exists ? authorizations.openOrders[row]! : 0),
    label: () => (exists ? texts.labels[row]! : ""),
  };
}
