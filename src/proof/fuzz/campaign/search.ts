import type { Worker } from "node:worker_threads";
import { CorpusFolder } from "../corpus/corpusFolder.ts";
import { FuzzError } from "../errors.ts";
import type { Oracle } from "../run/violation.ts";
import { findBlindSpots } from "./blindSpots.ts";
import { Campaign } from "./campaign.ts";
import { type CampaignSettings, readCampaign, writeCampaign } from "./campaignFile.ts";
import type { CanaryName } from "./canaryNames.ts";
import type { Setup } from "./execute.ts";
import { type FailureNote, Failures } from "./failures.ts";
import { listWatched } from "./loadSelected.ts";
import { SEARCH_PROFILES, type SearchProfile, type SearchProfileName } from "./profiles.ts";
import { createReport, type SearchReport } from "./report.ts";
import { formatReplay } from "./reproduce.ts";
import { type Round, runCampaign } from "./runCampaign.ts";
import { shrinkFailure, writeFailure } from "./shrinkFailure.ts";
import { createCrew, type TimedOutJob } from "./workerPool.ts";

/** A whole search: a campaign, what it is kept in, who does it, and when it ends. */
export interface SearchOptions {
  readonly seed: number;
  readonly profile: SearchProfileName;
  readonly transactions: number;
  /** Asked between cases. */
  readonly isOver: () => boolean;
  readonly workers: number;
  /** With a case that takes longer, in milliseconds, the search ends: something in it does not come back. */
  readonly caseMs: number;
  /** Patterns of invariants; "" for all. */
  readonly invariants: string;
  readonly userInvariants: readonly string[];
  readonly model: boolean;
  /** Folder that cases and the campaign are kept in. */
  readonly corpus?: string;
  readonly isResumed: boolean;
  /** Folders with cases to begin with, which are only read. */
  readonly from: readonly string[];
  /** Folder for what failures are written to. */
  readonly failures: string;
  /** Different failures after which it ends. */
  readonly failuresMost: number;
  readonly canary?: CanaryName;
  /** Milliseconds from any start: for the figures, and for how often the campaign is written. */
  readonly now: () => number;
  readonly createWorker: (setup: Setup) => Worker;
  readonly onProgress: (campaign: Campaign, failures: Failures) => void;
  /** Receives, before the first round, what writes the campaign as its last whole round left it. For Ctrl-C. */
  readonly onStart?: (save: () => void) => void;
}

/** Time between two times at which a campaign is written. */
const WRITE_EVERY_MS = 30_000;

/** Candidates, and time, for which a failure is made small. */
const SHRINK_MOST = 5_000;
const SHRINK_MS = 20_000;

/**
 * @throws FuzzError, CaseError
 */
export async function search(options: SearchOptions): Promise<SearchReport> {
  const { seed, profile: profileName, corpus, isResumed, workers, caseMs, now } = options;
  const profile: SearchProfile = SEARCH_PROFILES[profileName];
  const { invariants, userInvariants, model } = options;
  const settings: CampaignSettings = { seed, profile: profileName, invariants, userInvariants, model };
  const { sweepEvery, heavyEvery, slack } = profile;
  const setup: Setup = {
    invariants,
    userInvariants,
    model,
    sweepEvery,
    heavyEvery,
    slack,
    ...(options.canary === undefined ? {} : { canary: options.canary }),
  };
  // Faults of settings show before anything is begun.
  const watched = await listWatched(setup);
  const folder = corpus === undefined ? undefined : new CorpusFolder(corpus);
  const resumed = isResumed && folder !== undefined ? readCampaign(folder, settings, profile) : undefined;
  const campaign = resumed?.campaign ?? new Campaign(seed, profile, readStart(folder, options.from));
  const failures = new Failures((found) => {
    const begun = now();
    const isOver = () => now() - begun > SHRINK_MS;
    const { failures: place } = options;
    return shrinkFailure(found, {
      invariants: watched,
      settings: setup,
      folder: place,
      candidates: SHRINK_MOST,
      isOver,
    });
  }, resumed?.failures);
  // With some of the invariants only, some of the planted faults cannot be seen.
  const isChecked = profile.canaries && invariants === "" && options.canary === undefined;
  const crew = createCrew(workers, caseMs, () => options.createWorker(setup));
  let written = now();
  const write = () => {
    if (folder === undefined) return;
    folder.writeIndex();
    writeCampaign(folder, settings, campaign, failures.notes);
    written = now();
  };
  let last = now();
  // Between whole rounds; a campaign that is resumed does the others again.
  let isSavable = true;
  const onRound = ({ found, taken, isWhole, timedOut }: Round) => {
    isSavable = isWhole;
    campaign.spentMs += now() - last;
    last = now();
    for (const { given, result, news } of taken) {
      const { iteration, genes, transactions, reached } = result;
      folder?.add(given, { iteration, genes, transactions, places: reached.length / 2, news });
    }
    for (const one of found) {
      failures.add(one);
      if (failures.notes.length >= options.failuresMost) break;
    }
    if (timedOut !== undefined) failures.keep(noteTimedOut(timedOut, options));
    const isEnough = failures.notes.length >= options.failuresMost;
    const isLast = isEnough || campaign.transactions >= options.transactions || options.isOver();
    if (isWhole && (isLast || now() - written >= WRITE_EVERY_MS)) write();
    options.onProgress(campaign, failures);
    return isEnough ? "enough" : "go on";
  };
  let unseen: readonly CanaryName[] = [];
  try {
    if (resumed === undefined) write();
    options.onStart?.(() => {
      if (isSavable) write();
    });
    const { blind, timedOut } = isChecked ? await findBlindSpots(crew) : { blind: [] };
    unseen = blind;
    last = now();
    if (timedOut !== undefined) failures.keep(noteTimedOut(timedOut, options));
    else await runCampaign(campaign, crew, { transactions: options.transactions, isOver: options.isOver }, onRound);
  } finally {
    await crew.close();
  }
  folder?.writeIndex();
  return createReport({
    campaign,
    profile: profileName,
    watched,
    failures,
    blind: options.canary !== undefined && failures.notes.length === 0 ? [options.canary] : unseen,
    seconds: campaign.spentMs / 1000,
  });
}

/** What never ends cannot be made small, since that runs it: its case is kept as it was found. */
function noteTimedOut({ job, height }: TimedOutJob, options: SearchOptions): FailureNote {
  const { caseMs, failures } = options;
  const { iteration, given } = job;
  const invariant: Oracle = "everythingEnds";
  const observed = `${caseMs / 1000} s were over, and this was the last block that had begun`;
  const path = writeFailure(failures, invariant, given);
  return {
    key: `${invariant} ${iteration}`,
    violation: { kind: "timedOut", invariant, height, observed },
    iteration,
    path,
    again: formatReplay(path, { ...options, canary: job.canary ?? options.canary }, caseMs),
    count: 1,
  };
}

/** @throws FuzzError CORPUS_MISSING where the folder has no case */
function openCases(path: string): CorpusFolder {
  const folder = new CorpusFolder(path);
  if (folder.list().length > 0) return folder;
  throw new FuzzError("CORPUS_MISSING", "no case is here", { place: path, hint: "name a corpus: a folder with cases" });
}

/** Cases that a campaign begins with, by name and in the order of their names. */
function readStart(folder: CorpusFolder | undefined, from: readonly string[]): Campaign["start"] {
  const folders = [...from.map(openCases), ...(folder === undefined ? [] : [folder])];
  const cases = new Map(folders.flatMap((one) => one.list().map((name) => [name, one] as const)));
  return [...cases].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, one.read(name)] as const);
}
