import { DURATION, formatDuration } from "../../../product/scenario/compile/duration.ts";
import { type Flow, writeFlow } from "../../../product/scenario/write/payloadCells.ts";
import { createGenesis, type Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { Written } from "../../../venue/simulation/restoreVenue.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { Cells } from "./modelCells.ts";
import type { Expected } from "./outcomes.ts";
import type { SentenceWriter } from "./sentenceWriter.ts";

/** Writes `genesis` if it is not the default, and `markets`. */
export function writeGenesis(genesis: Genesis): string[] {
  const lines: string[] = [];
  const plain = createGenesis();
  const differing: Record<string, Flow> = {};
  for (const [key, value] of Object.entries(genesis) as [keyof Genesis, unknown][]) {
    if (key === "markets" || key === "accounts" || key === "authorities") continue;
    if (JSON.stringify(value) === JSON.stringify(plain[key])) continue;
    if (key === "timeMs") differing["time"] = value as number;
    else differing[key] = differenceOf(value, plain[key]);
  }
  if (Object.keys(differing).length > 0) lines.push(`genesis: ${writeFlow(differing)}`);
  lines.push(genesis.markets.length === 0 ? "markets: {}" : "markets:");
  for (const { name, preset, parameters } of genesis.markets) {
    lines.push(`  ${name}: ${writeFlow({ preset, ...(parameters as Readonly<Record<string, string>>) })}`);
  }
  return lines;
}

/** Members of an object that differ from the defaults; other values as a whole. */
function differenceOf(value: unknown, usual: unknown): Flow {
  if (typeof value !== "object" || value === null || typeof usual !== "object" || usual === null) return value as Flow;
  const members = usual as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(value).filter(([key, member]) => JSON.stringify(member) !== JSON.stringify(members[key])),
  ) as Flow;
}

/** Writes `accounts`: those of genesis, and those that transactions name. */
export function writeAccounts({ accounts }: Genesis, writer: SentenceWriter): string[] {
  const there = accounts.map(({ address, subaccount, role, balance, lossLimit }) => {
    const more = { ...(role === "normal" ? {} : { role }), ...(lossLimit === undefined ? {} : { lossLimit }) };
    return `  ${writer.account(address, subaccount)}: ${writeFlow({ deposit: balance, ...more })}`;
  });
  const others = writer.others.map((name) => `  ${name}: {}`);
  return there.length + others.length === 0 ? [] : ["accounts:", ...there, ...others];
}

/** `after: 30s`; a time that no duration can express is written as a number. */
function writeTime(after: number, timeMs: number): string {
  const duration = formatDuration(after);
  return DURATION.test(duration) ? `after: ${duration}` : `time: ${timeMs}`;
}

/**
 * Writes the blocks, each with its expectations.
 *
 * @param restarts forms from which the venue restarts before each block
 */
export function writeBlocks(
  played: PlayedScript,
  writer: SentenceWriter,
  expected: readonly Expected[],
  restarts: readonly (readonly Written[])[],
): string[] {
  const out: string[] = [];
  const { blocks, genesis } = played.chronicle;
  let before = genesis.timeMs;
  blocks.forEach((block, place) => {
    const own: string[] = [];
    const after = block.timeMs - before;
    before = block.timeMs;
    if (after !== 1000) own.push(writeTime(after, block.timeMs));
    const written = restarts[place]!;
    if (written.length > 0) own.push(`restart: ${written.length === 1 ? written[0] : `[${written.join(", ")}]`}`);
    const outcomes = expected[place];
    const lines = played.lines[place]!;
    const outcomeOf = (index: number) => outcomes?.receipts[index] ?? "applied";
    // `prices` come before all transactions.
    let prices = 0;
    while (
      prices < lines.length &&
      writer.isPlainPrice(lines[prices]!, lines.slice(0, prices)) &&
      outcomeOf(prices) === "applied"
    )
      prices++;
    if (prices > 0) own.push("prices:", ...lines.slice(0, prices).map((line) => `  ${writer.price(line)}`));
    const rest = lines.slice(prices);
    if (rest.length > 0) own.push("transactions:", ...rest.map((line) => `  - ${writer.transaction(line)}`));
    const receipts = rest.map((_, index) => outcomeOf(prices + index));
    const expect = writeExpected(block, receipts, place === blocks.length - 1, outcomes);
    if (Object.keys(expect).length > 0) {
      own.push("expect:", ...Object.entries(expect).map(([key, value]) => `  ${key}: ${writeFlow(value)}`));
    }
    if (own.length === 0) own.push("after: 1s");
    out.push(...own.map((line, at) => `  ${at === 0 ? "- " : "  "}${line}`));
  });
  return out;
}

/** Expectations of a block: receipts if not all are applied, and all receipts in the last block, which is to fail. */
function writeExpected(
  { height }: Block,
  receipts: readonly Flow[],
  isLast: boolean,
  { events = {}, hasFills = false, values = {} }: Partial<Expected> = {},
): Record<string, Flow> {
  const expect: Record<string, Flow> = {};
  if (receipts.length > 0 && (isLast || receipts.some((outcome) => outcome !== "applied")))
    expect["receipts"] = receipts;
  if (isLast && receipts.length === 0) expect["venue"] = { height: String(height) };
  if (Object.keys(events).length > 0) expect["events"] = events;
  for (const [key, cells] of Object.entries(values))
    expect[key] = key === "venue" ? { ...(expect[key] as Cells), ...(cells as Cells) } : cells;
  if (hasFills && Object.keys(expect).length > 0) expect["fills"] = "any";
  return expect;
}
