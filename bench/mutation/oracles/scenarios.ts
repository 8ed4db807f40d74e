/**
 * Measures the scenarios alone: each mutant runs only the files in which it makes a difference, until one fails. First
 * with the expectations of the files only, then, for the survivors, also with the invariants that `scenario run`
 * checks. Results are kept by mutant and file, so that a later run tries new or changed files only.
 */
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import { readTextFile } from "../../../src/product/scenario/parse/include.ts";
import { findScenarioFiles } from "../../../src/product/scenario/run/findFiles.ts";
import { hashFolder } from "../../lib/hashFolder.ts";
import { appendLine, readLines } from "../../lib/jobs.ts";
import type { OracleCopy } from "./openCopy.ts";
import type { Fate, KillerNote, OracleReport, OracleRun } from "./oracleReport.ts";
import { type Candidate, type Measured, planFiles } from "./planFiles.ts";
import type { JobRunner, Runners } from "./runners.ts";
import type { AnyDone, AnyJob, Kill, KillJob, Mode, Reach, ReachJob } from "./scenarioWorker.ts";

const MODES: readonly Mode[] = ["plain", "checked"];

/** Folders of `src` that the expectations of a file depend on. */
const PLAIN_PARTS = ["ground", "protocol", "venue", "product/scenario"];

/** The same with the invariants. */
const CHECKED_PARTS = [...PLAIN_PARTS, "proof/invariants"];

/** A result line. */
type Kept =
  | ({
      readonly kind: "reach";
      readonly version: string;
      /** Hash of the drawn mutants: numbers hold for them only. */
      readonly draw: string;
      readonly text: string;
      readonly mode: Mode;
    } & Reach)
  | ({
      readonly kind: "kill";
      readonly version: string;
      readonly key: string;
      readonly mode: Mode;
      /** Hashes of the files that pass with the mutant. */
      readonly passed: readonly string[];
      /** Hash of the file that fails. */
      readonly failed?: string | undefined;
    } & Kill);

export interface ScenarioOptions {
  readonly runners: Runners;
  /** File with the kept results. */
  readonly progress: string;
  /** Only these mutants run; the others keep their results. */
  readonly only: string;
  readonly report: boolean;
  /** Results of earlier versions count, if no change since alters what a file or a mutant does. */
  readonly carry: boolean;
  /** The last report: with `carry`, its fates count, and its survivors run only files that it has not tried. */
  readonly earlier?: OracleReport | undefined;
  /** Files of a mutant that run with the invariants, at most, besides new ones. */
  readonly checkedMost: number;
  say(text: string): void;
}

/** Runs what the kept results leave open, and returns the fate of every mutant that has one. */
export async function runScenarioOracle({ mutants, folder }: OracleCopy, options: ScenarioOptions): Promise<OracleRun> {
  const { progress } = options;
  const files = findScenarioFiles([join(folder, "scenarios")]).files.map((file) =>
    relative(folder, file).replaceAll("\\", "/"),
  );
  const textOf = new Map(files.map((file) => [file, hashScenario(join(folder, file))]));
  const fileOf = new Map([...textOf].map(([file, text]) => [text, file]));
  // What the expectations alone see does not change with the checkers.
  const hashParts = (parts: readonly string[]) =>
    parts.map((part) => hashFolder(join(folder, "src", part)).slice(0, 8)).join(" ");
  const versions: Readonly<Record<Mode, string>> = { plain: hashParts(PLAIN_PARTS), checked: hashParts(CHECKED_PARTS) };

  const earlier = options.carry ? options.earlier : undefined;
  const before = new Set(Object.values(earlier?.texts ?? {}));
  const draw = hashTexts([...mutants.values()].map(({ key }) => key));
  let carried = 0;
  const reaches = new Map<string, Reach>();
  const passed = new Map<string, Set<string>>();
  const killers = new Map<string, KillerNote>();
  /** Files that killed a mutant in any version: tried first. */
  const hints = new Map<string, string>();
  for (const line of readLines<Kept>(progress)) {
    if (line.kind === "kill" && line.killer !== undefined) hints.set(line.key, line.killer.file);
    if (line.version !== versions[line.mode]) {
      if (!options.carry) continue;
      if (line.kind === "kill") carried++;
    }
    if (line.kind === "kill") take(line);
    else if (line.draw === draw) reaches.set(`${line.mode} ${line.text}`, line);
  }
  function take({ key, mode, passed: texts, failed, killer }: Extract<Kept, { kind: "kill" }>): void {
    const known = passed.get(`${mode} ${key}`) ?? new Set();
    passed.set(`${mode} ${key}`, known);
    for (const text of texts) known.add(text);
    const file = failed === undefined ? undefined : fileOf.get(failed);
    if (killer !== undefined && file !== undefined) killers.set(`${mode} ${key}`, { ...killer, file, mode });
  }

  const missing = MODES.flatMap((mode) =>
    files
      .filter((file) => !reaches.has(`${mode} ${textOf.get(file)}`))
      // With all invariants on, a file costs twenty times as much.
      .filter((file) => mode === "plain" || !before.has(textOf.get(file)!))
      .map((file): ReachJob => ({ kind: "reach", file, mode })),
  );
  // Files that were not there before run with every survivor in which they differ.
  const isFirst = before.size === 0 && missing.length === MODES.length * files.length;
  const isNew = new Set(
    isFirst ? [] : missing.map(({ file }) => file).filter((file) => !before.has(textOf.get(file)!)),
  );
  if (missing.length > 0 && !options.report) options.say(`${missing.length} runs without a mutant`);
  await run<ReachJob, Reach>(options.runners.here, options.report ? [] : missing, ({ file, mode }, done) => {
    const text = textOf.get(file)!;
    reaches.set(`${mode} ${text}`, done);
    appendLine(progress, { ...done, version: versions[mode], draw, text, mode });
  });
  const measured = (mode: Mode): Measured[] =>
    files.flatMap((file) => {
      const reach = reaches.get(`${mode} ${textOf.get(file)}`);
      return reach === undefined || reach.failure !== undefined ? [] : [{ file, reach }];
    });
  const candidatesOf = new Map(MODES.map((mode) => [mode, planFiles(measured(mode))]));

  for (const mode of MODES) {
    const jobs: KillJob[] = [];
    for (const [mutant, { key }] of mutants) {
      if (!key.includes(options.only) || MODES.some((one) => killers.has(`${one} ${key}`))) continue;
      const fate = earlier?.fates[key];
      if (fate === "plain" || (fate === "checked" && mode === "checked")) continue;
      const done = passed.get(`${mode} ${key}`) ?? new Set();
      const { files: all, isLoaded } = candidatesOf.get(mode)!(mutant);
      const hint = hints.get(key);
      const open = all
        .map(({ file }) => file)
        .filter((file) => !done.has(textOf.get(file)!) && !(fate === "survived" && before.has(textOf.get(file)!)));
      if (open.length === 0) continue;
      open.sort((a, b) => Number(b === hint) - Number(a === hint));
      const fresh = open.filter((file) => isNew.has(file));
      const most = mode === "checked" ? Math.max(fresh.length, options.checkedMost - done.size) : open.length;
      const chosen = [...new Set([...fresh, ...open])].slice(0, most);
      if (chosen.length > 0) jobs.push({ kind: "kill", mutant, mode, files: chosen, isLoaded });
    }
    let count = 0;
    await run<KillJob, Kill>(options.runners.mutants, options.report ? [] : jobs, (job, done) => {
      const { key } = mutants.get(job.mutant)!;
      const failed = done.killer?.file;
      const tried = failed === undefined || failed === "" ? job.files : job.files.slice(0, job.files.indexOf(failed));
      const line = {
        ...done,
        version: versions[mode],
        key,
        mode,
        passed: failed === "" ? [] : tried.map((file) => textOf.get(file)!),
        failed: failed === undefined ? undefined : textOf.get(failed === "" ? job.files[0]! : failed),
      };
      appendLine(progress, line);
      take(line);
      const what = done.killer === undefined ? "SURVIVED" : `${done.killer.file} (${done.killer.kind})`;
      options.say(`${mode} ${++count}/${jobs.length} ${key}: ${what}, ${job.files.length} files, ${done.seconds} s`);
    });
  }

  const fates = new Map<number, Fate>();
  const survived = new Map(earlier?.survivors.map((survivor) => [survivor.key, survivor]));
  for (const [mutant, { key }] of mutants) {
    const all: readonly Candidate[] = MODES.flatMap((mode) => candidatesOf.get(mode)!(mutant).reached);
    const known = survived.get(key);
    const fresh = known === undefined ? all : all.filter(({ file }) => !before.has(textOf.get(file)!));
    const killer = killers.get(`plain ${key}`) ?? killers.get(`checked ${key}`);
    const fate = earlier?.fates[key] ?? "survived";
    if (killer === undefined && fate !== "survived") carried++;
    fates.set(mutant, {
      killer: killer ?? (fate === "survived" ? undefined : { mode: fate, file: "", kind: "earlier", what: "" }),
      reached: countOf(fresh, known?.reached),
      differed: countOf(
        fresh.filter(({ times }) => times > 0),
        known?.differed,
      ),
    });
  }
  /** A changed file may have been there before. */
  function countOf(list: readonly Candidate[], known = 0): number {
    return Math.min(files.length, known + new Set(list.map(({ file }) => file)).size);
  }
  const falseAlarms = files.flatMap((file) => {
    const failure = reaches.get(`checked ${textOf.get(file)}`)?.failure;
    return failure === undefined ? [] : [`${file} (${failure})`];
  });
  const texts = Object.fromEntries(textOf);
  return { proofs: files.length, fates, falseAlarms, carried, texts };

  function run<Job extends AnyJob, Done extends AnyDone>(
    runner: JobRunner,
    jobs: readonly Job[],
    onDone: (job: Job, done: Done) => void,
  ): Promise<void> {
    return runner<Job, Done>({
      jobs,
      onDone: (done, job) => onDone(job, done),
      lost: (job, why) => {
        if (job.kind === "reach") throw new Error(`${job.file} without a mutant ended: ${why}`);
        // Which of its files it was is not known, so none is named.
        return { kind: "kill", killer: { file: "", kind: why, what: "the run itself ended" }, seconds: 0 } as Done;
      },
      envOf: (job) => (job.kind === "kill" && job.isLoaded ? { PERPLAB_MUTANT: String(job.mutant) } : undefined),
    });
  }
}

/** Over the file and all that it includes. */
function hashScenario(file: string): string {
  const texts: string[] = [];
  compileScenario(file, (path) => {
    const text = readTextFile(path);
    texts.push(text);
    return text;
  });
  return hashTexts(texts);
}

function hashTexts(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 12);
}
