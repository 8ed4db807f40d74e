import type { Block } from "../../../protocol/transaction.ts";
import type { State } from "../state/state.ts";

/** Marks in the effects that are not events: the head of a block, its receipts, its texts. */
const HEAD = -1;
const RECEIPTS = -2;
const TEXTS = -3;

/** Opens a block's effects: height and time first. Returns where its events start. */
export function openBlock(state: State, block: Block): number {
  const { events, receipts, chain } = state;
  chain.open(events);
  state.height = block.height;
  state.timeMs = block.timeMs;
  events.count = 0;
  if (events.texts.length > 0) events.texts = [];
  receipts.clear(block.transactions.length);
  const at = events.begin(3);
  events.data[at] = HEAD;
  events.data[at + 1] = block.height;
  events.data[at + 2] = block.timeMs;
  return events.length;
}

/** Closes a block's effects: receipts and texts follow its events (DET-2). */
export function closeBlock(state: State): void {
  const { events, receipts, chain } = state;
  const { count, codes } = receipts;
  let at = events.begin(2 + count);
  events.data[at++] = RECEIPTS;
  events.data[at++] = count;
  for (let index = 0; index < count; index++) events.data[at++] = codes[index]!;
  writeTexts(state);
  chain.close();
}

/** Writes the texts that events of this block name, after the events. */
export function writeTexts({ events }: State): void {
  if (events.texts.length === 0) return;
  let at = events.begin(1);
  events.data[at] = TEXTS;
  for (const text of events.texts) {
    at = events.begin(1 + text.length);
    events.data[at] = text.length;
    for (let place = 0; place < text.length; place++) events.data[at + 1 + place] = text.charCodeAt(place);
  }
}
