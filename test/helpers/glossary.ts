/** One row of `docs/reference/glossary.md`. */
export interface Term {
  readonly term: string;
  /** Id of the rule, and the page of `docs/spec` that the row links to. */
  readonly rule: string;
  readonly page: string;
  readonly code: string;
}

/** The texts in which every term must occur. */
export interface GlossaryTexts {
  /** Pages of the rulebook by their file's name. */
  readonly rulebook: ReadonlyMap<string, string>;
  readonly source: string;
  readonly scenarios: string;
}

const ROW = /^\| ([^|]+) \| [^|]+ \| \[([^\]]+)\]\(\.\.\/spec\/([^)]+)\) \| `([^`]+)` \|$/;

/** The rows of the glossary's table. A line of the table in another form is an error. */
export function readGlossary(page: string): Term[] {
  const lines = page.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => {
    const [, term = "", rule = "", link = "", code = ""] = ROW.exec(line) ?? [];
    if (term === "") throw new Error(`no row of a glossary: ${line}`);
    return { term, rule, page: link, code };
  });
}

/**
 * What is missing, one line each: a term without a use, a rule without a heading, a code name that `src` does not have.
 */
export function checkGlossary(terms: readonly Term[], { rulebook, source, scenarios }: GlossaryTexts): string[] {
  const places = [
    ["rulebook", readWords([...rulebook.values()].map(withoutScenarios).join("\n"))],
    ["source", readWords(source)],
    ["scenarios", readWords(scenarios)],
  ] as const;
  const names = new Set(source.match(/\w+/g));
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { term, rule, page, code } of terms) {
    if (seen.has(term)) faults.push(`${term}: is listed twice`);
    seen.add(term);
    const words = readWords(term).trimEnd();
    for (const [place, text] of places) {
      if (!text.includes(`${words} `) && !text.includes(`${words}s `)) faults.push(`${term}: not in the ${place}`);
    }
    const [file = "", anchor] = page.split("#");
    const heading = new RegExp(`^## (${rule} .*)$`, "m").exec(rulebook.get(file) ?? "")?.[1];
    if (heading === undefined) faults.push(`${term}: ${file} has no rule ${rule}`);
    else if (anchor !== anchorOf(heading)) faults.push(`${term}: ${file} has no heading #${anchor}`);
    if (!names.has(code)) faults.push(`${term}: src has no name ${code}`);
  }
  return faults;
}

/** The generated lists of scenarios quote titles: a term has to occur in a rule itself. */
const withoutScenarios = (page: string) => page.replace(/^Scenarios: .*$/gm, "");

/**
 * Lower-case words with a blank before and after each: `marginAccount`, `margin-account`, and a term broken over two
 * lines of a comment are ` margin account `.
 */
const readWords = (text: string) =>
  ` ${text
    .replace(/([a-z0-9])([A-Z][a-z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase()} `;

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
