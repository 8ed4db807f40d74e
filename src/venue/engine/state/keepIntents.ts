import { copyTable } from "../../../ground/collections/table.ts";
import { rebuildIntents } from "./rebuildIntents.ts";
import { intentTable } from "./schema.ts";
import type { State } from "./state.ts";

/**
 * Keeps the intents as they are, before the first of them is written in an attempt. An attempt rarely writes one, so
 * the table is kept whole. The cost is once per intent, for attempts that fill an order which concerns an intent.
 */
export function keepIntents(state: State): void {
  const index = state.intentIndex;
  if (!state.journal.on || index.kept !== undefined) return;
  index.kept = { table: copyTable(intentTable, state.intents), texts: state.intentTexts.slice() };
}

/**
 * Puts the intents back that an attempt kept, and forgets which orders ended in it.
 *
 * @param ended how much of the list of ended orders was there before
 */
export function restoreIntents(state: State, ended: number): void {
  const index = state.intentIndex;
  index.ended.length = ended;
  if (index.kept === undefined) return;
  state.intents = index.kept.table;
  state.intentTexts = index.kept.texts;
  rebuildIntents(state);
  // Orders that ended before the attempt are still to be settled.
  for (const order of index.watched) state.intentIndex.watched.add(order);
  state.intentIndex.ended.push(...index.ended);
}
