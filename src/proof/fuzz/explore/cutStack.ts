/** Folder of the package, as stacks have it. */
const PACKAGE = new URL("../../../../", import.meta.url).href;

/** Lines of a stack that are below a trial: they differ between threads. */
const CALLER = /^ {4}at .*\bexplore\/trial\.[jt]s:/;

/**
 * A message without what depends on the thread and the machine: the stack in it ends at the trial, and its files are
 * relative to the package.
 */
export function cutStack(observed: string): string {
  if (!observed.includes("\n    at ")) return observed;
  const kept: string[] = [];
  let isBelow = false;
  for (const line of observed.split("\n")) {
    if (!line.startsWith("    at ")) isBelow = false;
    else if (CALLER.test(line)) isBelow = true;
    if (!isBelow) kept.push(line.replaceAll(PACKAGE, ""));
  }
  return kept.join("\n");
}
