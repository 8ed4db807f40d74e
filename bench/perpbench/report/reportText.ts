import { METHODS, type Method } from "../job.ts";
import { type BenchReport, type Cell, GROUPS, type Group } from "./report.ts";
import { renderMinimal, renderSearch } from "./searchText.ts";

/** Ways as a reader knows them. */
const NAMES: Readonly<Record<Method, string>> = {
  search: "search",
  scenarios: "scenarios",
  explore: "explore: worlds",
  around: "explore: around scenarios",
};

/** Renders the report as Markdown. */
export function renderBenchReport(report: BenchReport): string {
  const lines = [
    "# Planted bugs",
    "",
    `67 bugs are planted, each alone, in a copy of the sources. The first 40 are bugs that venues had or could have had. Bugs 41 to 67 were`,
    "planted from the rulebook later, without regard to what a search draws.",
    "Some scenarios and recipes of the search were written afterwards for bugs that were not found.",
    "The list is in `bench/README.md` of the repository, under Planted bugs.",
    "",
    ...describeRun(report),
    "",
    "## Which way finds how many",
    "",
    ...renderSummary(report),
    "",
    "## What found what",
    "",
    ...GROUPS.flatMap((group) => renderGroup(report, group)),
    ...renderSequences(report),
    ...renderSearch(report),
    ...renderMinimal(report),
  ];
  return `${lines.join("\n")}\n`;
}

/** Sources, sizes and CPU time of each way. */
function describeRun({ tree, words, ran, withoutBug }: BenchReport): string[] {
  const { seeds, trials, budgets, model, guidance, depth, blocks, every, methods, cpuSeconds } = ran;
  const [least, most] = budgets;
  const budget = `at most ${least === most ? count(most) : `${count(least)} to ${count(most)}`} transactions each`;
  const [run, of] = trials;
  const partly = run < of ? `; ${count(run)} of ${count(of)} trials were run` : "";
  const worlds = `all sequences of up to ${depth} blocks in every world of \`scenarios/worlds\`, at most ${count(blocks)} blocks a bug and depth`;
  const about: Readonly<Record<Method, string>> = {
    search: `${count(seeds)} seeds a bug, ${budget}${model ? ", with the model" : ""}${guidance === undefined ? "" : `, guidance ${guidance}`}${partly}`,
    scenarios: `the files of \`scenarios\` in their order until one fails, ${count(withoutBug.scenarios)} files`,
    explore: `${worlds}, with the model; the table has the depth that each bug was explored to`,
    around: `${count(withoutBug.scenariosAround)} scenarios, one of ${every}, at most ${count(blocks)} blocks a bug, with the model`,
  };
  const alarms = withoutBug.falseAlarms;
  return [
    `All figures are of one copy of the sources: \`${tree.copy}\`, commit \`${tree.commit}\`.`,
    `Made by \`${["npm run perpbench", ...(words.length === 0 ? [] : ["--", ...words])].join(" ")}\`.`,
    "",
    "| way | what was run | CPU time, min |",
    "|---|---|---|",
    ...methods.map(
      (method) => `| ${NAMES[method]} | ${about[method]} | ${((cpuSeconds[method] ?? 0) / 60).toFixed(1)} |`,
    ),
    "",
    "Every way ends with the first finding, so a bug that is found costs less. A search draws its cases: its finding counts if the fault has",
    "shown before. The other ways run the same files without the bug, too, so what they find with it alone is of the bug.",
    "Files whose run without the bug never reaches its lines are left out: they run the same with the bug.",
    "",
    `Without a bug, ${count(withoutBug.scenarios)} scenarios, ${count(withoutBug.transitions)} blocks of worlds and ` +
      `${count(withoutBug.blocksAround)} blocks around scenarios have ${alarms.length} findings` +
      `${alarms.length === 0 ? "." : `: ${alarms.join("; ")}.`}`,
  ];
}

function renderSummary({ groups, ran: { methods } }: BenchReport): string[] {
  return [
    `| way | ${groups.map(({ group }) => `${group}: found | not found | budget ended | not run | by it alone`).join(" | ")} |`,
    `|---|${groups.map(() => "---|---|---|---|---|").join("")}`,
    ...methods.map((method) => {
      const cells = groups.map(({ group, methods: all }) => {
        const counts = all[method];
        if (counts === undefined) return "- | - | - | - | -";
        const size = group === GROUPS[0] ? 40 : 27;
        const { found, cut, lost, tried, only } = counts;
        return `${found} | ${counts["not found"]} | ${cut + lost} | ${size - tried} | ${only}`;
      });
      return `| ${NAMES[method]} | ${cells.join(" | ")} |`;
    }),
    "",
    ...groups.map(
      ({ group, any, tried }) =>
        `- ${group}: at least one way finds ${any} of the ${tried} bugs that every way was tried with`,
    ),
    "",
    "A search counts as finding a bug if every seed that was run does; the table below has the others. `by it alone`: every way was tried and no other found it.",
  ];
}

function renderGroup({ rows, ran: { methods } }: BenchReport, group: Group): string[] {
  const all = rows.filter((row) => row.group === group && Object.keys(row.cells).length > 0);
  if (all.length === 0) return [];
  return [
    `### ${group === GROUPS[0] ? "The first 40" : "The new 27"}`,
    "",
    `| bug | ${METHODS.filter((method) => methods.includes(method))
      .map((method) => NAMES[method])
      .join(" | ")} |`,
    `|---|${methods.map(() => "---|").join("")}`,
    ...all.map(
      ({ bug, title, cells }) =>
        `| ${bug} ${title} | ${methods.map((method) => renderCell(method, cells[method])).join(" | ")} |`,
    ),
    "",
  ];
}

function renderCell(method: Method, cell: Cell | undefined): string {
  if (cell === undefined) return "not run";
  const { verdict, miss, seeds, effort, depth, by, where, cpuSeconds } = cell;
  const spent = `${cpuSeconds.toFixed(1)} s`;
  if (method === "search") {
    const [found, of] = seeds!;
    const median = found * 2 > of ? `, median ${count(effort)} transactions` : "";
    return `${found}/${of}${median}${miss === undefined ? "" : ` (${miss})`}, ${spent}`;
  }
  if (verdict === "found") {
    const place =
      method === "explore"
        ? `depth ${depth}, ${count(effort)} blocks`
        : method === "around"
          ? `${count(effort)} blocks`
          : `\`${where}\``;
    return `${place}: ${by}, ${spent}`;
  }
  const tried = method === "scenarios" ? `${count(effort)} files` : `${count(effort)} blocks`;
  const how = method === "explore" ? `depth ${depth}, ` : "";
  const words = { "not found": "not found", cut: "budget ended", lost: "lost" } as const;
  return `${words[verdict]} (${miss}): ${how}${tried}, ${spent}`;
}

/** The sequences by which explorations show bugs. */
function renderSequences({ rows }: BenchReport): string[] {
  const found = (method: "explore" | "around") =>
    rows.flatMap(({ bug, cells: { [method]: cell } }) =>
      cell?.verdict === "found" ? [renderSequence(bug, cell)] : [],
    );
  const [worlds, around] = [found("explore"), found("around")];
  const section = (title: string, about: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [`## ${title}`, "", about, "", "| bug | file | sequence |", "|---|---|---|", ...lines, ""];
  return [
    ...section(
      "Sequences of worlds",
      "The first sequence from a start that shows the bug. Without a sequence, the blocks that lead to the start show it.",
      worlds,
    ),
    ...section(
      "Steps around scenarios",
      "The first step that shows the bug, or the block after it. Without a step, the scenario itself breaks an invariant or differs from the model.",
      around,
    ),
  ];
}

function renderSequence(bug: number, { where = "", path = [] }: Cell): string {
  const text = path.length === 0 ? "-" : path.join(", then ");
  return `| ${bug} | ${where} | ${text.replaceAll("|", "\\|")} |`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
