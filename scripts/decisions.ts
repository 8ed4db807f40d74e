/** One decision of `docs/adr`. */
export interface Decision {
  readonly number: string;
  readonly title: string;
  readonly file: string;
  readonly status: string;
}

/**
 * The decisions of a folder, by number, without the template.
 *
 * @param files names of files, `0001-a-decision.md`
 * @throws Error if two decisions share a number, or a page lacks its heading or its status
 */
export function listDecisions(files: readonly string[], readPage: (file: string) => string): Decision[] {
  const decisions = files
    .filter((file) => /^\d{4}-.*\.md$/.test(file) && !file.startsWith("0000-"))
    .sort()
    .map((file) => readDecision(file, readPage(file)));
  decisions.forEach(({ number, file }, at) => {
    const last = decisions[at - 1];
    if (last?.number === number) throw new Error(`${last.file} and ${file} share the number ${number}`);
  });
  return decisions;
}

function readDecision(file: string, text: string): Decision {
  const number = file.slice(0, 4);
  const [, headed, title] = /^# (\d{4})\. (.+)\n/.exec(text) ?? [];
  if (headed !== number || title === undefined)
    throw new Error(`${file} does not begin with "# ${number}. <decision>"`);
  const [, status] = /^Status: (accepted|proposed|superseded by \d{4})$/m.exec(text) ?? [];
  if (status === undefined) throw new Error(`${file} has no status`);
  const [, later] = /^Superseded in part by \[(\d{4})\]/m.exec(text) ?? [];
  return { number, title, file, status: later === undefined ? status : `${status}, superseded in part by ${later}` };
}
