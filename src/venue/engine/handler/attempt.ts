import { restoreIntents } from "../state/keepIntents.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { Rejection } from "./defineHandler.ts";

/**
 * Runs work that sees its own effects and may still be refused (ACT-1). If it returns a reason, the venue is as it was
 * before, to the last byte of its image.
 *
 * How it works: `state.journal` is on meanwhile. Indexes, book and heaps keep their own cells. The code that writes a
 * row keeps it before the first write: `keepPosition` (with its account and market), `keepOrder`, and for other tables
 * `state.journal.row(table, row)` and `state.journal.allocate(table)`, with the table in `tablesOf`. Other state that
 * such work may change is saved here: totals, events, the list of dirty accounts. Position rows that become empty are
 * given back at the end only, so that no trigger changes.
 *
 * Work may place, match, change and cancel orders and move collateral. It may not create accounts or markets, move
 * prices, or liquidate; attempts do not nest.
 *
 * @returns the reason, if there is one
 */
export function attempt(state: State, work: () => Rejection | undefined): Rejection | undefined {
  const { journal } = state;
  if (journal.on || state.risk.recording) throw new Error("an attempt inside another, or in the risk pass");
  const dirty = state.risk.dirty.length;
  const ended = state.intentIndex.ended.length;
  open(state);
  const refused = work();
  journal.on = false;
  lend(state, undefined);
  if (refused === undefined) {
    for (const position of state.emptied) {
      if (state.positions.rows.isLive(position)) releaseIfEmpty(state, position);
    }
  } else {
    undo(state, dirty);
    restoreIntents(state, ended);
  }
  state.intentIndex.kept = undefined;
  state.emptied.length = 0;
  state.clients.log = undefined;
  journal.clear();
  return refused;
}

/** Every table that work under the journal may write. */
function tablesOf({ owners, accounts, positions, orders, extras, markets, volumes, authorizations }: State) {
  return [owners, accounts, positions, orders, extras, markets, volumes, authorizations];
}

function open(state: State): void {
  const { journal, events, totals, orderIndex, positionIndex, expiries } = state;
  for (const table of tablesOf(state)) journal.table(table);
  for (const name of ["slots", "count"] as const) journal.field(orderIndex, name);
  for (const name of ["keys", "rows", "count"] as const) journal.field(positionIndex, name);
  for (const heap of expiries.heaps()) {
    for (const name of ["rows", "keys", "places", "size"] as const) journal.field(heap, name);
  }
  for (const name of ["length", "count"] as const) journal.field(events, name);
  journal.field(events.texts, "length");
  for (let limb = 0; limb < totals.limbs.length; limb++) journal.cell(totals.limbs, limb);
  state.clients.log = [];
  journal.on = true;
  lend(state, journal);
}

/** Attaches the journal to the parts that keep their own cells, or detaches it. */
function lend(state: State, journal: State["journal"] | undefined): void {
  for (const book of state.books) {
    book.journal = journal;
    book.kept = false;
  }
  state.orderIndex.journal = journal;
  state.positionIndex.journal = journal;
  for (const heap of state.expiries.heaps()) heap.journal = journal;
}

function undo(state: State, dirty: number): void {
  state.journal.undo();
  state.clients.rewind();
  state.risk.dirty.length = dirty; // their flags were in the rows
}
