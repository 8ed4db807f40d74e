import { expect, test } from "vitest";
import { compareNatural, renderRulesHtml } from "../../../src/product/report/rules/html.ts";
import type { RulesReport, RulesReportFigure } from "../../../src/product/report/rules/model.ts";

const figure = (name: string, values: number[], rest: Partial<RulesReportFigure> = {}): RulesReportFigure => ({
  name,
  meaning: `Meaning of ${name}.`,
  unit: "USD",
  better: "less",
  isDrawn: true,
  values: values.map((number) => ({ text: String(number), number })),
  ...rest,
});

const report: RulesReport = {
  title: "BTC-PERP",
  facts: ["300 traders"],
  fromMs: 0,
  toMs: 1_000,
  command: "perplab compare-rules a.log",
  sets: ["recorded", "<mine>", "third"].map((name, i) => ({
    name,
    insurance: [[0, 10] as const, [1_000, i] as const],
    rules: i === 0 ? [] : [["M.tier10", "1"] as const, ["M.tier2", "2"] as const],
  })),
  figures: [
    figure("bad debt", [5, 0, 5]),
    figure("fees", [1, 2, 3], { better: null }),
    figure("insurance at the end", [7, 9, 8], { better: "more" }),
    figure("funding paid", [4, 4, 4]),
    figure("losses shared out", [0, 0, 0]),
  ],
};
const page = renderRulesHtml(report);
/** The marks of a row in the table of figures, set by set. */
const marksOf = (name: string) => {
  const row = new RegExp(`<tr class="has-tip"><th scope="row"><span class="term" tabindex="0">${name}<[\\s\\S]*?</tr>`);
  return [...row.exec(page)![0].matchAll(/<span class="mark( best| worst)?"/g)].map(([, mark]) => mark?.trim() ?? "");
};

test("best and worst of each figure are marked, ties alike, and neither where all are equal or neither is better", () => {
  expect(marksOf("bad debt")).toEqual(["worst", "best", "worst"]);
  expect(marksOf("insurance at the end")).toEqual(["worst", "best", ""]);
  expect(marksOf("fees")).toEqual(["", "", ""]);
  expect(marksOf("funding paid")).toEqual(["", "", ""]);
});

test("figures that are zero for all are folded and named, and are no bars", () => {
  expect(page).toContain("<summary>Zero under every set: losses shared out</summary>");
  expect(page.match(/class="group">losses/g)).toBeNull();
  expect(page.match(/class="group">bad debt/g)).toHaveLength(1);
});

test("tiers are in the order of their numbers, and names are escaped", () => {
  expect(page.indexOf("M.tier2<")).toBeLessThan(page.indexOf("M.tier10<"));
  expect(page).toContain("&lt;mine&gt;");
  expect(page).not.toContain("<mine>");
  expect(["a10", "a2", "a", "b1", "a2b"].sort(compareNatural)).toEqual(["a", "a2", "a2b", "a10", "b1"]);
});
