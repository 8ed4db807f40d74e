import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { type Cell, entriesOf, type MapCell } from "../parse/cell.ts";

/** A transaction in words: the sentence of the file, or its action with the objects that it names. */
export function stepWords(who: string, action: ActionName, payload: MapCell, sentence: string | undefined): string {
  if (sentence !== undefined) return `${who}: ${sentence.replace(/ as [\w-]+$/, "")}`;
  const parts = entriesOf(payload).map(({ key, value }) => `${key} ${valueWords(value)}`);
  return `${who}: ${actions[action].name}${parts.length === 0 ? "" : ` ${parts.join(", ")}`}`;
}

function valueWords(cell: Cell): string {
  switch (cell.kind) {
    case "map":
      return `{${entriesOf(cell)
        .map(({ key, value }) => `${key}: ${valueWords(value)}`)
        .join(", ")}}`;
    case "list":
      return `[${cell.items.map(valueWords).join(", ")}]`;
    default:
      return cell.source;
  }
}
