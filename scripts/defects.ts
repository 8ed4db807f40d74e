/** A page of defects that does not fit the scenarios. */
export interface DefectFault {
  readonly line: number;
  readonly fault: string;
}

/**
 * Compares `docs/evidence/defects.md` with the scenarios: each line of a list names a scenario that exists, its first
 * link says `Planted` exactly if that scenario has a patch, and every scenario of `scenarios/regressions` or with a
 * patch has a line.
 *
 * @param isPlanted by path from the top folder, whether the scenario names a patch with its defect
 */
export function checkDefectLines(page: string, isPlanted: ReadonlyMap<string, boolean>): DefectFault[] {
  const faults: DefectFault[] = [];
  const named = new Set<string>();
  page.split("\n").forEach((text, at) => {
    if (!text.startsWith("- ")) return;
    const fault = (words: string) => faults.push({ line: at + 1, fault: words });
    const links = [...text.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/(scenarios\/[^)]+)\)/g)];
    if (links.length === 0) fault("no scenario");
    links.forEach(([, label, file], index) => {
      named.add(file!);
      const planted = isPlanted.get(file!);
      if (planted === undefined) fault(`${file} does not exist`);
      else if (index === 0 && (label === "Planted") !== planted) {
        fault(planted ? `${file} has a patch: "Planted"` : `${file} has no patch: not "Planted"`);
      }
    });
  });
  for (const [file, planted] of isPlanted) {
    if ((planted || file.startsWith("scenarios/regressions/")) && !named.has(file)) {
      faults.push({ line: 0, fault: `${file} has no line` });
    }
  }
  return faults;
}
