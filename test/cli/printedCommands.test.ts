import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type CommandEntry, isGroup } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { createFolder, type Ended, projectRoot } from "../helpers/project.ts";
import { writeLog } from "../product/scenario/freezeHelpers.ts";

// Goal: a command that perplab prints makes the same thing happen again, in the folder in which it was printed.
// Method: a shell types it, with `perplab` for the command line of this clone. Folders have a blank in their name, and
// arguments need quotes.

/** Source files that print commands, each with a test below. */
const PRINTERS = [
  "src/product/backtest/report/command.ts", // "the report of a backtest from code"
  "src/cli/commands/backtest/readRun.ts", // "the report of a backtest"
  "src/cli/commands/compare.ts", // "two runs compared"
  "src/cli/commands/compareRules.ts", // "the page of a comparison"
  "src/cli/commands/freeze.ts", // "blocks that are frozen"
  "src/cli/commands/fuzz/run.ts", // "Ctrl-C" and "a search"
  "src/cli/commands/fuzz/strategy.ts", // "a market that breaks a strategy"
  "src/cli/commands/monteCarlo.ts", // "other paths of a run"
  "src/cli/commands/sweep.ts", // "a sweep, and a cell of it"
  "src/cli/commands/sweep/runCells.ts", // `sweep.test.ts` types it after Ctrl-C
  "src/cli/commands/walkForward.ts", // "a walk-forward"
  "src/cli/commands/import.ts", // "a file of no known layout"
  "src/cli/runs/connectQueue.ts", // `cluster.test.ts` starts the worker that it names
  "src/cli/commands/scenario/new.ts", // "a new scenario"
  "src/proof/fuzz/campaign/reproduce.ts", // "a search"
  "src/proof/fuzz/failure/createFailureReport.ts", // a scenario that its caller has yet to write
  "src/product/market-data/draft/plainTable.ts", // "a file of no known layout"
  "src/server/host/store/missingBlocks.ts", // "a store that lost its log"
];

const namesOf = (entry: CommandEntry): string[] =>
  isGroup(entry) ? entry.commands.map(({ name }) => `${entry.name} ${name}`) : [entry.name, entry.alias ?? entry.name];
const names = commands.flatMap(namesOf).join("|");
const BY_HAND = new RegExp(`perplab (${names}) [^\`"'\\n]*\\$\\{`);

/** What all of them are made of. */
const MAKERS = ["src/cli/program.ts", "src/ground/collections/commandLine.ts"];

test("every place that prints a command is here", () => {
  const printers = globSync("src/**/*.ts", { cwd: projectRoot, exclude: MAKERS }).filter((file) => {
    const text = readFileSync(join(projectRoot, file), "utf8");
    expect(text, `${file} composes a command by hand, without quotes`).not.toMatch(BY_HAND);
    return /\bformatCommand\((\[|words)|\bcall\(\["|context\.call\(/.test(text);
  });
  expect(printers.map((file) => file.replaceAll("\\", "/")).sort()).toEqual([...PRINTERS].sort());
});

const SHELL = 'perplab() { "$PERPLAB_NODE" "$PERPLAB_BIN" "$@"; }\n';
const env = { ...process.env, PERPLAB_NODE: process.execPath, PERPLAB_BIN: join(projectRoot, "bin/perplab.js") };

function type(cwd: string, command: string): Ended {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", `${SHELL}${command}`], { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** A module with an invariant that breaks as soon as there are more than a few orders. */
const FEW_ORDERS = `
import { defineInvariant } from "perplab/invariants";
export default defineInvariant({
  id: "fewOrders", sentence: "There are few orders.", rules: [], when: "block",
  sweep: (state) => (state.orders.rows.count > 2 ? "orders " + state.orders.rows.count : undefined),
});
`;
const SEARCH = "perplab fuzz run --seed 1 --workers 1 --fail-fast --tx 5000";

/** Commands after `again: `, in order, and those of failure pages. */
function findCommands(folder: string, { stdout }: Ended): string[] {
  const pages = globSync("**/*.html", { cwd: folder }).map((page) => readFileSync(join(folder, page), "utf8"));
  const plain = pages.map((text) =>
    text
      .replaceAll(/<button[^>]*>[^<]*<\/button>/g, "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&#39;", "'")
      .replaceAll("&quot;", '"'),
  );
  return [stdout, ...plain].flatMap((text) =>
    [...text.matchAll(/(?:again: |[Aa]gain)(perplab (?:fuzz|scenario) .*)$/gm)].map(([, one]) => one!.trim()),
  );
}

/** The command in a page's box, with its characters as they are typed. */
function readBox(page: string): string {
  const [, code = ""] = /<div class="box"><code>(perplab [^<]*)</.exec(readFileSync(page, "utf8")) ?? [];
  return code.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

const RANGE = "--from 2024-07-19 --to 2024-07-19T06:00 --store 'my runs'";

test("a sweep, and a cell of it", () => {
  const folder = createFolder();
  copyFileSync(join(projectRoot, "data/BTC-PERP-klines-1m-2024-07-19.csv.gz"), join(folder, "a day.csv.gz"));
  const words = `trend --data 'BTC-PERP:klines=a day.csv.gz' --grid fast=2,4 slow=8 ${RANGE}`;
  const made = type(folder, `perplab sweep ${words} --out 'a sweep.html' 'a sweep.json' --reports none`);
  expect(made.status, made.stderr).toBe(0);
  const { cells } = JSON.parse(readFileSync(join(folder, "a sweep.json"), "utf8"));
  const again = type(folder, `${readBox(join(folder, "a sweep.html"))} --json`);
  expect(JSON.parse(again.stdout).cells.map(({ root }: { root: string }) => root)).toEqual(
    cells.map(({ root }: { root: string }) => root),
  );
  const cell = type(folder, `${cells[1].command} --json`);
  expect(JSON.parse(cell.stdout).run.engine.stateRoot).toBe(cells[1].root);
});

test("two runs compared", () => {
  const folder = createFolder();
  writeLog("orders/cancel-frees-reserve.yaml", join(folder, "a run.log"));
  const made = type(folder, "perplab compare 'a run.log' 'a run.log' --out 'a page.html'");
  expect(made.status, made.stderr).toBe(0);
  const again = type(folder, `${readBox(join(folder, "a page.html"))} --json`);
  expect(JSON.parse(again.stdout)).toMatchObject({ kind: "logs", equal: true });
});

test("blocks that are frozen", () => {
  const folder = createFolder();
  writeLog("orders/cancel-frees-reserve.yaml", join(folder, "a run.log"));
  const made = type(folder, "perplab freeze 'a run.log' --blocks 1..2 --out 'a test.yaml'");
  expect(made.status, made.stderr).toBe(0);
  const [, command = ""] = /^run it with: (perplab .*)$/m.exec(made.stdout) ?? [];
  const run = type(folder, command);
  expect(run.status, run.stdout).toBe(0);
});

test("a walk-forward", () => {
  const folder = createFolder();
  copyFileSync(join(projectRoot, "data/BTC-PERP-klines-1m-2024-07-19.csv.gz"), join(folder, "a day.csv.gz"));
  const words = `trend --data 'BTC-PERP:klines=a day.csv.gz' --grid fast=2,4 slow=8 --train 2h --test 1h ${RANGE}`;
  const made = type(folder, `perplab walk-forward ${words} --out 'a walk.html' 'a walk.json'`);
  expect(made.status, made.stderr).toBe(0);
  const again = type(folder, `${readBox(join(folder, "a walk.html"))} --json`);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(readFileSync(join(folder, "a walk.json"), "utf8")));
});

test("other paths of a run", () => {
  const folder = createFolder();
  copyFileSync(join(projectRoot, "data/BTC-PERP-klines-1h-2024.csv.gz"), join(folder, "a year.csv.gz"));
  const run = "perplab backtest trend --data 'BTC-PERP:klines=a year.csv.gz' --to 2024-01-20 --out 'a run.json'";
  expect(type(folder, run).status).toBe(0);
  const made = type(folder, "perplab monte-carlo 'a run.json' --paths 50 --out 'some paths.html' --json");
  expect(made.status, made.stderr).toBe(0);
  const again = type(folder, `${readBox(join(folder, "some paths.html"))} --json`);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(made.stdout));
});

test("a search with an invariant of the user's own: its replay and its failure page", () => {
  const folder = createFolder({ "my checks/few orders.ts": FEW_ORDERS });
  const found = type(
    folder,
    `${SEARCH} --user-invariants 'my checks/few orders.ts' --invariants fewOrders,conservation --failures 'what fails'`,
  );
  expect(found).toMatchObject({ status: 1, stderr: expect.stringContaining("SEARCH_VIOLATED") });
  const commands = findCommands(folder, found);
  expect(commands.map((command) => command.split(" ").slice(0, 3).join(" "))).toEqual([
    "perplab fuzz replay",
    "perplab scenario run",
  ]);
  for (const command of commands) {
    const again = type(folder, command);
    expect(again.status, command).toBe(1);
    expect(`${again.stdout}${again.stderr}`, command).toContain("fewOrders");
  }
  // The failure is the invariant's: without it nothing fails.
  expect(type(folder, commands[1]!.replace(/ --user-invariants .*/, "")).status).toBe(0);
});

test("a search with a planted fault: its replay and its failure page", () => {
  const folder = createFolder();
  const found = type(folder, `${SEARCH} --canary freeUnit --invariants conservation`);
  expect(found.status).toBe(1);
  const commands = findCommands(folder, found);
  expect(commands.length).toBe(2);
  for (const command of commands) {
    expect(command).toContain("--canary freeUnit");
    expect(type(folder, command), command).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("conservation"),
    });
  }
});

test("a search with a case that does not end: its replay is given up, too", () => {
  const timedOut = `export default { id: "mine", sentence: "Mine.", rules: [], when: "block", sweep({ height }) { while (height > 2); } };`;
  const folder = createFolder({ "mine.mjs": timedOut });
  const found = type(folder, `${SEARCH} --user-invariants mine.mjs --invariants mine --case-timeout 2s`);
  const [command = ""] = findCommands(folder, found);
  expect(command).toContain("--case-timeout 2000ms");
  expect(type(folder, command)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("everythingEnds is broken"),
  });
});

test("Ctrl-C: the command continues the campaign to the same end", async () => {
  const folder = createFolder();
  const search = "perplab fuzz run --tx 12000 --workers 1 --invariants conservation --seed 3";
  const whole = type(folder, `${search} --json`);
  const argv = [env.PERPLAB_BIN, ...search.split(" ").slice(1), "--corpus", "a corpus"];
  const child = spawn(process.execPath, argv, { cwd: folder, env });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    // After a round, of which the search has some.
    if (text.includes("%")) child.kill("SIGINT");
  });
  await new Promise((resolve) => child.once("close", resolve));
  const [, command = ""] = /stopped; continue with:\n {2}(.*)\n/.exec(said) ?? [];
  expect(command, said).toMatch(/^perplab fuzz run .*--seed 3 .*--corpus 'a corpus' --resume$/);
  const read = ({ stdout }: Ended) => JSON.parse(stdout) as { digest: string; seed: number };
  expect(read(type(folder, `${command} --json`)).digest).toBe(read(whole).digest);
  // The settings of the campaign need not be given again.
  expect(read(type(folder, "perplab fuzz run --tx 1 --corpus 'a corpus' --resume --json")).seed).toBe(3);
});

test("Ctrl-C without a corpus: the command begins the same search again", async () => {
  const folder = createFolder();
  const child = spawn(process.execPath, [env.PERPLAB_BIN, "fuzz", "run", "--time", "5m", "--workers", "1"], {
    cwd: folder,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (text.startsWith("searching")) setTimeout(() => child.kill("SIGINT"), 3_000);
  });
  const ended = await new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
  expect(ended).toBe("SIGINT");
  expect(said).toMatch(/begin again with:\n {2}perplab fuzz run --time 5m --workers 1 --seed \d+\n/);
});

const BARS = join(projectRoot, "data/BTC-PERP-klines-1m-2024-07-19.csv.gz");

test("the report of a backtest", () => {
  const folder = createFolder();
  const options = `--data '${BARS}' --param fast=6 slow=24 --leverage 2 --to 2024-07-19T06:00`;
  const first = type(folder, `perplab backtest trend ${options} --out 'a folder/r.json' --json`);
  const read = ({ stdout }: Ended) => {
    const { command, stateRoot } = JSON.parse(stdout) as { command?: string; stateRoot?: string };
    const text = (name: string) => new RegExp(`"${name}": ?("(?:[^"\\\\]|\\\\.)*")`).exec(stdout)?.[1];
    return { command: command ?? JSON.parse(text("command")!), root: stateRoot ?? JSON.parse(text("stateRoot")!) };
  };
  const { command, root } = read(first);
  expect(command).toContain("perplab backtest trend");
  expect(read(type(folder, `${command} --json`)).root).toBe(root);
});

test("the report of a backtest from code", () => {
  const folder = createFolder({
    "mine.ts": `
      import { openData } from "perplab/market-data";
      import { runBacktest } from "perplab/backtest";
      import trend from ${JSON.stringify(pathToFileURL(join(projectRoot, "src/product/strategies/trend.ts")).href)};
      const data = await openData(["BTC-PERP=it's the data/bars.csv.gz"]);
      const params = { fast: 6, slow: 24 };
      const run = { strategy: trend, data, params, leverage: 2, latencyMs: 250, parameters: { takerFee: "0.001" } };
      const { report, root } = await runBacktest({ ...run, toMs: Date.UTC(2024, 6, 19, 6) });
      console.log(JSON.stringify({ command: report.run.command, root }));`,
  });
  mkdirSync(join(folder, "it's the data"));
  copyFileSync(BARS, join(folder, "it's the data/bars.csv.gz"));
  const { command, root } = JSON.parse(type(folder, "perplab run mine.ts").stdout) as { command: string; root: string };
  // A tape and a loaded file have a name, and no folder.
  const again = type(join(folder, "it's the data"), `${command} --json`);
  expect(again.stdout, again.stderr).toContain(root);
});

test("the page of a comparison", () => {
  const folder = createFolder();
  const first = type(
    folder,
    `perplab compare-rules '${BARS}' --accounts 20 --to 2024-07-19T02:00 --presets perplab --out rules.html`,
  );
  expect(first.status).toBe(0);
  const page = readFileSync(join(folder, "rules.html"), "utf8");
  const [, command = ""] = /(perplab compare-rules [^<]*)</.exec(page) ?? [];
  const again = type(folder, command.replaceAll("&#39;", "'"));
  expect({ status: again.status, table: again.stdout.trim() }).toEqual({
    status: 0,
    table: first.stdout.replace(/\n\nWritten[\s\S]*$/, "").trim(),
  });
});

test("a market that breaks a strategy, written or not", () => {
  const folder = createFolder();
  const search = "perplab fuzz strategy trend --assert min-equity=9999 --leverage 3 --param fast=6 --attempts 20";
  for (const out of ["", " --out 'a market'"]) {
    const found = type(folder, search + out);
    expect(found.status, found.stderr).toBe(1);
    const [, again = ""] = /^again: (.*)$/m.exec(found.stdout) ?? [];
    expect(type(folder, again), again).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("ASSERTION_BROKEN"),
    });
    const [, charts] = /^with charts: (.*)$/m.exec(found.stdout) ?? [];
    expect(charts === undefined).toBe(out === "");
    if (charts !== undefined) {
      expect(type(folder, charts)).toMatchObject({ status: 0 });
      expect(readdirSync(folder)).toContain("report.html");
    }
  }
});

test("a store that lost its log", () => {
  const folder = createFolder();
  const serve = "perplab serve --store 'a venue'";
  expect(type(folder, `${serve} --port 0 --check`).status).toBe(0);
  for (const name of readdirSync(join(folder, "a venue")).filter((file) => /log/.test(file))) {
    rmSync(join(folder, "a venue", name), { recursive: true });
  }
  const refused = type(folder, `${serve} --port 0 --check`);
  const [, command = ""] = /: (perplab serve .*)$/m.exec(refused.stderr) ?? [];
  expect(command, refused.stderr).toBe(`${serve} --accept-loss`);
  expect(type(folder, `${command} --port 0 --check`)).toMatchObject({ status: 0 });
});

test("a file of no known layout: the draft of a mapping, and the tape that it makes", () => {
  const rows = ["stamp,price,qty", "2024-03-01T00:00:00Z,61200,1.5", "2024-03-01T00:00:05Z,61201,2"];
  const folder = createFolder({ "a b/my trades.csv": `${rows.join("\n")}\n` });
  const refused = type(folder, "perplab import 'BTC-PERP=a b/my trades.csv' --out a.tape");
  const [, draft = ""] = /hint: (perplab import .*) writes a mapping file/.exec(refused.stderr) ?? [];
  expect(draft, refused.stderr).toBe("perplab import --draft-mapping 'a b/my trades.csv'");
  const drafted = type(folder, draft);
  expect(drafted).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "FILE.yaml"), drafted.stdout);
  const [, tape = ""] = /then: (perplab import .*)/.exec(drafted.stderr) ?? [];
  expect(type(folder, tape.replace("MARKET", "BTC-PERP")), tape).toMatchObject({ status: 0 });
  expect(readdirSync(folder)).toContain("FILE.tape");
});

test("a new scenario", () => {
  const folder = createFolder();
  const { stdout } = type(folder, "perplab scenario new 'my first.yaml'");
  const [, command = ""] = /run it with: (.*)/.exec(stdout) ?? [];
  expect(type(folder, command).status).toBe(0);
});
