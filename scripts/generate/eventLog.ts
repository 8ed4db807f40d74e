/**
 * Renders `src/venue/engine/events/eventWriters.ts` from the table of events: one writer a kind, straight-line code.
 */
import { EVENT_KINDS, events } from "../../src/protocol/events.ts";
import { SourceFault } from "../actionFiles.ts";

EVENT_KINDS.forEach((kind, place) => {
  const { code } = events[kind];
  if (code !== place)
    throw new SourceFault(`the event ${kind} has the code ${code}, which is taken or leaves a gap: write ${place}`);
});

export const path = "src/venue/engine/events/eventWriters.ts";

export function render(): string {
  const writers = EVENT_KINDS.map((kind, code) => {
    const fields = Object.entries(events[kind].fields);
    const type = fields.map(([name]) => `${name}: number`).join("; ");
    const writes = fields.map(([name], at) => `    data[at + ${at + 1}] = event.${name} + 0;`).join("\n");
    return `  /** ${events[kind].doc} */
  ${kind}(event: { ${type} }): void {
    const at = this.begin(${fields.length + 1});
    const data = this.data;
    data[at] = ${code};
${writes}
  }`;
  });
  return `// Generated from src/protocol/events.ts by \`npm run generate\`. Do not edit.
import { EventBuffer } from "./eventBuffer.ts";

/** Writes events as columns of doubles: the place of the kind, then its fields. \`+ 0\` turns -0 into 0. */
export class EventWriters extends EventBuffer {
${writers.join("\n\n")}
}
`;
}
