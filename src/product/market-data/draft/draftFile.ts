/** Reads the beginning of a file and writes a mapping for it. */
import { basename } from "node:path";
import { stringify } from "yaml";
import { DataError } from "../errors.ts";
import { isJson } from "../files/formats.ts";
import { type ByteSource, openBytes } from "../files/readBytes.ts";
import { readHead, sampleText } from "../stream/fileHead.ts";
import { type Draft, draftMapping } from "./draftMapping.ts";
import { type Sample, takeSample } from "./sample.ts";

/** A drafted mapping as a file. */
export interface DraftedFile extends Draft {
  /** YAML, with a comment for each thing to check. */
  readonly text: string;
}

/**
 * Drafts a mapping for a file of unknown columns: bars, trades, funding or prices.
 *
 * @throws {DataError} of the file, or DATA_LAYOUT if it is no table
 */
export async function draftMappingFile(path: string): Promise<DraftedFile> {
  const content = await openBytes(path);
  const sample = await sampleFile(content);
  if (sample === undefined) throw noTable(content.file);
  const draft = draftMapping(sample, nameOf(path));
  return { ...draft, text: writeDraft(draft, content.file) };
}

async function sampleFile(content: ByteSource): Promise<Sample | undefined> {
  const { file } = content;
  if (content.isParquet) {
    const { openParquet } = await import("../parquet/openParquet.ts");
    const { sampleParquet } = await import("../parquet/bindParquet.ts");
    return sampleParquet(await openParquet(content.path, file), file);
  }
  const chunks = content.chunks();
  try {
    const head = await readHead(chunks, file);
    if (!isJson(head)) return takeSample(sampleText(head));
    const { findForm } = await import("../json/findArray.ts");
    const { readSample, sampleJson } = await import("../json/sampleJson.ts");
    const { toTable } = await import("../json/jsonTable.ts");
    const { head: sample, isWhole } = await readSample(head, chunks);
    return toTable(sampleJson(findForm(sample), sample, isWhole), file);
  } finally {
    await chunks.return(undefined);
  }
}

/** The error of text that has no rows of two columns and more. */
export function noTable(file: string): DataError {
  return new DataError("DATA_LAYOUT", "the file has no rows of columns, or only a header", {
    file,
    line: 1,
    hint: "columns are separated by , ; | or tabs",
  });
}

function nameOf(path: string): string {
  const [stem = ""] = basename(path).split(".");
  const name = stem.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^[^A-Za-z0-9]+/, "");
  return name === "" ? "drafted" : name.slice(0, 64);
}

function writeDraft({ mapping, questions }: Draft, file: string): string {
  const lines = [
    `# Drafted from ${file} by perplab import --draft-mapping; data/README.md explains the keys.`,
    ...questions.map((question) => `# CHECK: ${question}`),
  ];
  return `${lines.join("\n")}\n${stringify(mapping, { lineWidth: 0 })}`;
}
