/**
 * Renders `src/venue/engine/events/eventReaders.ts` from the table of events: one reader a kind, an object literal. An
 * object whose fields are added by computed names costs several times as much, and a block may have a million events.
 */
import { EVENT_KINDS, events } from "../../src/protocol/events.ts";

export const path = "src/venue/engine/events/eventReaders.ts";

export function render(): string {
  const readers = EVENT_KINDS.map((kind) => {
    const fields = Object.keys(events[kind].fields).map((name, at) => `${name}: data[at + ${at + 1}]!`);
    return `  (data, at) => ({ ${[`kind: ${JSON.stringify(kind)}`, ...fields].join(", ")} }),`;
  });
  return `// Generated from src/protocol/events.ts by \`npm run generate\`. Do not edit.
import type { VenueEvent } from "../../../protocol/events.ts";

/** Readers of events by the place of their kind. Each reads the event that starts at \`at\`. */
export const EVENT_READERS: readonly ((data: Float64Array, at: number) => VenueEvent)[] = [
${readers.join("\n")}
];
`;
}
