import { describe, expect, test } from "vitest";
import { defineCommand } from "../../src/cli/command.ts";
import { EXIT, failure } from "../../src/cli/fail.ts";
import { runProgram } from "../../src/cli/program.ts";
import { createRecordingTerminal } from "../helpers/terminal.ts";

const echo = defineCommand<{ times?: string; fail?: boolean; crash?: boolean }>({
  name: "echo",
  summary: "Say a word",
  description: "Says a word as often as asked.",
  examples: [{ args: "echo hello --times 2", does: "Say hello twice" }],
  configure(command) {
    command.argument("<word>", "the word").option("--times <n>", "how often").option("--fail").option("--crash");
  },
  async run({ terminal, json }, [word], { times = "1", fail, crash }) {
    if (fail) throw failure("WORD_STUCK", "the word is stuck", { place: "throat.txt:3:1", hint: "drink some water" });
    if (crash) throw new TypeError("undefined is not a word");
    if (json) return terminal.out(JSON.stringify({ word, times: Number(times) }));
    for (let i = 0; i < Number(times); i++) terminal.out(`${word}`);
  },
});

const count = defineCommand({
  name: "count",
  summary: "Count to one",
  description: "Counts to one.",
  examples: [{ args: "count", does: "Count" }],
  configure() {},
  async run({ terminal }) {
    terminal.out("1");
  },
});

async function run(...argv: string[]) {
  const terminal = createRecordingTerminal();
  const exitCode = await runProgram(argv, { commands: [echo, count], version: "9.8.7", terminal });
  return { exitCode, out: terminal.outLines, err: terminal.errLines };
}

test("a command is given its arguments and options, and ends with 0", async () => {
  expect(await run("echo", "hi", "--times", "2")).toEqual({ exitCode: EXIT.ok, out: ["hi", "hi"], err: [] });
});

test("every command understands --json", async () => {
  expect(await run("echo", "hi", "--json")).toEqual({ exitCode: 0, out: ['{"word":"hi","times":1}'], err: [] });
});

test("every command understands --no-color, before it and after it", async () => {
  expect(await run("echo", "hi", "--no-color")).toMatchObject({ exitCode: 0, out: ["hi"] });
  expect(await run("--no-color", "echo", "hi")).toMatchObject({ exitCode: 0, out: ["hi"] });
});

test("the version is printed", async () => {
  expect(await run("--version")).toEqual({ exitCode: 0, out: ["9.8.7"], err: [] });
});

describe("help", () => {
  test("lists the commands", async () => {
    const { exitCode, out } = await run("--help");
    expect(exitCode).toBe(EXIT.ok);
    expect(out.join("\n")).toMatch(/echo .*Say a word\n.*count .*Count to one/);
  });

  test("of a command shows its options and its examples as they are typed", async () => {
    const { exitCode, out } = await run("echo", "--help");
    expect(exitCode).toBe(EXIT.ok);
    expect(out.join("\n")).toContain("Says a word as often as asked.");
    expect(out).toContain("  perplab echo hello --times 2");
    expect(out.join("\n")).toMatch(/--json +print one JSON value/);
  });

  test("is printed as an error where no command is given", async () => {
    const { exitCode, out, err } = await run();
    expect(exitCode).toBe(EXIT.usage);
    expect(out).toEqual([]);
    expect(err.join("\n")).toContain("Usage: perplab");
  });
});

describe("a wrong call ends with 2 and says what to do", () => {
  test.each([
    [["ecko", "hi"], "unknown command 'ecko'", "did you mean echo?"],
    [["echo", "hi", "--time", "2"], "unknown option '--time'", "did you mean --times?"],
    [["echo", "hi", "--jsno"], "unknown option '--jsno'", "did you mean --json?"],
    [["echo"], "missing required argument 'word'", "`--help` lists what there is"],
    [["echo", "hi", "--times"], "option '--times <n>' argument missing", "`--help` lists what there is"],
    [["echo", "a", "b"], "too many arguments", "`--help` lists what there is"],
  ])("%j", async (argv, message, hint) => {
    const { exitCode, out, err } = await run(...argv);
    expect(exitCode).toBe(EXIT.usage);
    expect(out).toEqual([]);
    expect(err).toHaveLength(2);
    expect(err[0]).toContain(`error USAGE ${message}`);
    expect(err[1]).toBe(`  hint: ${hint}`);
  });

  test("as JSON where JSON was asked for", async () => {
    const { exitCode, err } = await run("ecko", "--json");
    expect(exitCode).toBe(EXIT.usage);
    expect(JSON.parse(err.join(""))).toEqual({
      error: { code: "USAGE", message: "unknown command 'ecko'", hint: "did you mean echo?" },
    });
  });
});

test("a failure ends with 1 and names code, place, reason and hint", async () => {
  expect(await run("echo", "hi", "--fail")).toEqual({
    exitCode: EXIT.failure,
    out: [],
    err: ["error WORD_STUCK throat.txt:3:1: the word is stuck", "  hint: drink some water"],
  });
});

test("a fault of perplab ends with 1 and shows where it happened", async () => {
  const { exitCode, err } = await run("echo", "hi", "--crash");
  expect(exitCode).toBe(EXIT.failure);
  expect(err[0]).toBe("error INTERNAL undefined is not a word (this is a fault in perplab)");
  expect(err.join("\n")).toContain("program.test.ts");
});
