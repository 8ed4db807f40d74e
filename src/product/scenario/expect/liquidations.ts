import { NONE } from "../../../ground/collections/table.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import { entriesOf, itemsOf, textOf } from "../parse/cell.ts";
import { either, key, list, map, text } from "../shape/shape.ts";
import { compareValues } from "./compare.ts";
import { defineExpectation } from "./expectation.ts";
import { accountName } from "./units.ts";

/** An open liquidation record in the words of a scenario. */
interface RecordText {
  readonly id: number;
  readonly record: string;
  readonly account: string;
  readonly market: string;
}

export const liquidations = defineExpectation({
  shape: either(
    list(
      map({
        record: key(text("a record such as L-5-0", /^L-[0-9]+-[0-9]+$/), "Id of the record, L-<height>-<n>."),
        account: key(text("the name of an account"), "The liquidated account."),
        market: key(text("a market or none"), "Market of its isolated position; none for a cross account."),
      }),
    ),
    text("none", /^none$/),
  ),
  doc: "Open liquidation records, all of them, oldest first, or `none`.",
  check(moment, cell) {
    const found = listRecords(moment.state, moment.names);
    const wanted = itemsOf(cell);
    wanted.forEach((item, at) => {
      const one = found[at];
      const what = `liquidation ${at + 1}`;
      if (one === undefined) {
        moment.fail({ place: item.place, what, expected: recordWords(item), observed: "none" });
        return;
      }
      compareValues(moment, what, item, {
        record: () => one.record,
        account: () => one.account,
        market: () => one.market,
      });
    });
    for (const { record, account, market } of found.slice(wanted.length)) {
      const of = market === "none" ? account : `${account} in ${market}`;
      moment.fail({
        place: cell.place,
        what: "liquidations",
        expected: wanted.length === 0 ? "none" : `${wanted.length}`,
        observed: `also ${record} of ${of}`,
      });
    }
  },
});

function recordWords(item: Parameters<typeof entriesOf>[0]): string {
  const words = entriesOf(item).map(({ key: name, value }) => `${name} ${textOf(value)}`);
  return words.length === 0 ? "a record" : words.join(", ");
}

function listRecords(state: State, names: Names): RecordText[] {
  const { accounts, positions, marketNames } = state;
  const found: RecordText[] = [];
  const add = (id: number, account: AccountRow, market: string) => {
    if (id !== 0) found.push({ id, record: nameLiquidation(id), account: accountName(state, names, account), market });
  };
  for (let row = 0; row < accounts.rows.high; row++) {
    const account = row as AccountRow;
    add(accounts.liquidation[account]!, account, "none");
    for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!)
      add(positions.liquidation[at]!, account, marketNames[positions.market[at]!]!);
  }
  return found.sort((a, b) => a.id - b.id);
}
