/** The name that a mistyped one most likely meant: at most a third of its letters differ. Ties go to the earlier. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.floor(Math.max(3, name.length) / 3) + 1;
  for (const candidate of names) {
    const distance = computeDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Fewest insertions, deletions, substitutions and swaps of neighbours from one text to the other. */
function computeDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = swapped ? before[j - 2]! + 1 : change;
      next.push(Math.min(change, swap, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}
