import { expect, test } from "vitest";
import type { SearchReport } from "../../../../src/proof/fuzz/campaign/report.ts";
import { renderHtml } from "../../../../src/proof/fuzz/reporters/html.ts";

const report: SearchReport = {
  seed: 3,
  profile: "smoke",
  verdict: "violated",
  iterations: 14,
  blocks: 179,
  transactions: 879,
  seconds: 3,
  places: 5_000,
  pool: 12,
  operations: [{ action: "placeOrder", calls: 5, applied: 3, rejected: { INSUFFICIENT_MARGIN: 2 }, invalid: {} }],
  invariants: [{ id: "conservation", met: 100 }],
  nearest: [{ id: "conservation", distance: 7, unit: "quote units", iteration: 4, height: 9 }],
  missing: [],
  blind: [],
  failures: [
    {
      key: "invariant conservation: placeOrder",
      violation: { kind: "invariant", invariant: "conservation", height: 1, observed: "<b>1 quote unit</b>" },
      iteration: 2,
      transactions: 3,
      path: "out/fuzz failures/conservation-1.case",
      scenario: "out/fuzz failures/conservation-2.yaml",
      again: "perplab fuzz replay x.case",
      count: 10,
    },
  ],
  violations: 12,
  digest: "abc",
  marks: [],
  reached: {},
} as unknown as SearchReport;

test("a failure links to its page, its scenario and its case from the folder of the page", () => {
  const page = renderHtml(report, "out/pages");
  expect(page).toContain('href="../fuzz%20failures/conservation-2.html"');
  expect(page).toContain('href="../fuzz%20failures/conservation-2.yaml"');
  expect(page).toContain('href="../fuzz%20failures/conservation-1.case"');
  expect(renderHtml(report, "out/fuzz failures")).toContain('href="./conservation-2.html"');
  expect(page).toContain("&lt;b&gt;1 quote unit");
});

test("what only the search needs is folded, and a search that found nothing says so", () => {
  const page = renderHtml(report);
  const folded = /<details><summary>Inside the search[\s\S]*?<\/details>/.exec(page)![0];
  expect(folded).toContain("5,000");
  expect(page.replace(folded, "").replace(/<script[\s\S]*/, "")).not.toMatch(/coverage map|Cases in the pool|Digest/);
  const calm = renderHtml({ ...report, verdict: "held", failures: [] });
  expect(calm).toContain("None: every invariant held");
  expect(calm).not.toContain("<article");
});
