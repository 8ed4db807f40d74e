import type { Names } from "../../../venue/simulation/accountNames.ts";
import { type Faults, hintKnown } from "../faults.ts";
import { type Cell, getCell, getText, itemsOf, type MapCell, textOf } from "../parse/cell.ts";
import { compileBlock } from "./compileBlock.ts";
import { parseDuration } from "./duration.ts";
import type { ExplorePlan, PlannedBlock } from "./plan.ts";

/**
 * How a world is explored; undefined for a scenario that is none.
 *
 * @param blocks blocks of the scenario, after which explorations start
 */
export function compileExplore(
  root: MapCell,
  blocks: readonly PlannedBlock[],
  names: Names,
  faults: Faults,
): ExplorePlan | undefined {
  const cell = getCell(root, "explore");
  const listed = getCell(root, "alphabet");
  if (cell === undefined && listed === undefined) return undefined;
  if (cell === undefined || listed === undefined) {
    const [has, lacks] = cell === undefined ? ["alphabet", "explore"] : ["explore", "alphabet"];
    const hint = lacks === "explore" ? "write explore: { depth: 2 }" : "write the blocks to try: alphabet:";
    return faults.add((cell ?? listed)!.place, `${has} without ${lacks}`, hint);
  }
  if (getCell(root, "start") !== undefined) {
    faults.add(cell.place, "a world starts at genesis", "leave start out, or leave explore and alphabet out");
  }
  const alphabet = itemsOf(listed).map((item, at) => compileLetter(item, at, names, faults));
  checkNames(alphabet, faults);
  if (alphabet.length === 0) {
    faults.add(listed.place, "an alphabet without blocks", "write the blocks to try, each with a name");
  }
  const depth = Number(getText(cell, "depth"));
  const nightly = Number(getText(cell, "nightly") ?? depth);
  if (depth < 1) faults.add(getCell(cell, "depth")!.place, "a depth of no blocks", "write depth: 2, for example");
  else if (nightly < depth) {
    const hint = `write at least ${depth}, or leave nightly out`;
    faults.add(getCell(cell, "nightly")!.place, `a night reaches less deep than depth ${depth}`, hint);
  }
  return {
    place: cell.place,
    depth,
    nightly,
    alike: readAlike(getCell(cell, "alike"), names, faults),
    from: readFrom(getCell(cell, "from"), blocks, faults),
    shows: itemsOf(getCell(cell, "shows")).map((item) => textOf(item) ?? ""),
    alphabet,
  };
}

/** Blocks of an alphabet follow each other at once, so that only those with a time of their own move the clock. */
function compileLetter(cell: Cell, at: number, names: Names, faults: Faults): PlannedBlock {
  const block = compileBlock(cell, at + 1, undefined, names, faults);
  const after = getText(cell, "after");
  return { ...block, afterMs: after === undefined ? 1 : (parseDuration(after) ?? 1) };
}

function checkNames(alphabet: readonly PlannedBlock[], faults: Faults): void {
  const seen = new Set<string>();
  for (const { name, place } of alphabet) {
    if (seen.has(name)) faults.add(place, `${name} is a block of the alphabet already`, "give it another name");
    seen.add(name);
  }
}

function readAlike(cell: Cell | undefined, names: Names, faults: Faults): string[][] {
  const seen = new Set<string>();
  return itemsOf(cell).map((group) =>
    itemsOf(group).map((item) => {
      const name = textOf(item) ?? "";
      if (!names.has(name)) faults.add(item.place, `there is no account ${name}`, hintKnown(name, names.all));
      if (seen.has(name)) faults.add(item.place, `${name} is in a group already`, "name each account once");
      seen.add(name);
      return name;
    }),
  );
}

function readFrom(cell: Cell | undefined, blocks: readonly PlannedBlock[], faults: Faults): string[] {
  const known = blocks.map(({ name }) => name);
  return itemsOf(cell).map((item) => {
    const name = textOf(item) ?? "";
    if (!known.includes(name)) faults.add(item.place, `there is no block ${name}`, hintKnown(name, known));
    return name;
  });
}
