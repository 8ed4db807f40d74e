import { CaseRun } from "../../src/product/scenario/run/caseRun.ts";
import { idOfLabel, type Labelled } from "../../src/product/scenario/run/ids.ts";
import { LockStep } from "../../src/proof/fuzz/differential/lockStep.ts";
import { HEAVY_EVERY } from "../../src/proof/fuzz/explore/world/frontier.ts";
import { digestHidden } from "../../src/proof/fuzz/explore/world/hiddenState.ts";
import type { StartReport } from "../../src/proof/fuzz/explore/world/startReport.ts";
import type { Start } from "../../src/proof/fuzz/explore/world/worlds.ts";
import { joinProbes } from "../../src/proof/fuzz/run/joinProbes.ts";
import { compareWithModel } from "../../src/proof/fuzz/run/modelCheckers.ts";
import type { Apply } from "../../src/proof/fuzz/shrink/readScript.ts";
import { invariants } from "../../src/proof/invariants/list.ts";
import { StepWatch } from "../../src/proof/invariants/machinery/watching/stepWatch.ts";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import type { Block } from "../../src/protocol/transaction.ts";
import { applyBlock } from "../../src/venue/engine/applyBlock.ts";
import { forkState } from "../../src/venue/engine/state/forkState.ts";
import type { State } from "../../src/venue/engine/state/state.ts";
import { computePlainKey } from "./plainStateKey.ts";

interface Node {
  readonly path: readonly string[];
  readonly blocks: readonly Block[];
  readonly labels: ReadonlyMap<string, Labelled>;
  readonly key: string;
}

export type PlainReport = Pick<StartReport, "statesAt" | "transitions" | "merged" | "unchanged" | "traces"> & {
  /** Invariant and path of each violation, in the order in which they were found. */
  readonly broken: readonly string[];
};

/**
 * Explores a start without memory from one block to the next: every state is reached by all its blocks from the start,
 * on a new fork, with a new model and a new watch. The slow twin of `exploreStart`. Merged pairs are not tried.
 */
export function explorePlainly(
  start: Start,
  depth: number,
  apply: Apply = applyBlock,
  heavyEvery = HEAVY_EVERY,
): PlainReport {
  const { plan, digest, alphabet, point } = start;
  const seen = new Set<string>();
  const broken: string[] = [];
  const counts = { transitions: 0, merged: 0, unchanged: 0, traces: 0 };
  const root: Node = { path: [], blocks: [], labels: start.labels, key: leastKey(start, point.state, start.labels) };
  seen.add(root.key);
  const statesAt = [1];
  /** New states so far before the last depth. */
  let early = 0;
  let level = [root];
  for (let at = 1; at <= depth; at++) {
    const next: Node[] = [];
    for (const node of level) {
      for (const { name, planned, needs } of alphabet.letters) {
        if (!needs.every((label) => node.labels.has(label))) continue;
        const { state, both } = reach(start, node, apply);
        const before = forkState(state);
        const block = new CaseRun(plan, digest, { state: before, labels: new Map(node.labels) }).build(planned);
        const watch = new StepWatch(before, invariants);
        watch.start(before);
        const result = apply(state, block, joinProbes(watch.probe, both?.probe));
        counts.transitions++;
        const path = [...node.path, name];
        const [light] = watch.check(before, state, block, result, { heavy: false });
        const fault =
          light?.invariant ?? (both === undefined ? undefined : compareWithModel(both, state, block)?.invariant);
        if (fault !== undefined) {
          broken.push(`${fault} after ${path.join(" > ")}`);
          continue;
        }
        const run = new CaseRun(plan, digest, { state, labels: new Map() });
        run.remember(planned, block, result, before.consumed);
        const made = [...run.labels].filter(([, { receipt }]) => receipt.status === "applied");
        const labels = new Map([...node.labels, ...made]);
        let key = leastKey(start, state, labels);
        const codes = block.transactions.map((_, index) => result.receipts.codes[index]!);
        if (codes.length > 0 && codes.every((code) => code !== 0) && key === node.key) {
          const [was, is] = [digestHidden(before), digestHidden(state)];
          if (was === is) {
            counts.unchanged++;
            continue;
          }
          counts.traces++;
          key = `${key} ${is}`;
        }
        if (seen.has(key)) {
          counts.merged++;
          continue;
        }
        seen.add(key);
        const isHeavy = at === depth || early++ % heavyEvery === 0;
        const [heavy] = isHeavy ? watch.checkHeavy(state) : [];
        if (heavy !== undefined) broken.push(`${heavy.invariant} after ${path.join(" > ")}`);
        else next.push({ path, blocks: [...node.blocks, block], labels, key });
      }
    }
    statesAt.push(next.length);
    level = next;
  }
  return { statesAt, ...counts, broken };
}

function reach({ point }: Start, { blocks }: Node, apply: Apply): { state: State; both: LockStep | undefined } {
  const state = forkState(point.state);
  const both = point.model === undefined ? undefined : new LockStep(state.genesis, "block", state, point.model);
  for (const block of blocks) {
    apply(state, block, both?.probe);
    both?.check(state, block);
  }
  return { state, both };
}

/** The least plain key among all exchanges of accounts that are alike. */
function leastKey({ alphabet, places }: Start, state: State, labels: ReadonlyMap<string, Labelled>): string {
  const keys = places.map((one, exchange) => {
    const named = [...labels].map(([name, made]) => {
      const isGrant = made.events.some(({ kind }) => kind === "authorizationGranted");
      const ids = {
        order: Number(idOfLabel(made, "order") ?? 0),
        intent: Number(idOfLabel(made, "intent") ?? 0),
        grant: isGrant ? state.grants.find(made.txId() as Bytes32) : -1,
      };
      return [alphabet.exchangeLabel(name, exchange), ids] as const;
    });
    named.sort(([a], [b]) => (a < b ? -1 : 1));
    return computePlainKey(state, { places: one, labels: named, withNonces: alphabet.hasNonces });
  });
  return keys.sort()[0]!;
}
