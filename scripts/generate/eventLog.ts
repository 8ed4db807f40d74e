/**
 * Renders `src/venue/engine/events/eventWriters.ts` from the table of events: one writer a kind, straight-line code.
 */
import { EVENT_KINDS, events } from "../../src/protocol/events.ts";
import { SourceFault } from "../actionFiles.ts";
import { COLUMNS_MOST } from "../wideComments.ts";

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
    return `${renderDoc(events[kind].doc)}
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

/** The comment of a writer: a line, or several of at most 120 columns. */
function renderDoc(doc: string): string {
  const line = `  /** ${doc} */`;
  if (line.length <= COLUMNS_MOST) return line;
  const lines = ["   *"];
  for (const word of doc.split(" ")) {
    if (lines.at(-1)!.length + 1 + word.length > COLUMNS_MOST) lines.push("   *");
    lines[lines.length - 1] += ` ${word}`;
  }
  return ["  /**", ...lines, "   */"].join("\n");
}
