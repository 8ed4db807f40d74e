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
import { type Crew, createCrew, type TimedOutJob } from "./workerPool.ts";

/** Options of a whole search: the campaign, its folders, its crew and its limits. */
export interface SearchOptions {
  readonly seed: number;
  readonly profile: SearchProfileName;
  readonly transactions: number;
  /** Called between cases; true ends the search. */
  readonly isOver: () => boolean;
  readonly workers: number;
  /** Time limit of a case in milliseconds. A case that exceeds it ends the search. */
  readonly caseMs: number;
  /** Patterns of invariants; "" for all. */
  readonly invariants: string;
  readonly userInvariants: readonly string[];
  readonly model: boolean;
  /** Folder that stores the cases and the campaign. */
  readonly corpus?: string;
  readonly isResumed: boolean;
  /** Folders with starting cases. They are only read. */
  readonly from: readonly string[];
  /** Folder for reports of failures. */
  readonly failures: string;
  /** Number of distinct failures after which the search ends. */
  readonly failuresMost: number;
  readonly canary?: CanaryName;
  /** Clock in milliseconds, from any origin. Used for figures and for saving at intervals. */
  readonly now: () => number;
  readonly createWorker: (setup: Setup) => Worker;
  /** Opens a crew in place of threads of this process. The search closes it. */
  readonly openCrew?: (setup: Setup) => Promise<Crew>;
  readonly onProgress: (campaign: Campaign, failures: Failures) => void;
  /** Called before the first round with a function that saves the campaign as of its last whole round. For Ctrl-C. */
  readonly onStart?: (save: () => void) => void;
}

/** Time between two saves of the campaign. */
const WRITE_EVERY_MS = 30_000;

/** Maximum number of candidates for shrinking one failure. */
const SHRINK_MOST = 5_000;

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
  // Reports faulty settings before the search starts.
  const watched = await listWatched(setup);
  const folder = corpus === undefined ? undefined : new CorpusFolder(corpus);
  const resumed = isResumed && folder !== undefined ? readCampaign(folder, settings, profile) : undefined;
  const campaign = resumed?.campaign ?? new Campaign(seed, profile, readStart(folder, options.from));
  const { failures: place } = options;
  const failures = new Failures(
    (found) => shrinkFailure(found, { invariants: watched, settings: setup, folder: place, candidates: SHRINK_MOST }),
    resumed?.failures,
  );
  // A selection of invariants, or a planted fault of the caller, can hide other planted faults.
  const isChecked = profile.canaries && invariants === "" && options.canary === undefined;
  const crew = (await options.openCrew?.(setup)) ?? createCrew(workers, caseMs, () => options.createWorker(setup));
  let written = now();
  const write = () => {
    if (folder === undefined) return;
    folder.writeIndex();
    writeCampaign(folder, settings, campaign, failures.notes);
    written = now();
  };
  let last = now();
  // A campaign can be saved only between whole rounds; a resumed campaign repeats a partial round.
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
    return isEnough ? "enough" : "continue";
  };
  let unseen: readonly CanaryName[] = [];
  try {
    if (resumed === undefined) write();
    options.onStart?.(() => {
      if (isSavable) write();
    });
    const { blind, timedOut } = isChecked ? await findBlindSpots(crew, options.isOver) : { blind: [] };
    unseen = blind;
    last = now();
    if (timedOut !== undefined) failures.keep(noteTimedOut(timedOut, options));
    else {
      const { transactions, isOver, failuresMost } = options;
      await runCampaign(campaign, crew, { transactions, isOver, failFast: failuresMost === 1 }, onRound);
    }
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

/** Keeps a case that never ends as it was found: shrinking would have to run it. */
function noteTimedOut({ job, height }: TimedOutJob, options: SearchOptions): FailureNote {
  const { caseMs, failures } = options;
  const { iteration, given } = job;
  const invariant: Oracle = "everythingEnds";
  const observed = `the case did not end within ${caseMs / 1000} s; this is the last block that had started`;
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

/** @throws FuzzError CORPUS_MISSING if the folder has no case */
function openCases(path: string): CorpusFolder {
  const folder = new CorpusFolder(path);
  if (folder.list().length > 0) return folder;
  throw new FuzzError("CORPUS_MISSING", "the folder has no case", {
    place: path,
    hint: "give a corpus: a folder with cases",
  });
}

/** Reads the starting cases, sorted by name. */
function readStart(folder: CorpusFolder | undefined, from: readonly string[]): Campaign["start"] {
  const folders = [...from.map(openCases), ...(folder === undefined ? [] : [folder])];
  const cases = new Map(folders.flatMap((one) => one.list().map((name) => [name, one] as const)));
  return [...cases].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, one.read(name)] as const);
}
