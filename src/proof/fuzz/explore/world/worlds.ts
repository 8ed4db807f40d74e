import type { Case, ExplorePlan, Scenario } from "../../../../product/scenario/compile/plan.ts";
import { CaseRun, type Digest } from "../../../../product/scenario/run/caseRun.ts";
import type { Labelled } from "../../../../product/scenario/run/ids.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import { createDigester } from "../../../../protocol/typedDataDigest.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { findAccount } from "../../../../venue/engine/state/accounts.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { signingDomainOf } from "../../../../venue/simulation/signatures.ts";
import type { Crash } from "../../case/crash.ts";
import { keepModel, LockStep } from "../../differential/lockStep.ts";
import { FuzzError } from "../../errors.ts";
import type { Point } from "../trial.ts";
import { type Alphabet, type Exchange, expandAlphabet, labelOf } from "./alphabet.ts";

/** A small venue whose blocks are tried in every order. */
export interface World {
  readonly file: string;
  /** Title of the scenario. */
  readonly name: string;
  readonly explore: ExplorePlan;
  readonly starts: readonly Start[];
}

/** A state from which a world is explored. */
export interface Start {
  /** Case and block: `low fees, after funded`. */
  readonly name: string;
  readonly plan: Case;
  readonly digest: Digest;
  readonly point: Point;
  readonly labels: ReadonlyMap<string, Labelled>;
  readonly alphabet: Alphabet;
  /** By exchange: the place of each account, by row. */
  readonly places: readonly (readonly number[])[];
  /** Blocks from genesis, and restarts among them. */
  readonly blocks: readonly Block[];
  readonly crashes: readonly Crash[];
}

/**
 * Reads worlds and brings each to its starting points, without checks: `scenario run` checks those blocks.
 *
 * @throws FuzzError WORLD_EXPECTED for a scenario without an alphabet
 */
export function openWorlds(scenarios: readonly Scenario[], withModel: boolean): World[] {
  return scenarios.map(({ file, name, cases }) => {
    const { explore } = cases[0]!;
    if (explore === undefined) {
      throw new FuzzError("WORLD_EXPECTED", "the scenario has no alphabet", {
        place: file,
        hint: "name a world, such as those in scenarios/worlds, or try steps around it with --around",
      });
    }
    return { file, name, explore, starts: cases.flatMap((plan) => openStarts(plan, withModel)) };
  });
}

function openStarts(plan: Case, withModel: boolean): Start[] {
  const explore = plan.explore!;
  const digester = createDigester(signingDomainOf(plan.genesis));
  const digest: Digest = (transaction) => digester.digestOf(transaction);
  const run = new CaseRun(plan, digest);
  const both = withModel ? new LockStep(plan.genesis, "block", run.state) : undefined;
  const blocks: Block[] = [];
  const crashes: Crash[] = [];
  const makers = new Map<string, string>();
  const starts: Start[] = [];
  const last = plan.blocks.at(-1)?.name;
  const wanted = new Set(explore.from.length === 0 ? [last] : explore.from);
  for (const planned of plan.blocks) {
    if (planned.refused) continue;
    for (let count = 0; count < planned.repeat; count++) {
      const { height, consumed } = run.state;
      const block = run.build(planned);
      crashes.push(...planned.restart.map((way) => ({ height, way })));
      blocks.push(block);
      const result = applyBlock(run.state, block, both?.probe);
      both?.check(run.state, block);
      run.remember(planned, block, result, consumed);
    }
    for (const { who, labels } of planned.steps) for (const label of labels) makers.set(label, who);
    if (!wanted.has(planned.name)) continue;
    const labels = new Map([...run.labels].map(([name, made]) => [labelOf(name, makers.get(name) ?? ""), made]));
    const alphabet = expandAlphabet(explore.alphabet, explore.alike, makers);
    const state = forkState(run.state);
    beginGroup(state);
    starts.push({
      name: [plan.name, explore.from.length > 1 ? `after ${planned.name}` : ""]
        .filter((part) => part !== "")
        .join(", "),
      plan,
      digest,
      point: { state, model: both === undefined ? undefined : keepModel(both.model) },
      labels,
      alphabet,
      places: alphabet.exchanges.map((exchange) => placesOf(plan, state, exchange)),
      blocks: [...blocks],
      crashes: [...crashes],
    });
  }
  return starts;
}

/**
 * Begins a new group of effects, as a full group does (DET-2): the heads of an exploration hash the blocks of their own
 * sequence, not those before the start again and again.
 */
function beginGroup({ chain, events }: State): void {
  chain.base = chain.head(events);
  chain.pending = 0;
  events.length = 0;
}

function placesOf({ names }: Case, state: State, exchange: Exchange): number[] {
  const places = Array.from({ length: state.accounts.rows.high }, (_, row) => row);
  for (const [from, to] of exchange) {
    const [row, place] = [findAccount(state, names.key(from)), findAccount(state, names.key(to))];
    if (row >= 0 && place >= 0) places[row] = place;
  }
  return places;
}
