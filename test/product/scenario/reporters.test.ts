import { expect, test } from "vitest";
import { createReadLine } from "../../../src/product/scenario/reporters/excerpt.ts";
import { REPORTERS } from "../../../src/product/scenario/reporters/list.ts";
import type { ScenarioResult } from "../../../src/product/scenario/run/result.ts";
import { HEAD, runText } from "./helpers.ts";

const plain = (text: string) => text;
const paint = { red: plain, green: plain, yellow: plain, dim: plain, bold: plain };

const good = `${HEAD}blocks: []\n`;
const bad =
  `${HEAD}blocks:\n  - transactions:\n      - alice: buy 1 @ 99\n    expect:\n      accounts: { alice: { free: "<1&2>" } }\n`.replace(
    '"<1&2>"',
    '"1"',
  );
const broken = `${HEAD}blocks:\n  - x<y: 1\n`;
const files: Readonly<Record<string, string>> = { "good.yaml": good, "bad.yaml": bad, "broken.yaml": broken };

function named(file: string): ScenarioResult {
  const text = JSON.stringify(runText(files[file]!)).replaceAll("test.yaml", file);
  return JSON.parse(text) as ScenarioResult;
}
const results = Object.keys(files).map(named);
const readLine = createReadLine((file) => files[file]!);
const render = (name: keyof typeof REPORTERS) => REPORTERS[name](results, { paint, readLine });

test("pretty shows the line with a caret, both sides, and the block's table", () => {
  expect(render("pretty")).toBe(
    `pass good.yaml
FAIL bad.yaml  test
  bad.yaml:9:34: alice free (block 1, height 2)
    accounts: { alice: { free: "1" } }
                               ^^^
    expected 1
    observed 990.1
    block 1, height 2
      TEST: mark 100
      alice: buy 1 @ 99 -> applied resting
      account  collateral  equity  initial  maintenance  free  positions  orders
      alice    1000        1000    10       0            990              buy 1 @ 99
      bob      1000        1000    0        0            1000
bad  broken.yaml  broken.yaml
  broken.yaml:6:5: unknown key x<y
    - x<y: 1
      ^^^
    hint: known are name, note, time, after, restart, repeat, prices, markets, transactions, expect, variants
1 passed, 1 failed, 1 cannot run: 3 files, 2 cases, 3 blocks, 3 transactions`.replace("observed 990.1", "observed 990"),
  );
});

test("json holds everything but times, so that equal results are equal texts", () => {
  const json = JSON.parse(render("json"));
  expect(json.totals).toMatchObject({ files: 3, passed: 1, failed: 1, invalid: 1 });
  expect(json.scenarios.map(({ status }: ScenarioResult) => status)).toEqual(["passed", "failed", "invalid"]);
  expect(render("json")).not.toContain("durationMs");
});

test("junit counts failures and errors, and escapes", () => {
  const xml = render("junit");
  expect(xml).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="perplab scenarios" tests="3" failures="1" errors="1"/,
  );
  expect(xml).toContain("unknown key x&lt;y");
  expect(xml.match(/<testsuite /g)).toHaveLength(3);
  expect(xml.match(/<testcase /g)).toHaveLength(3);
  expect(xml.match(/<testcase [^>]*time="\d+\.\d{3}"/g)).toHaveLength(3);
});

test("github annotates the lines, and text of a file cannot add commands", () => {
  const lines = render("github").split("\n");
  expect(lines[0]).toBe(
    "::error file=bad.yaml,line=9,col=34,endColumn=37,title=alice free::expected 1%0Aobserved 990%0Ain block 1, height 2",
  );
  expect(lines.at(-1)).toBe("1 of 3 scenario files passed, 1 failed, 1 cannot run");
});

test("sarif is a log of version 2.1.0 with a rule and a place for each result", () => {
  const log = JSON.parse(render("sarif"));
  expect(log.version).toBe("2.1.0");
  const [run] = log.runs;
  const rules = run.tool.driver.rules.map(({ id }: { id: string }) => id);
  expect(run.results).toHaveLength(2);
  for (const { ruleId, locations } of run.results) {
    expect(rules).toContain(ruleId);
    expect(locations[0].physicalLocation.region.startLine).toBeGreaterThan(0);
  }
});

test("markdown has a row a file, and the failures below", () => {
  const page = render("markdown");
  expect(page).toContain("**1 of 3 files passed**, 1 failed, 1 cannot run");
  expect(page).toContain("## bad.yaml:9:34");
});

test("html is self-contained, opens what failed, and escapes what a file says", () => {
  const page = render("html");
  expect(page).toMatch(/^<!doctype html>/);
  expect(page.replace(/<script[^>]*>[\s\S]*?<\/script>/g, "")).not.toMatch(/<(script|link)|https?:\/\/|\bsrc=/);
  expect(page.match(/<details class="card file bad" id="[^"]*" open>/g)).toHaveLength(2);
  expect(page).toContain("unknown key x&lt;y");
});

test("junit gives a case that failed one failure with all its findings", () => {
  const several = runText(
    `${HEAD}blocks:\n  - transactions:\n      - alice: buy 1 @ 99\n    expect:\n      accounts: { alice: { free: "1", equity: "2" } }\n`,
  );
  const xml = REPORTERS.junit([several]);
  expect(xml.match(/<failure /g)).toHaveLength(1);
  expect(xml).toContain('message="alice free and 1 more"');
  expect(xml).toContain("test.yaml:9:34: alice free\nexpected 1\nobserved 990\nin block 1, height 2");
  expect(xml).toContain("test.yaml:9:47: alice equity\nexpected 2\nobserved 1000");
});
