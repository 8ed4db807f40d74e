import { countOf, formatCount } from "../../ground/math/counts.ts";
import type { ForkChange, ForkVenue } from "../../venue/engine/forkRecord.ts";
import type { Forked, Injection } from "../../venue/simulation/fork/forkLog.ts";
import type { AccountDifference, VenueDifference } from "../../venue/simulation/outcome/diffVenues.ts";
import type { Outcome } from "../../venue/simulation/outcome/outcome.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatColumns, formatTime } from "../format.ts";
import { startProgress } from "../progress.ts";
import { readPairs, readWhole } from "../values.ts";

interface Options {
  readonly at: string;
  readonly set?: readonly string[];
  readonly inject?: string;
  readonly diff?: boolean;
  readonly accounts?: number;
}

const SIZE_DECIMALS = 8;
/** Accounts that a table shows. */
const ACCOUNTS_SHOWN = 20;
/** Numbers of genesis that a fork may change, as `venue.<name>`. */
const VENUE_NAMES = ["validityMax", "liquidationsMax"] as const;

/** A log continued with other rules or transactions. */
export const forkCommand = defineCommand<Options>({
  name: "fork",
  summary: "Continue a block log from a height under other parameters or with further transactions",
  description:
    "Replays a block log up to a height, changes parameters there, and continues twice: as recorded, and with the " +
    "changes. Recorded transactions enter the fork in their blocks; nonces and order ids are adjusted where they " +
    "moved. --diff prints what differs: liquidations, insurance, bad debt, and account by account.",
  examples: [
    {
      args: "fork crash.log --at 20 --set takerFee=0.002 --diff",
      does: "The effect of a higher taker fee from block 20 on",
    },
    {
      args: "fork crash.log --at 20 --set liquidationFee=0 --diff --json",
      does: "The same question about the liquidation fee, for a program",
    },
    { args: "fork crash.log --at 2024-07-05T12:00 --set takerFee=0.002", does: "From a time on" },
  ],
  configure(command) {
    command
      .argument("<log>", "the block log")
      .requiredOption(
        "--at <height>",
        "last block that both share: its height, 0 for genesis, or a time, UTC: 2024-07-05T12:00",
      )
      .option("-s, --set <name=value...>", "parameters from there on: name, MARKET.name, or venue.name")
      .option("-i, --inject <file>", "further transactions, as a YAML or JSON list of height, from, and an action")
      .option("--diff", "print the differences at the end of the log")
      .option("--accounts <count>", `accounts in the table (default: ${ACCOUNTS_SHOWN})`, readWhole("--accounts"));
  },
  async run(context, [path = ""], { at: wanted, set = [], inject, diff = false, accounts = ACCOUNTS_SHOWN }) {
    const { terminal } = context;
    const { forkLog } = await import("../../venue/simulation/fork/forkLog.ts");
    const { OutcomeRecorder } = await import("../../venue/simulation/outcome/recordOutcome.ts");
    const { diffVenues } = await import("../../venue/simulation/outcome/diffVenues.ts");
    const { sizeOf } = await import("../policy.ts");
    const { checkParameterNames } = await import("../checkParameters.ts");
    const { changes, venue } = readChanges(set);
    const at = await readHeight(path, wanted);
    checkParameterNames(
      "--set",
      changes.flatMap(({ parameters }) => Object.keys(parameters)),
    );
    const injections = inject === undefined ? [] : await readInjectionFile(inject);
    const recorders = { base: new OutcomeRecorder(), fork: new OutcomeRecorder() };
    const progress = await startProgress(terminal, { label: "running on", total: await sizeOf([path]), unit: "bytes" });
    let forked: Forked;
    try {
      forked = forkLog(path, {
        at,
        changes,
        venue,
        inject: injections,
        observeBase: [recorders.base],
        observeFork: [recorders.fork],
        onProgress: (done, _total, height) => progress.update(done, `block ${formatCount(height)}`),
      });
      progress.finish(countOf(forked.base.height - at, "block"));
    } catch (error) {
      progress.stop();
      throw error;
    }
    const outcomes = { base: recorders.base.result(forked.base), fork: recorders.fork.result(forked.fork) };
    const difference = diffVenues(forked.base, forked.fork);
    await print(context, path, { forked, outcomes, difference, at, diff, accounts });
  },
});

/** A height, or the last block at or before a time. */
async function readHeight(path: string, text: string): Promise<number> {
  if (/^\d+$/.test(text)) return readWhole("--at")(text);
  const { parseIsoTime } = await import("../../product/market-data/scan/isoTime.ts");
  const { findHeightAt } = await import("../../venue/simulation/log/findHeightAt.ts");
  const timeMs = parseIsoTime(text, 0);
  if (timeMs !== undefined) {
    const { height, fromMs, toMs } = findHeightAt(path, timeMs);
    if (height !== undefined) return height;
    const { LogError } = await import("../../venue/simulation/log/errors.ts");
    throw new LogError("LOG_HEIGHT", `is from ${formatTime(fromMs)} to ${formatTime(toMs)} UTC; ${text} is not in it`, {
      file: path,
      hint: "use a time within it, or a height",
    });
  }
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is neither a height nor a time`, {
    place: "--at",
    hint: "write 200, or 2024-07-05T12:00, which is UTC",
  });
}

/** `name=value` for every market, `MARKET.name=value` for one, `venue.name=value` for numbers of genesis. */
function readChanges(texts: readonly string[]): { changes: ForkChange[]; venue: ForkVenue } {
  const everywhere: Record<string, string> = {};
  const byMarket = new Map<string, Record<string, string>>();
  const venue: { -readonly [K in keyof ForkVenue]: ForkVenue[K] } = {};
  for (const [name, value] of Object.entries(readPairs("--set", texts))) {
    const dot = name.lastIndexOf(".");
    const [where, parameter] = [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
    if (where === "venue") {
      const known = VENUE_NAMES.find((word) => word === parameter);
      if (known === undefined) {
        const hint = `use ${VENUE_NAMES.map((word) => `venue.${word}`).join(", ")}`;
        throw usageError("OPTION_INVALID", `the venue has no ${JSON.stringify(parameter)} to change`, {
          place: "--set",
          hint,
        });
      }
      venue[known] = readWhole("--set")(value);
    } else if (where === "") everywhere[parameter] = value;
    else byMarket.set(where, { ...byMarket.get(where), [parameter]: value });
  }
  const changes: ForkChange[] = Object.keys(everywhere).length === 0 ? [] : [{ parameters: everywhere }];
  for (const [market, parameters] of byMarket) changes.push({ market, parameters });
  return { changes, venue };
}

async function readInjectionFile(path: string): Promise<Injection[]> {
  const { readFile } = await import("node:fs/promises");
  const { parseDocument } = await import("yaml");
  const { readInjections } = await import("../../venue/simulation/fork/readInjections.ts");
  const document = parseDocument(await readFile(path, "utf8"), { strict: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    throw usageError("FILE_MALFORMED", error.message.split("\n")[0]!, { place: `${path}:${line}:${col}` });
  }
  try {
    return readInjections(document.toJS());
  } catch (cause) {
    const { message, hint } = cause as { readonly message: string; readonly hint?: string };
    throw usageError("INJECTION_INVALID", message, { place: path, hint, cause });
  }
}

interface Found {
  readonly forked: Forked;
  readonly outcomes: { readonly base: Outcome; readonly fork: Outcome };
  readonly difference: VenueDifference;
  readonly at: number;
  readonly diff: boolean;
  readonly accounts: number;
}

async function print({ terminal, json }: Context, path: string, found: Found): Promise<void> {
  const { outcomeRows, plainAmounts } = await import("../outcomeRows.ts");
  const { computeRoot, getHead } = await import("../../venue/engine/commitment/root.ts");
  const { forked, outcomes, difference, at, diff, accounts } = found;
  const { base, fork, injected } = forked;
  const roots = {
    base: { root: computeRoot(base), head: getHead(base) },
    fork: { root: computeRoot(fork), head: getHead(fork) },
  };
  if (json) {
    const result = { log: path, at, height: base.height, injected, roots };
    const shown = {
      ...difference,
      accounts: difference.accounts.slice(0, accounts),
      accountsDiffering: difference.accounts.length,
    };
    terminal.out(JSON.stringify(plainAmounts(diff ? { ...result, outcomes, difference: shown } : result)));
    return;
  }
  terminal.out(`${path}, forked at block ${formatCount(at)}, both at block ${formatCount(base.height)}`);
  for (const { height, action, status, code, numbers } of injected) {
    const why = code === undefined ? "" : ` ${code}${numbers === undefined ? "" : ` ${JSON.stringify(numbers)}`}`;
    terminal.out(`  injected ${action} in block ${formatCount(height)}: ${status}${why}`);
  }
  if (!diff) {
    terminal.out(
      formatColumns([
        ["  state root", roots.fork.root],
        ["  as recorded", roots.base.root],
      ]),
    );
    return;
  }
  const rows = outcomeRows([outcomes.base, outcomes.fork]);
  terminal.out(`\n${formatColumns([["", "recorded", "fork"], ...rows.map((row) => markRow(row))], [1, 2])}`);
  const { formatDecimal } = await import("../../ground/math/decimal.ts");
  const sizeText = (market: string, lots: number) =>
    formatDecimal(lots * base.parameters[base.marketRows.get(market)!]!.lotSize, SIZE_DECIMALS);
  terminal.out(formatAccounts(difference.accounts, accounts, await import("../outcomeRows.ts"), sizeText));
}

/** Marks rows that differ. */
function markRow([name, base, fork]: readonly string[]): string[] {
  return [`${base === fork ? " " : "*"} ${name}`, base!, fork!];
}

function formatAccounts(
  accounts: readonly AccountDifference[],
  most: number,
  { formatUsd }: typeof import("../outcomeRows.ts"),
  sizeText: (market: string, lots: number) => string,
): string {
  if (accounts.length === 0) return "\nEvery account ends with the same values.";
  const rows = accounts
    .slice(0, most)
    .map(({ address, subaccount, equity, positions }) => [
      `${address}${subaccount === 0 ? "" : `/${subaccount}`}`,
      formatUsd(equity.base),
      formatUsd(equity.fork),
      formatUsd(equity.fork - equity.base),
      positions
        .map(({ market, size }) => `${market} ${sizeText(market, size.base)} -> ${sizeText(market, size.fork)}`)
        .join(", "),
    ]);
  const head = ["account", "equity recorded", "fork", "difference", "positions"];
  const more = accounts.length > most ? `\n… and ${formatCount(accounts.length - most)} more` : "";
  return `\n${countOf(accounts.length, "account ends differently", "accounts end differently")}\n${formatColumns([head, ...rows], [1, 2, 3])}${more}`;
}
