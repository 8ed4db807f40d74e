// Pages on a narrow and on a wide screen, in Chromium: none scrolls sideways as a whole. Tables and code may scroll in
// a box of their own.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJobs } from "../../src/product/jobs/localJobs.ts";
import { createReport } from "../../src/product/report/createReport.ts";
import { renderHtml } from "../../src/product/report/html.ts";
import type { BacktestReport } from "../../src/product/report/model.ts";
import { compareReports } from "../../src/product/research/compare/compareReports.ts";
import { renderComparisonHtml } from "../../src/product/research/compare/html.ts";
import { readReportFigures } from "../../src/product/research/compare/runFigures.ts";
import { createMonteCarlo } from "../../src/product/research/monte-carlo/createMonteCarlo.ts";
import { renderMonteCarloHtml } from "../../src/product/research/monte-carlo/html.ts";
import { pathKind } from "../../src/product/research/monte-carlo/pathJobs.ts";
import { renderHtml as renderScenarios } from "../../src/product/scenario/reporters/html.ts";
import { runScenarioFile } from "../../src/product/scenario/run/runScenario.ts";
import { createSampleInput } from "../../test/product/report/sample.ts";
import { withPage } from "./reportPage.ts";

/** Widths of a small phone and of a laptop, in CSS pixels. */
const WIDTHS = [390, 1_440] as const;

/** How far the content of a page reaches beyond the screen where it does so most, pixels, by its name. */
export async function measureOverhang(program: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [name, html] of Object.entries(await createPages())) found[name] = await measure(program, html);
  // The measure sees a page that is too wide.
  found["planted"] = await measure(
    program,
    renderHtml(createReport(createSampleInput({ hours: 48 }))).replace(
      "<main>",
      '<main><div style="width:600px">wide</div>',
    ),
  );
  return found;
}

function measure(program: string, html: string): Promise<number> {
  return withPage(program, html, async (page) => {
    let most = 0;
    for (const width of WIDTHS) {
      const screen = { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 };
      await page.send("Emulation.setDeviceMetricsOverride", screen);
      await sleep(400);
      const expression = "document.documentElement.scrollWidth";
      const { result } = await page.send("Runtime.evaluate", { expression, returnByValue: true });
      most = Math.max(most, Number(result?.value) - width);
    }
    return most;
  });
}

async function createPages(): Promise<Record<string, string>> {
  const report = createReport(createSampleInput());
  const crash = createReport(createSampleInput({ crashAt: 1_700, leverage: 10 }));
  const comparison = compareReports(report, crash);
  const figures = { a: readReportFigures("a.json", report), b: readReportFigures("b.json", crash) };
  const incidents = ["hl-jelly-2025", "paradex-zero-2026", "oct10-2025"].map((name) =>
    runScenarioFile(join(import.meta.dirname, "../../scenarios/incidents", `${name}.yaml`)),
  );
  const jobs = createLocalJobs({ paths: async () => pathKind });
  return {
    report: renderHtml(crash),
    "long names": renderHtml(lengthenNames(crash)),
    comparison: renderComparisonHtml({ comparison, ...figures }, "perplab compare a.json b.json"),
    "monte carlo": renderMonteCarloHtml(
      await createMonteCarlo(report, { paths: 100, seed: "1", ruinAt: 0.5 }, jobs),
      "perplab monte-carlo a.json",
    ),
    incidents: renderScenarios(incidents, () => undefined),
  };
}

/** A report of sixty markets whose names, files and parameters have nowhere to break. */
function lengthenNames(report: BacktestReport): BacktestReport {
  const long = "name_without_a_space_".repeat(8);
  const copy = structuredClone(report);
  const { run } = copy;
  run.markets = Array.from({ length: 60 }, (_, i) => `COIN${i}-PERP`);
  run.strategy.id = long;
  run.strategy.params = { [long]: long };
  run.assumptions.push(long);
  run.notices.push(long);
  run.driver.other.push({ name: "venue", value: long });
  run.data = run.data.map((file) => ({ ...file, name: long }));
  run.command = long;
  copy.ownMetrics.push({
    name: long,
    count: 1,
    last: 1,
    least: 1,
    greatest: 1,
    mean: 1,
    timeMs: [run.startMs],
    values: [1],
  });
  return copy;
}
