import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { FuzzError } from "../errors.ts";
import { nameActors } from "../shrink/nameActors.ts";
import type { Apply } from "../shrink/readScript.ts";
import { type PlayedScript, playScript } from "../shrink/runner.ts";
import type { Script } from "../shrink/script.ts";

/** A script with names that a file can use, and its blocks. */
export interface NamedPlay {
  readonly script: Script;
  readonly played: PlayedScript;
  /** By address. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Gives a script readable names under which the venue behaves the same: all outcomes and kinds of events are equal.
 *
 * @throws {FuzzError} REGRESSION_UNSAID if the behaviour depends on the addresses
 */
export function chooseNames(script: Script, apply: Apply = applyBlock): NamedPlay {
  const before = writeCourse(playScript(script, apply).chronicle, apply);
  const { all, accounts, names } = nameActors(script);
  for (const named of [all, accounts]) {
    const played = playScript(named, apply);
    if (writeCourse(played.chronicle, apply) === before) return { script: named, played, names };
  }
  throw new FuzzError("REGRESSION_UNSAID", "with the addresses of a scenario's names the venue behaves differently", {
    hint: "replay the case: it is complete",
  });
}

/** The venue's behaviour without accounts and amounts: codes of receipts and kinds of events. */
function writeCourse({ genesis, blocks }: Chronicle, apply: Apply): string {
  const state = createVenue(genesis);
  const course: string[] = [];
  for (const block of blocks) {
    let result: BlockResult;
    try {
      result = apply(state, block);
    } catch {
      break;
    }
    const { receipts, events, from, to } = result;
    course.push(
      block.transactions.map((_, index) => receipts.codes[index]).join(" "),
      readEvents(events, from, to)
        .map(({ kind }) => kind)
        .join(" "),
    );
  }
  return course.join("\n");
}
