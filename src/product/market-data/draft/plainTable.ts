/** Bars or settled funding of a file whose header or numbers identify its columns: no mapping is needed. */
import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { DataError } from "../errors.ts";
import { bindMapping } from "../mapping/bindMapping.ts";
import type { Layout } from "../readers/layout.ts";
import { KNOWN_LAYOUTS, PLAIN_BARS, PLAIN_FUNDING } from "../readers/table.ts";
import { findUnreadPrice } from "./bars.ts";
import { ColumnView } from "./columnView.ts";
import { draftMapping } from "./draftMapping.ts";
import type { Sample } from "./sample.ts";

/**
 * Binds time, open, high, low, close and volume as found, or time and funding rate.
 *
 * @param wanted name of the one of both that the user asked for
 * @param path of the file as it was named, for the command of the hint
 * @throws {DataError} DATA_LAYOUT, with what is not certain
 */
export function bindPlainTable(sample: Sample, file: string, path: string, wanted?: string): Layout {
  const draft = draftMapping(sample, PLAIN_BARS);
  const { questions } = draft;
  const isFunding = draft.mapping.streams.every(({ kind }) => kind === "funding");
  const mapping = isFunding ? { ...draft.mapping, mapping: PLAIN_FUNDING } : draft.mapping;
  const isBars = mapping.streams.every(({ kind }) => kind === "bars");
  const isWanted = wanted === undefined || wanted === mapping.mapping;
  if (!(isBars || isFunding) || !isWanted || questions.length > 0) {
    const columns = showColumns(sample);
    const unread = findUnreadPrice(new ColumnView(sample));
    const known = KNOWN_LAYOUTS.map(({ name }) => name).join(", ");
    const reason =
      isFunding && isWanted
        ? `funding of the columns ${columns} is not certain: ${questions.join("; ")}`
        : (isBars && isWanted) || unread !== undefined
          ? `bars of the columns ${columns} are not certain: ${questions.join("; ")}`
          : `no known layout (${known}) has the columns ${columns}, and they are not ${wanted === PLAIN_FUNDING ? "time and funding rate" : "time, open, high, low, close and volume"}`;
    throw new DataError("DATA_LAYOUT", reason, {
      file,
      line: sample.skipLines + 1,
      // No mapping reads numbers of another form.
      hint:
        unread === undefined
          ? `${formatCommand(["import", "--draft-mapping", path])} writes a mapping file for it, to check and to name as MARKET:FILE.yaml=PATH`
          : "write digits with a point, such as 61200.5; between semicolons or tabs the point may be a comma",
    });
  }
  const names = sample.refs ?? sample.names ?? [];
  return bindMapping({ mapping, file }, { file, path, names, rows: sample.rows });
}

/** Most columns that a message lists. The first of a book's many levels are enough to recognise the file. */
const SHOWN_MOST = 12;

/** The names of the columns as the file writes them, or the cells of the first row where it has no names. */
function showColumns({ names, rows, separator }: Sample): string {
  const cells = names ?? rows[0]!;
  const shown = JSON.stringify(cells.slice(0, SHOWN_MOST).join(separator));
  return cells.length > SHOWN_MOST ? `${shown} and ${cells.length - SHOWN_MOST} more` : shown;
}
