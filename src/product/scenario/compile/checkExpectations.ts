import { numberNamesOf } from "../../../protocol/rejectionNumbers.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import { hasChange } from "../expect/compare.ts";
import { OUTCOME_WORDS, RESULT_WORDS } from "../expect/receipts.ts";
import { type Faults, hintKnown } from "../faults.ts";
import { type Cell, type Entry, entriesOf, getCell, getText, itemsOf, type MapCell, textOf } from "../parse/cell.ts";
import { MARKET_NAME } from "./marketNames.ts";
import type { Case, PlannedBlock } from "./plan.ts";

/** Markets and accounts that a file may name. */
interface Known {
  readonly names: Names;
  /** The only market, for expectations that name none. */
  readonly market: string | undefined;
  readonly markets: ReadonlySet<string>;
}

/** Markets at the start, and those that a transaction creates. */
export function marketsOf(listed: readonly string[], blocks: readonly PlannedBlock[]): ReadonlySet<string> {
  const created = blocks.flatMap(({ steps }) =>
    steps.filter(({ action }) => action === "createMarket").map(({ payload }) => getText(payload, "market") ?? ""),
  );
  return new Set([...listed, ...created]);
}

/** Accounts and markets that expectations name exist, and so do the numbers of the codes that they name. */
export function checkExpectations(
  blocks: readonly PlannedBlock[],
  end: Case["end"],
  known: Known,
  faults: Faults,
): void {
  for (const { prices, markets, steps, expect } of blocks) {
    for (const { payload } of [...prices, ...markets]) {
      const name = getCell(payload, "market");
      if (name !== undefined) checkMarket(textOf(name) ?? "", name, known, faults);
    }
    for (const step of steps) checkNumbers(step.expect, faults);
    checkExpect(expect, known, faults);
  }
  checkExpect(end, known, faults);
  if (end !== undefined && hasChange(end))
    faults.add(end.place, "a change is expected at the end", "expect it of a block: it counts from before that block");
}

/** A stored venue is only read: nothing has happened in it that could be expected. */
export function checkStart(expect: Cell | undefined, known: Known, faults: Faults): void {
  checkExpect(expect, known, faults);
  for (const section of ["receipts", "fills", "events", "refused"]) {
    const cell = getCell(expect, section);
    if (cell !== undefined) faults.add(cell.place, `there are no ${section} at the start`, "expect them of a block");
  }
  if (expect !== undefined && hasChange(expect))
    faults.add(
      expect.place,
      "a change is expected at the start",
      "expect it of a block: it counts from before that block",
    );
}

function checkExpect(expect: Cell | undefined, known: Known, faults: Faults): void {
  for (const section of ["accounts", "positions", "orders", "nonces"]) {
    for (const { key, place } of entriesOf(getCell(expect, section))) {
      if (key.startsWith("$")) continue;
      for (const name of key.split(" by ")) {
        if (!known.names.has(name)) faults.add(place, `there is no account ${name}`, hintKnown(name, known.names.all));
      }
    }
  }
  for (const section of ["prices", "markets"]) checkMarkets(entriesOf(getCell(expect, section)), known, faults);
  for (const { key: name, value } of entriesOf(getCell(expect, "positions"))) {
    const named = entriesOf(value).filter(({ key }) => MARKET_NAME.test(key));
    checkMarkets(named, known, faults);
    if (named.length === 0 && known.market === undefined) needMarket(value, `the position of ${name}`, known, faults);
  }
  for (const entry of entriesOf(getCell(expect, "book"))) {
    if (MARKET_NAME.test(entry.key)) checkMarkets([entry], known, faults);
    else if (known.market === undefined) needMarket(entry.value, `the ${entry.key} of a book`, known, faults);
  }
  for (const item of itemsOf(getCell(expect, "liquidations"))) {
    const account = getCell(item, "account");
    const market = getCell(item, "market");
    const name = textOf(account);
    if (account !== undefined && name !== undefined && !known.names.has(name))
      faults.add(account.place, `there is no account ${name}`, hintKnown(name, known.names.all));
    if (market !== undefined && textOf(market) !== "none") checkMarket(textOf(market) ?? "", market, known, faults);
  }
  for (const item of itemsOf(getCell(expect, "receipts"))) checkNumbers(item, faults);
}

function needMarket({ place }: Cell, what: string, { markets }: Known, faults: Faults): void {
  const [first = "BTC-PERP"] = markets;
  faults.add(place, `no market is named for ${what}`, `there is more than one: write { ${first}: … }`);
}

function checkMarkets(entries: readonly Entry[], known: Known, faults: Faults): void {
  for (const entry of entries) checkMarket(entry.key, entry, known, faults);
}

function checkMarket(name: string, { place }: Pick<Cell, "place">, { markets }: Known, faults: Faults): void {
  if (!markets.has(name)) faults.add(place, `there is no market ${name}`, hintKnown(name, [...markets]));
}

/** Keys of an outcome next to a code are numbers of that code; so are those of its results. */
function checkNumbers(cell: Cell | undefined, faults: Faults): void {
  if (cell?.kind !== "map") return;
  checkKeys(cell, OUTCOME_WORDS, getText(cell, "rejected"), ["leg"], faults);
  const applied = getCell(cell, "applied");
  for (const result of applied?.kind === "list" ? applied.items : [applied]) {
    if (result?.kind !== "map") continue;
    const code = getText(result, "rejected") ?? getText(result, "code");
    checkKeys(result, RESULT_WORDS, code, [], faults);
  }
}

function checkKeys(
  cell: MapCell,
  words: readonly string[],
  code: string | undefined,
  more: readonly string[],
  faults: Faults,
): void {
  const numbers = code === undefined ? [] : [...numberNamesOf(code), ...more];
  for (const { key, place } of entriesOf(cell)) {
    if (words.includes(key) || numbers.includes(key)) continue;
    if (code === undefined || code === "any") {
      faults.add(place, `${key} is next to no code`, "write rejected: CODE with its numbers");
    } else faults.add(place, `${code} has no number ${key}`, hintKnown(key, numbers));
  }
}
