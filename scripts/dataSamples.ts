/**
 * Makes the samples in `data/` and their manifest. The compressor is written in JavaScript: the bytes do not
 * depend on the zlib of the runtime.
 *
 *     npm run data:samples                                   all samples
 *     npm run data:samples -- BTC-PERP-fundingRate-2024.csv  one of them
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync, strToU8 } from "fflate";
import {
  generateSampleMinutes,
  MARKET_SAMPLES,
  renderSample,
  SAMPLE_SEED,
} from "../src/proof/generators/marketSamples.ts";

/** Smaller files are not compressed, for people to read. */
const PLAIN_BYTES_MAX = 100_000;

export interface SampleEntry {
  readonly file: string;
  readonly about: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly command: string;
}

/** The samples with the given names (without `.gz`), ready to be written. */
export function makeSamples(names: readonly string[]): { entry: SampleEntry; bytes: Uint8Array }[] {
  const unknown = names.find((name) => !MARKET_SAMPLES.some(({ file }) => file === name));
  if (unknown !== undefined) throw new Error(`no sample is named ${unknown}`);
  const minutes = generateSampleMinutes(SAMPLE_SEED);
  return MARKET_SAMPLES.filter(({ file }) => names.includes(file)).map((sample) => {
    const text = renderSample(sample, SAMPLE_SEED, minutes);
    const content = strToU8(text);
    const isPacked = content.length > PLAIN_BYTES_MAX;
    const bytes = isPacked ? gzipSync(content, { level: 9, mtime: 0 }) : content;
    const entry: SampleEntry = {
      file: isPacked ? `${sample.file}.gz` : sample.file,
      about: sample.about,
      rows: text.split("\n").length - 2,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      command: `npm run data:samples -- ${sample.file}`,
    };
    return { entry, bytes };
  });
}

const folder = new URL("../data/", import.meta.url);

function main(names: readonly string[]): void {
  const wanted = names.length > 0 ? names : MARKET_SAMPLES.map(({ file }) => file);
  const made = makeSamples(wanted);
  for (const { entry, bytes } of made) {
    writeFileSync(new URL(entry.file, folder), bytes);
    console.log(`${entry.sha256}  data/${entry.file}  ${entry.rows} rows`);
  }
  const manifest = new URL("manifest.json", folder);
  const old: SampleEntry[] = names.length > 0 ? JSON.parse(readFileSync(manifest, "utf8")).files : [];
  const kept = old.filter(({ file }) => !made.some(({ entry }) => entry.file === file));
  const files = [...kept, ...made.map(({ entry }) => entry)].sort((a, b) => (a.file < b.file ? -1 : 1));
  writeFileSync(manifest, `${JSON.stringify({ seed: SAMPLE_SEED, files }, undefined, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
