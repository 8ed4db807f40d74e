import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../../helpers/project.ts";

const mine = `
import { defineStrategy, Type } from "perplab/strategy";

export default defineStrategy({
  id: "mine",
  title: "Buys and hopes",
  params: Type.Object({
    hope: Type.Number({ default: 0.5, minimum: 0, description: "How much" }),
    side: Type.Union([Type.Literal("long"), Type.Literal("short")], { default: "long", description: "Which way" }),
  }),
});
`;

/** Calls the command as a user does: the file is loaded by this Node, not by the test runner. */
function call(file: string, text: string, ...options: string[]) {
  const folder = createFolder({ [file]: text });
  return runNode([join(projectRoot, "bin/perplab.js"), "strategies", ...options], { cwd: folder });
}

test("shows the parameters of a strategy file, wherever it lies", () => {
  const { status, stdout, stderr } = call("mine.ts", mine, "./mine.ts");
  expect(stderr).toBe("");
  expect(stdout).toContain("mine: Buys and hopes");
  expect(stdout).toMatch(/hope +number +0\.5 +How much \(at least 0\)/);
  expect(stdout).toMatch(/side +choice +long +Which way \(one of long, short\)/);
  expect(status).toBe(0);
});

test("with --json", () => {
  const { stdout } = call("mine.ts", mine, "mine.ts", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ id: "mine", params: [{ name: "hope", initial: 0.5 }, { name: "side" }] });
});

describe("a strategy that cannot be used ends with one error and its place", () => {
  test.each([
    ["a missing file", "", ["./yours.ts"], 2, /^error STRATEGY_UNKNOWN \.\/yours\.ts: /],
    ["an unknown name", "", ["trnd"], 2, /^error STRATEGY_UNKNOWN there is no strategy "trnd"\n {2}hint: /],
    ["a syntax error", "export default {", ["./mine.ts"], 1, /^error STRATEGY_BROKEN .*mine\.ts/],
    [
      "code that throws",
      "\nthrow new Error('no luck');",
      ["./mine.ts"],
      1,
      /^error STRATEGY_BROKEN .*mine\.ts:2:7: .*no luck/,
    ],
    ["a missing import", "import 'nothing-here';", ["./mine.ts"], 1, /^error STRATEGY_BROKEN .*nothing-here.*mine\.ts/],
    [
      "no default export",
      "export const x = 1;",
      ["./mine.ts"],
      1,
      /^error STRATEGY_INVALID \.\/mine\.ts: .*default export/,
    ],
    [
      "a default export of another kind",
      "export default 5;",
      ["./mine.ts"],
      1,
      /^error STRATEGY_INVALID \.\/mine\.ts: /,
    ],
    [
      "a hook that does not exist",
      mine.replace("title:", "onTic() {}, title:"),
      ["./mine.ts"],
      1,
      /^error STRATEGY_INVALID .*onTic/,
    ],
  ])("%s", (_name, text, options, exitCode, message) => {
    const { status, stdout, stderr } = call("mine.ts", text, ...options);
    expect(stderr).toMatch(message);
    expect(stderr.match(/^error /gm)).toHaveLength(1);
    expect(stdout).toBe("");
    expect(status).toBe(exitCode);
  });
});
