/** A JSON file: finds its rows and its layout, and reads them. */

import { DataError } from "../errors.ts";
import { bindMapping } from "../mapping/bindMapping.ts";
import { detectJsonLayout } from "../readers/jsonLayouts.ts";
import type { Layout } from "../readers/layout.ts";
import { PLAIN_TABLES } from "../readers/table.ts";
import type { BoundSource, FileToBind } from "../stream/openSource.ts";
import { prepend } from "../stream/prepend.ts";
import { findForm } from "./findArray.ts";
import { readJsonRows } from "./jsonRows.ts";
import { readSample, sampleJson } from "./sampleJson.ts";

/** @throws {DataError} of the layout, or of JSON that is none */
export async function bindJson(given: FileToBind): Promise<BoundSource> {
  const { mapping } = given;
  if (mapping !== undefined && mapping.mapping.json === undefined) {
    throw new DataError("MAPPING_INVALID", "the file is JSON, and the mapping does not say where its rows are", {
      file: mapping.file,
      hint: "set json: { in: lines } for a value on each line, or json: { in: array } for one array, and leave header away",
    });
  }
  const { head, isWhole } = await readSample(given.head, given.rest);
  const layout = await findLayout(given, head, isWhole);
  const spec = layout.json!;
  const body = prepend(head, given.rest);
  return {
    layout,
    dialect: "json",
    firstLine: 1,
    rows: (onFault) => readJsonRows(layout, spec, body, onFault),
  };
}

async function findLayout({ source, mapping, file }: FileToBind, head: Uint8Array, isWhole: boolean): Promise<Layout> {
  if (mapping !== undefined) {
    const { names, rows } = sampleJson(mapping.mapping.json!, head, isWhole);
    return bindMapping(mapping, { file, path: source.path, names, rows });
  }
  const isPlain = source.layout !== undefined && PLAIN_TABLES.includes(source.layout);
  const form = findForm(head);
  const known = isPlain ? undefined : detectJsonLayout({ source, file, head, isWhole, form });
  if (known !== undefined) return known;
  const { bindPlainTable } = await import("../draft/plainTable.ts");
  const { toTable } = await import("./jsonTable.ts");
  return bindPlainTable(toTable(sampleJson(form, head, isWhole), file), file, source.path, source.layout);
}
