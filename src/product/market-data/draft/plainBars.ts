/** Bars of a file whose header or numbers identify its columns: no mapping is needed. */
import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { DataError } from "../errors.ts";
import { bindMapping } from "../mapping/bindMapping.ts";
import type { Layout } from "../readers/layout.ts";
import { KNOWN_LAYOUTS, PLAIN_BARS } from "../readers/table.ts";
import { draftMapping } from "./draftMapping.ts";
import type { Sample } from "./sample.ts";

/**
 * Binds time, open, high, low, close and volume as found.
 *
 * @param path of the file as it was named, for the command of the hint
 * @throws {DataError} DATA_LAYOUT, with what is not certain
 */
export function bindPlainBars(sample: Sample, file: string, path: string): Layout {
  const { mapping, questions } = draftMapping(sample, PLAIN_BARS);
  const isBars = mapping.streams.every(({ kind }) => kind === "bars");
  if (!isBars || questions.length > 0) {
    const columns = (sample.names ?? sample.rows[0]!).join(sample.separator);
    const known = KNOWN_LAYOUTS.map(({ name }) => name).join(", ");
    const open = isBars
      ? `not certain: ${questions.join("; ")}`
      : "they are not time, open, high, low, close and volume";
    throw new DataError(
      "DATA_LAYOUT",
      `no known layout (${known}) has the columns ${JSON.stringify(columns)}, and ${open}`,
      {
        file,
        line: sample.skipLines + 1,
        hint: `${formatCommand(["import", "--draft-mapping", path])} writes a mapping file for it, to check and to name as MARKET:FILE.yaml=PATH`,
      },
    );
  }
  return bindMapping({ mapping, file }, file, sample.names ?? [], sample.rows[0]!);
}
