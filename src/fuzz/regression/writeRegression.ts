import { createHash } from "node:crypto";
import { applyBlock } from "../../engine/applyBlock.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import { createVenue } from "../../engine/genesis.ts";
import { createGenesis, type Genesis } from "../../protocol/genesis.ts";
import type { Receipt } from "../../protocol/receipt.ts";
import type { Block } from "../../protocol/transaction.ts";
import { formatDuration } from "../../scenario/compile/duration.ts";
import { NOTICED } from "../../scenario/expect/events.ts";
import { describeReceipt } from "../../scenario/expect/receipts.ts";
import { formatScenario } from "../../scenario/lint/formatScenario.ts";
import { LockStep } from "../differential/lockStep.ts";
import { FuzzError } from "../errors.ts";
import type { Apply } from "../shrink/readScript.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { Script } from "../shrink/script.ts";
import { type Failure, signatureOf } from "../shrink/signature.ts";
import { chooseNames } from "./chooseNames.ts";
import { type Departure, findDepartures } from "./departures.ts";
import { Outright } from "./outright.ts";
import { type Flow, writeFlow } from "./payloadCells.ts";
import { Teller } from "./teller.ts";

export interface RegressionOptions {
  /** How the outcomes come about that the file expects: the venue that is right. Default: the model, as far as it goes. */
  readonly apply?: Apply;
  /** What always holds, as a sentence, and the rules that say so. */
  readonly sentence?: string;
  readonly rules?: readonly string[];
}

export interface Regression {
  /** `<invariant>-<hash8>.yaml`: the same for failures that are the same. */
  readonly name: string;
  readonly text: string;
}

/**
 * A failure as a scenario file, independent of whatever found it: names for accounts, labels for what is named again,
 * sentences where they say all. Every run of a scenario holds every invariant, so it fails as long as the venue does.
 *
 * @throws {FuzzError} REGRESSION_UNSAID where a scenario would not do exactly what the script does
 */
export function writeRegression(script: Script, failure: Failure, options: RegressionOptions = {}): Regression {
  const { sentence = `${failure.invariant} holds.`, rules = [] } = options;
  const { apply = applyBlock } = options;
  const { script: all, played, names } = chooseNames(script, apply);
  const distances = new Map<number, number>();
  for (const line of all.lines) if (line.kind === "transaction") distances.set(line.number, line.nonce);
  // Where venue and model differ the rulebook is with the model: what a bug makes of a transaction is not expected.
  const told = tellOutcomes(played, apply, options.apply === undefined, failure);
  const outright = new Outright();
  for (let round = 1; ; round++) {
    const teller = new Teller(all, played, names, outright);
    const lines = [
      "# yaml-language-server: $schema=../schema/scenario.schema.json",
      `# ${sentence}`,
      `# Found broken: ${oneLine(failure.observed)}`,
      ...writeRestarts(played),
      `scenario: ${failure.invariant} holds`,
      `rules: [${rules.join(", ")}]`,
      "tags: [found by fuzzing]",
      ...writeGenesis(all.genesis),
      ...writeAccounts(all.genesis, teller),
      "blocks:",
      ...writeBlocks(played, teller, told),
    ];
    const text = `${lines.join("\n")}\n`;
    const departures = findDepartures(text, played, apply);
    if (departures.length === 0) return { name: `${keyOf(script, failure)}.yaml`, text: formatScenario(text) };
    const [unsaid] = outright.add(departures, (line) => distances.get(line) ?? 0);
    if (unsaid !== undefined || round === ROUNDS) throw refuse(unsaid ?? departures[0]!);
  }
}

/** What one more thing said outright changes is right after a few rounds, or never. */
const ROUNDS = 8;

/** What no scenario can say. */
function writeRestarts({ chronicle: { crashes = [] } }: PlayedScript): string[] {
  if (crashes.length === 0) return [];
  const blocks = `block${crashes.length === 1 ? "" : "s"} ${crashes.map(({ height }) => height).join(", ")}`;
  return [`# The venue was started again from what it had written behind ${blocks}; here it goes on.`];
}

/** A transaction that no words of a scenario come to. */
function refuse({ height, place, wanted, built }: Departure): FuzzError {
  const [said, instead] = [wanted, built].map((value) => String(value).slice(0, 100));
  return new FuzzError("REGRESSION_UNSAID", `a scenario cannot say ${said}, it would be ${instead}`, {
    place: height === 0 ? place : `block ${height}: ${place}`,
    hint: "replay the case: it says all of it",
  });
}

/** What tells a failure from others: the invariant with its words, and the actions that lead to it. */
export function keyOf({ lines }: Script, failure: Failure): string {
  const actions = lines.flatMap((line) => (line.kind === "block" ? [] : [line.action]));
  const hash = createHash("sha256")
    .update(`${signatureOf(failure)}\n${actions.join(" ")}`)
    .digest("hex");
  return `${failure.invariant}-${hash.slice(0, 8)}`;
}

const oneLine = (text: string) => text.split("\n")[0]!.slice(0, 200);

/** What the venue makes of each block. */
interface Told {
  /** Outcome of each transaction. */
  readonly receipts: readonly string[];
  /** Kinds of events that a scenario may not pass over. */
  readonly noticed: readonly string[];
  readonly hasFills: boolean;
}

/**
 * @param byModel outcomes are the model's, which goes its own way where the venue goes another. From there on nobody knows
 *   what the right venue tells beside receipts, and nothing is expected of it.
 */
function tellOutcomes({ chronicle }: PlayedScript, apply: Apply, byModel: boolean, { kind }: Failure): Told[] {
  const state = createVenue(chronicle.genesis);
  const both = byModel ? new LockStep(chronicle.genesis, "block", state) : undefined;
  const told: Told[] = [];
  let isUnsure = false;
  const tell = ({ transactions }: Block, find: (index: number) => Receipt | undefined, kinds: ReadonlySet<string>) =>
    told.push({
      receipts: transactions.map((_, index) => {
        const receipt = (both?.receipts.get(index) as Receipt | undefined) ?? find(index);
        return receipt === undefined ? "applied" : describeReceipt(receipt).replace(/^applied.*/, "applied");
      }),
      noticed: NOTICED.filter((kind) => isUnsure || kinds.has(kind)),
      hasFills: isUnsure || kinds.has("fill"),
    });
  for (const block of chronicle.blocks) {
    // Whom the venue should have closed in the block that fails, neither side's state says.
    if (both !== undefined && kind !== "model" && block === chronicle.blocks.at(-1))
      isUnsure ||= state.positions.rows.high > 0;
    try {
      const { receipts, events, from, to } =
        both === undefined ? apply(state, block) : applyBlock(state, block, both.probe);
      if (both?.check(state, block) !== undefined) isUnsure = true;
      tell(block, (index) => receipts.at(index), new Set(readEvents(events, from, to).map(({ kind }) => kind)));
    } catch {
      // The venue breaks down here. What it should have made of the block the model says.
      if (both === undefined) break;
      both.finish();
      isUnsure = true;
      tell(block, () => undefined, new Set());
      break;
    }
  }
  return told;
}

function writeGenesis(genesis: Genesis): string[] {
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

/** The members of an object that differ from the usual ones; other values whole. */
function differenceOf(value: unknown, usual: unknown): Flow {
  if (typeof value !== "object" || value === null || typeof usual !== "object" || usual === null) return value as Flow;
  const members = usual as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(value).filter(([key, member]) => JSON.stringify(member) !== JSON.stringify(members[key])),
  ) as Flow;
}

function writeAccounts({ accounts }: Genesis, teller: Teller): string[] {
  const there = accounts.map(({ address, subaccount, role, balance, lossLimit }) => {
    const more = { ...(role === "normal" ? {} : { role }), ...(lossLimit === undefined ? {} : { lossLimit }) };
    return `  ${teller.account(address, subaccount)}: ${writeFlow({ deposit: balance, ...more })}`;
  });
  const others = teller.others.map((name) => `  ${name}: {}`);
  return there.length + others.length === 0 ? [] : ["accounts:", ...there, ...others];
}

function writeBlocks(played: PlayedScript, teller: Teller, told: readonly Told[]): string[] {
  const out: string[] = [];
  const { blocks, genesis } = played.chronicle;
  let before = genesis.timeMs;
  blocks.forEach((block, place) => {
    const own: string[] = [];
    const after = block.timeMs - before;
    before = block.timeMs;
    if (after !== 1000) own.push(`after: ${formatDuration(after)}`);
    const outcomes = told[place];
    const lines = played.lines[place]!;
    const outcomeOf = (index: number) => outcomes?.receipts[index] ?? "applied";
    // `prices` stand before all transactions.
    let prices = 0;
    while (
      prices < lines.length &&
      teller.isPlainPrice(lines[prices]!, lines.slice(0, prices)) &&
      outcomeOf(prices) === "applied"
    )
      prices++;
    if (prices > 0) own.push("prices:", ...lines.slice(0, prices).map((line) => `  ${teller.price(line)}`));
    const rest = lines.slice(prices);
    if (rest.length > 0) own.push("transactions:", ...rest.map((line) => `  - ${teller.transaction(line)}`));
    const receipts = rest.map((_, index) => outcomeOf(prices + index));
    const isLast = place === blocks.length - 1;
    const expect: Record<string, Flow> = {};
    if (receipts.length > 0 && (isLast || receipts.some((outcome) => outcome !== "applied")))
      expect["receipts"] = receipts;
    if (isLast && receipts.length === 0) expect["venue"] = { height: String(block.height) };
    const { noticed = [], hasFills = false } = outcomes ?? {};
    if (noticed.length > 0) expect["events"] = Object.fromEntries(noticed.map((kind) => [kind, "any"]));
    if (hasFills && Object.keys(expect).length > 0) expect["fills"] = "any";
    if (Object.keys(expect).length > 0) {
      own.push("expect:", ...Object.entries(expect).map(([key, value]) => `  ${key}: ${writeFlow(value)}`));
    }
    if (own.length === 0) own.push("after: 1s");
    out.push(...own.map((line, at) => `  ${at === 0 ? "- " : "  "}${line}`));
  });
  return out;
}
