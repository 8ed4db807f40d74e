import { formatCount } from "../../ground/math/counts.ts";
import type { MarginAccountDescription, MarketDescription } from "../../venue/simulation/explain/describe.ts";
import type { EventText } from "../../venue/simulation/explain/eventText.ts";
import type { LiquidationExplanation, TransactionExplanation } from "../../venue/simulation/explain/explainLog.ts";
import { defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatColumns, formatTime } from "../format.ts";
import { startProgress } from "../progress.ts";

/** Why a transaction or a liquidation ended as it did. */
export const explainCommand = defineCommand<object>({
  name: "explain",
  summary: "Explain a transaction or a liquidation of a block log with its numbers",
  description:
    "Replays a block log up to a block and explains what happened there with the numbers: for a transaction its " +
    "receipt, the numbers that the rule compared, its events, its account before and after; for a liquidation " +
    "equity, maintenance margin, tiers, bankruptcy prices, every stage and the accounts that paid; for both, the " +
    "components of the mark.",
  examples: [
    { args: "explain crash.log 1-2", does: "The transaction at place 2 of block 1" },
    { args: "explain crash.log 1-2 --json", does: "The same for a program" },
  ],
  configure(command) {
    command
      .argument("<log>", "the block log")
      .argument("<subject>", "a transaction as its id (0x…) or <height>-<place>, or a liquidation as L-<height>-<n>");
  },
  async run({ terminal, json }, [path = "", text = ""]) {
    const { explainLog, readSubject } = await import("../../venue/simulation/explain/explainLog.ts");
    const { sizeOf } = await import("../policy.ts");
    const subject = readSubject(text);
    if (subject === undefined) {
      throw usageError("SUBJECT_INVALID", `${JSON.stringify(text)} names no transaction and no liquidation`, {
        place: "<subject>",
        hint: "write a transaction's id, a place such as 120-3, or a liquidation such as L-120-0",
      });
    }
    const progress = await startProgress(terminal, { label: "replaying", total: await sizeOf([path]), unit: "bytes" });
    try {
      const found = explainLog(path, subject, (done, height) => progress.update(done, `block ${formatCount(height)}`));
      progress.finish(`block ${formatCount(found.height)}`);
      if (json) terminal.out(JSON.stringify(found));
      else terminal.out(found.kind === "transaction" ? formatTransaction(found) : formatLiquidation(found));
    } catch (error) {
      progress.stop();
      throw error;
    }
  },
});

function formatTransaction(found: TransactionExplanation): string {
  const { action, height, index, timeMs, account, signer, nonce, status, code, meaning, numbers, results } = found;
  const lines = [
    `${action} at place ${index} of block ${formatCount(height)}, ${formatTime(timeMs)} UTC`,
    `  ${status}${code === undefined ? "" : ` ${code}: ${meaning}`}`,
  ];
  const rows = Object.entries(numbers ?? {}).map(([name, text]) => [`    ${name}`, text]);
  if (rows.length > 0) lines.push(formatColumns(rows));
  for (const { orderId, status: outcome, code: reason, meaning: why, numbers: parts } of results ?? []) {
    lines.push(`  order ${orderId ?? "none"}: ${outcome}${reason === null ? "" : ` ${reason}: ${why}`}`);
    const cells = Object.entries(parts ?? {}).map(([name, text]) => [`    ${name}`, text]);
    if (cells.length > 0) lines.push(formatColumns(cells));
  }
  lines.push(`  account ${account}${signer === account.split("/")[0] ? "" : `, signed by ${signer}`}, nonce ${nonce}`);
  lines.push("", "Asked for", ...formatFields(found.payload as Readonly<Record<string, unknown>>));
  if (found.before.length > 0) lines.push("", "Account before", ...formatMarginAccounts(found.before));
  if (status === "applied" && found.after.length > 0)
    lines.push("", "Account after", ...formatMarginAccounts(found.after));
  if (found.markets.length > 0) lines.push("", "Prices", ...found.markets.flatMap(formatMarket));
  if (found.events.length > 0) lines.push("", "Events", ...found.events.map(formatEvent));
  return lines.join("\n");
}

function formatLiquidation(found: LiquidationExplanation): string {
  const { id, account, timeMs, equity, maintenance } = found;
  return [
    `Liquidation ${id}, ${formatTime(timeMs)} UTC`,
    `  account ${account}`,
    `  equity ${equity} USD was below its maintenance margin of ${maintenance} USD`,
    "",
    "Account before this block",
    ...formatMarginAccounts(found.before),
    "",
    "Prices that it used",
    ...found.markets.flatMap(({ before, at }) => [
      `  mark of ${at.market}: ${before.mark} -> ${at.mark}`,
      ...formatMarket(at),
    ]),
    "",
    "What happened, in order",
    ...found.events.map(formatEvent),
    ...found.later.flatMap(({ height, timeMs: at, events }) => [
      "",
      `Block ${height}, ${formatTime(at)} UTC`,
      ...events.map(formatEvent),
    ]),
    "",
    found.end === undefined ? "It is still open at the end of the log" : `It ended ${found.end}`,
    "",
    found.later.length === 0 ? "Account after this block" : "Account after its last block",
    ...formatMarginAccounts(found.after),
  ].join("\n");
}

function formatFields(payload: Readonly<Record<string, unknown>>): string[] {
  const rows = Object.entries(payload)
    .filter(([, value]) => value !== "" && value !== false && value !== 0 && value !== "0")
    .map(([name, value]) => [`  ${name}`, typeof value === "object" ? JSON.stringify(value) : `${value as string}`]);
  return rows.length === 0 ? ["  nothing further"] : [formatColumns(rows)];
}

function formatMarginAccounts(marginAccounts: readonly MarginAccountDescription[]): string[] {
  const lines: string[] = [];
  for (const { marginAccount, collateral, equity, maintenance, initial, free, positions } of marginAccounts) {
    const head = [`  ${marginAccount}`, "collateral", "equity", "maintenance", "initial", "free"];
    lines.push(formatColumns([head, ["", collateral, equity, maintenance, initial, free]], [1, 2, 3, 4, 5]));
    if (positions.length === 0) continue;
    const rows = positions.map((position) => {
      const { place, initialRate, maintenanceRate } = position.tier;
      return [
        `    ${position.market}`,
        position.size,
        position.entryPrice,
        position.mark,
        position.notional,
        position.unrealizedPnl,
        `${place}: ${initialRate} / ${maintenanceRate}`,
        position.initial,
        position.maintenance,
        position.liquidationPrice ?? "none",
      ];
    });
    const names = [
      "",
      "size",
      "entry",
      "mark",
      "notional",
      "unrealised",
      "tier",
      "initial",
      "maintenance",
      "liquidated at",
    ];
    lines.push(formatColumns([names, ...rows], [1, 2, 3, 4, 5, 6, 7, 8, 9]));
  }
  return lines;
}

function formatMarket(market: MarketDescription): string[] {
  const { status, markMethod, mark, index, basis, oracle, reported, bestBid, bestAsk, last } = market;
  const rows = [
    [`  ${market.market}`, "mark", "by", "index", "basis", "oracle", "reported", "bid", "ask", "last"],
    [`    ${status}`, mark, markMethod, index, basis, oracle, reported, bestBid, bestAsk, last],
  ];
  return [formatColumns(rows, [1, 2, 3, 4, 5, 6, 7, 8, 9])];
}

function formatEvent({ kind, fields }: EventText): string {
  const shown = Object.entries(fields).filter(([name, text]) => text !== "none" && !/(High|Low|Remainder)$/.test(name));
  return `  ${kind.padEnd(17)} ${shown.map(([name, text]) => `${name} ${text}`).join(", ")}`;
}
