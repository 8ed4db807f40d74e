import { join } from "node:path";
import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";
import { readIfThere, writeAtomic } from "../corpus/atomic.ts";
import type { CorpusFolder } from "../corpus/corpusFolder.ts";
import { FuzzError } from "../errors.ts";
import { MAP_SIZE } from "../feedback/layout.ts";
import { Campaign, type NearestCase } from "./campaign.ts";
import { DigestChain, type DigestMark } from "./digests.ts";
import type { FailureNote } from "./failures.ts";
import type { SearchProfile } from "./profiles.ts";

const FORMAT = "perplab campaign 3";

/** Settings of a campaign. Only the same settings can resume it. */
export interface CampaignSettings {
  readonly seed: number;
  readonly profile: string;
  readonly invariants: string;
  readonly userInvariants: readonly string[];
  readonly model: boolean;
}

interface File {
  readonly format: string;
  readonly protocolVersion: number;
  readonly settings: CampaignSettings;
  readonly iteration: number;
  readonly blocks: number;
  readonly spentMs: number;
  readonly transactions: number;
  readonly digest: string;
  readonly marks: readonly DigestMark[];
  /** Names of the cases of the first iterations, and of the cases in the pool, in order. */
  readonly start: readonly string[];
  readonly pool: readonly {
    readonly name: string;
    readonly places: readonly number[];
    readonly starts: readonly number[];
  }[];
  /** Coverage reached, as triples of place, count buckets and total count. */
  readonly reached: readonly number[];
  readonly met: readonly (readonly [string, number])[];
  readonly nearest: readonly (readonly [string, NearestCase])[];
  readonly failures: readonly FailureNote[];
}

const pathIn = (folder: CorpusFolder): string => join(folder.path, "campaign.json");

/** Saves a campaign between two rounds. A resumed campaign continues exactly as if it had never stopped. */
export function writeCampaign(
  folder: CorpusFolder,
  settings: CampaignSettings,
  { iteration, blocks, spentMs, digests, start, pool, coverage, met, nearest }: Campaign,
  failures: readonly FailureNote[],
): void {
  const reached: number[] = [];
  for (let place = 0; place < MAP_SIZE; place++) {
    if (coverage.buckets[place] !== 0) reached.push(place, coverage.buckets[place]!, coverage.totals[place]!);
  }
  const file: File = {
    format: FORMAT,
    protocolVersion: PROTOCOL_VERSION,
    settings,
    iteration,
    blocks,
    spentMs,
    transactions: digests.transactions,
    digest: digests.value,
    marks: digests.marks,
    start: start.map(([name]) => name),
    pool: pool.entries.map(({ name, places, starts }) => ({ name, places: [...places], starts })),
    reached,
    met: [...met],
    nearest: [...nearest],
    failures,
  };
  writeAtomic(pathIn(folder), JSON.stringify(file));
}

/**
 * Reads the settings of the campaign stored in a folder.
 *
 * @throws FuzzError CAMPAIGN_MISSING, CORPUS_VERSION, CORPUS_CORRUPT
 */
export function readCampaignSettings(folder: CorpusFolder): CampaignSettings {
  return readFile(folder).settings;
}

/**
 * Restores the campaign stored in a folder.
 *
 * @throws FuzzError CAMPAIGN_MISSING, CAMPAIGN_DIFFERS, CORPUS_VERSION, CORPUS_CORRUPT
 */
export function readCampaign(
  folder: CorpusFolder,
  settings: CampaignSettings,
  profile: SearchProfile,
): { campaign: Campaign; failures: FailureNote[] } {
  const place = pathIn(folder);
  const file = readFile(folder);
  for (const name of Object.keys(settings) as (keyof CampaignSettings)[]) {
    const [before, now] = [file.settings[name], settings[name]].map((value) => JSON.stringify(value));
    if (before === now) continue;
    throw new FuzzError("CAMPAIGN_DIFFERS", `the campaign started with ${name} ${before}, not ${now}`, {
      place,
      hint: "resume with the same settings, or start a new campaign without --resume",
    });
  }
  const start = file.start.map((name) => [name, folder.read(name)] as const);
  const campaign = new Campaign(file.settings.seed, profile, start);
  campaign.iteration = file.iteration;
  campaign.blocks = file.blocks;
  campaign.spentMs = file.spentMs;
  campaign.digests = new DigestChain(file.digest, file.transactions, file.marks);
  for (const { name, places, starts } of file.pool) {
    campaign.pool.add({ name, given: folder.read(name), places: Uint16Array.from(places), starts });
  }
  for (let at = 0; at < file.reached.length; at += 3) {
    campaign.coverage.buckets[file.reached[at]!] = file.reached[at + 1]!;
    campaign.coverage.totals[file.reached[at]!] = file.reached[at + 2]!;
  }
  for (const [id, count] of file.met) campaign.met.set(id, count);
  for (const [id, nearest] of file.nearest) campaign.nearest.set(id, nearest);
  return { campaign, failures: [...file.failures] };
}

function readFile(folder: CorpusFolder): File {
  const place = pathIn(folder);
  const bytes = readIfThere(place);
  if (bytes !== undefined) return parse(bytes, place);
  throw new FuzzError("CAMPAIGN_MISSING", "there is no campaign to resume", {
    place: folder.path,
    hint: "start one without --resume",
  });
}

function parse(bytes: Uint8Array, place: string): File {
  let file: File;
  try {
    file = JSON.parse(Buffer.from(bytes).toString("utf8")) as File;
  } catch (cause) {
    throw new FuzzError("CORPUS_CORRUPT", "the saved campaign is not JSON", { place, cause });
  }
  if (file?.format === FORMAT && file.protocolVersion === PROTOCOL_VERSION) return file;
  throw new FuzzError(
    "CORPUS_VERSION",
    `the campaign has protocol version ${file?.protocolVersion} and format "${file?.format}"; this program has ${PROTOCOL_VERSION} and "${FORMAT}"`,
    { place, hint: "start a new campaign in another folder; this folder was not changed" },
  );
}
