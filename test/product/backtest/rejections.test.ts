import { expect, test } from "vitest";
import { renderHtml } from "../../../src/product/report/html.ts";
import { renderMarkdown } from "../../../src/product/report/markdown.ts";
import { renderTerminal } from "../../../src/product/report/terminal.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";

const data = memorySource(
  hourlyBars(
    Array.from({ length: 11 }, () => [100, 100, 100, 100] as const),
    400_000,
  ),
);

/** Of ten orders, as many as `refused` are too large for the account, and the others are filled. */
const trader = (refused: number) =>
  strategy({
    onBar(ctx, { closeTimeMs }) {
      const hour = (closeTimeMs - START) / HOUR;
      if (hour > 10) return;
      ctx.place({ side: hour % 2 === 0 ? "buy" : "sell", size: hour <= refused ? 5_000 : 1 });
      if (hour === 4) ctx.cancel("t99");
    },
  });

test("rejections are listed by code with their count, share of all orders, first and last time", async () => {
  const { report } = await run({ data, strategy: trader(3) });
  expect(report.orders).toMatchObject({ placed: 7, refused: 3 });
  const hour = (hours: number) => START + hours * HOUR + 1;
  // A cancellation is no order: it has no share.
  expect(report.rejections).toEqual([
    { code: "INSUFFICIENT_MARGIN", count: 3, share: 0.3, firstMs: hour(1), lastMs: hour(3) },
    { code: "ORDER_NOT_FOUND", count: 1, share: null, firstMs: hour(4), lastMs: hour(4) },
  ]);
  const row = /INSUFFICIENT_MARGIN\W+3\W+30\.00 %\W+2024-01-01 01:00:00\.001\W+2024-01-01 03:00:00\.001/;
  expect(renderTerminal(report)).toMatch(row);
  expect(renderMarkdown(report)).toMatch(row);
  expect(renderHtml(report).replace(/<[^>]*>/g, " ")).toMatch(row);
});

test("more than a fifth of refused orders is a warning at the top, a fifth is none", async () => {
  const warning = "30.00 % of all orders were refused (3 of 10): INSUFFICIENT_MARGIN.";
  const many = (await run({ data, strategy: trader(3) })).report;
  expect(renderTerminal(many).split("\n").indexOf(warning)).toBe(3);
  expect(renderHtml(many).indexOf(warning)).toBeLessThan(renderHtml(many).indexOf("<h2>"));
  const few = (await run({ data, strategy: trader(2) })).report;
  for (const page of [renderTerminal(few), renderHtml(few)]) expect(page).not.toContain("of all orders were refused");
});

// A run whose orders were all refused read "0.00 %" and nothing else.
test("a run that never traded says so, and why", async () => {
  const refused = (await run({ data, strategy: trader(10) })).report;
  expect(renderTerminal(refused)).toContain("\nThe run never traded: none of 10 orders was filled.\n");
  expect(renderTerminal(refused)).toContain("\n100.00 % of all orders were refused (10 of 10): INSUFFICIENT_MARGIN.\n");
  const silent = (await run({ data, strategy: strategy({}) })).report;
  expect(renderTerminal(silent)).toContain("\nThe run never traded: the strategy sent no order.\n");
  expect(renderTerminal((await run({ data, strategy: trader(0) })).report)).not.toContain("never traded");
});
