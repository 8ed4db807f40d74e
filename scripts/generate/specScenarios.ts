/** Names under every rule of `docs/spec` the scenarios that show it. The rest of a page is written by hand. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const MARK = "Scenarios: ";

interface Scenario {
  readonly file: string;
  readonly name: string;
  readonly rules: readonly string[];
}

const scenarios: readonly Scenario[] = globSync("scenarios/**/*.yaml", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .sort()
  .map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const name = /^scenario: *(.*)$/m.exec(text)?.[1] ?? file;
    const rules = /^rules: *\[(.*)\]/m.exec(text)?.[1] ?? "";
    return { file, name, rules: rules.split(",").map((rule) => rule.trim()) };
  });

/** A page with a new line of scenarios at the end of every rule's section. */
function nameScenarios(page: string): string {
  const [head = "", ...sections] = page.split(/^(?=## )/m);
  const named = sections.map((section) => {
    const lines = section.split("\n").filter((line) => !line.startsWith(MARK));
    const body = lines.join("\n").trimEnd();
    const rule = /^## (\S+)/.exec(section)?.[1];
    const shown = scenarios.filter(({ rules }) => rules.includes(rule ?? ""));
    if (shown.length === 0) return body;
    return `${body}\n\n${MARK}${shown.map(({ name, file }) => `[${name}](../../${file})`).join(", ")}.`;
  });
  return `${[head.trimEnd(), ...named].join("\n\n")}\n`;
}

export const outputs = globSync("docs/spec/*.md", { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .map((path) => ({ path, render: () => nameScenarios(readFileSync(join(root, path), "utf8")) }));
