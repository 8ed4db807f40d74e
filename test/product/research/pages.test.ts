import { expect, test } from "vitest";
import { renderMonteCarloHtml } from "../../../src/product/research/monte-carlo/html.ts";
import type { MonteCarloReport } from "../../../src/product/research/monte-carlo/model.ts";
import { renderWalkForwardHtml } from "../../../src/product/research/walk-forward/html.ts";
import type { WalkForwardReport } from "../../../src/product/research/walk-forward/model.ts";

const START_MS = Date.UTC(2024, 0, 1);

const monteCarlo: MonteCarloReport = {
  kind: "monteCarlo",
  run: {
    strategy: "trend",
    markets: ["BTC-PERP"],
    startMs: START_MS,
    endMs: START_MS + 3_600_001,
    stateRoot: "0x00",
    command: "perplab backtest trend",
  },
  paths: 10,
  seed: "1",
  ruinAt: 0.5,
  methods: [],
  skipped: [{ method: "blocks", reason: "the run has one day" }],
};

const walkForward: WalkForwardReport = {
  kind: "walkForward",
  strategy: "trend",
  metric: "sharpe",
  axes: [],
  points: [],
  windows: [],
  curve: { timeMs: [START_MS, START_MS + 86_400_000], equity: [1, 1.1], returns: [0.1] },
  outOfSample: { totalReturn: 0.1, maxDrawdown: 0, sharpe: null, probabilisticSharpe: null, gains: 0, tests: 0 },
  efficiency: null,
  drift: [],
  failed: { runs: 0, of: 0, first: null },
};

const COPIED = /<div class="box"><code>perplab again<\/code><button data-do="copy"/;

test("a page of paths or windows has its command with a button that copies it, and a link to it", () => {
  for (const page of [
    renderMonteCarloHtml(monteCarlo, "perplab again"),
    renderWalkForwardHtml(walkForward, "perplab again"),
  ]) {
    expect(page).toMatch(COPIED);
    expect(page).toContain('<a href="#run">Run again</a>');
  }
});

test("times of both pages are named as UTC, and are whole seconds", () => {
  expect(renderMonteCarloHtml(monteCarlo, "")).toContain("<span>2024-01-01 00:00 to 2024-01-01 01:00 UTC</span>");
  expect(renderWalkForwardHtml(walkForward, "").match(/<small>UTC<\/small>/g)).toHaveLength(2);
});
