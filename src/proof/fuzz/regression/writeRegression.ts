import { createHash } from "node:crypto";
import { formatScenario } from "../../../product/scenario/lint/formatScenario.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { Names } from "../../../venue/simulation/accountNames.ts";
import type { Written } from "../../../venue/simulation/restoreVenue.ts";
import type { Invariant } from "../../invariants/defineInvariant.ts";
import { FuzzError } from "../errors.ts";
import { ORACLES, type Oracle } from "../run/violation.ts";
import type { Apply } from "../shrink/readScript.ts";
import type { PlayedScript } from "../shrink/runner.ts";
import type { Script } from "../shrink/script.ts";
import { type Failure, signatureOf } from "../shrink/signature.ts";
import { chooseNames } from "./chooseNames.ts";
import { type Departure, findDepartures, listPlaces } from "./departures.ts";
import { LiteralPlaces } from "./literalPlaces.ts";
import { writeOutcomes } from "./outcomes.ts";
import { createRemark } from "./remark.ts";
import { writeAccounts, writeBlocks, writeGenesis } from "./sections.ts";
import { SentenceWriter } from "./sentenceWriter.ts";

export interface RegressionOptions {
  /** How the outcomes come about that the file expects: the venue that is right. Default: the model, as far as it goes. */
  readonly apply?: Apply;
  /** What always holds, as a sentence, and the rules that say so. Default: what is said of the failure's name. */
  readonly sentence?: string;
  readonly rules?: readonly string[];
  /** Invariants, of which those of the user's own are checked besides all others when the file is run. */
  readonly invariants?: readonly Invariant[];
  /** Whether the file is run, and says so where it does not fail on this venue as it should. Default: yes. */
  readonly tries?: boolean;
}

export interface Regression {
  /** `<invariant>-<hash8>.yaml`: the same for failures that are the same. */
  readonly name: string;
  readonly text: string;
  /** What the head says of a run on this venue, where it does not fail as it should. */
  readonly remark?: string;
}

/**
 * A failure as a scenario file, independent of whatever found it: names for accounts, labels for what is named again,
 * sentences where they say all. Every run of a scenario holds every invariant, so it fails as long as the venue does.
 *
 * @throws {FuzzError} REGRESSION_UNSAID where a scenario would not do exactly what the script does
 */
export function writeRegression(script: Script, failure: Failure, options: RegressionOptions = {}): Regression {
  const { sentence = nameOracle(failure.invariant), rules = [] } = options;
  const { apply = applyBlock, tries = true } = options;
  const { script: all, played, names } = chooseNames(script, apply);
  const distances = new Map<number, number>();
  for (const line of all.lines) if (line.kind === "transaction") distances.set(line.number, line.nonce);
  const expected = writeOutcomes(played, {
    apply: options.apply,
    failure,
    names: nameAll(all, new SentenceWriter(all, played, names)),
  });
  const literals = new LiteralPlaces();
  const restarts = findRestarts(played);
  const remarks: string[] = [];
  played.chronicle.blocks.forEach((block, place) => {
    const { literals: chosen = [] } = expected[place] ?? {};
    if (chosen.length > 0) literals.add(listPlaces(block, played.lines[place]!, { chosen }), () => 0);
  });
  let hasTried = false;
  for (let round = 1; ; ) {
    const writer = new SentenceWriter(all, played, names, literals);
    const lines = [
      "# yaml-language-server: $schema=../schema/scenario.schema.json",
      `# ${sentence}`,
      `# Found broken: ${oneLine(failure.observed)}`,
      ...remarks,
      `scenario: ${failure.invariant} holds`,
      `rules: [${rules.join(", ")}]`,
      "tags: [found by fuzzing]",
      ...writeGenesis(all.genesis),
      ...writeAccounts(all.genesis, writer),
      "blocks:",
      ...writeBlocks(played, writer, expected, restarts),
    ];
    const text = `${lines.join("\n")}\n`;
    const departures = findDepartures(text, played, restarts, apply);
    if (departures.length === 0) {
      const remark = tries && !hasTried ? createRemark(text, failure, options.invariants) : undefined;
      hasTried = true;
      if (remark === undefined) {
        const [said] = remarks;
        const name = `${keyOf(script, failure)}.yaml`;
        return { name, text: formatScenario(text), ...(said === undefined ? {} : { remark: said }) };
      }
      remarks.push(remark);
      continue;
    }
    const [unsaid] = literals.add(departures, (line) => distances.get(line) ?? 0);
    if (unsaid !== undefined || round++ === ROUNDS) throw refuse(unsaid ?? departures[0]!);
  }
}

/** What was looked for, where no invariant says it. */
function nameOracle(name: string): string {
  return Object.hasOwn(ORACLES, name) ? ORACLES[name as Oracle] : `${name} holds.`;
}

/** Accounts by the names that a file gives them. */
function nameAll({ genesis: { accounts } }: Script, writer: SentenceWriter): Names {
  const names = new Names();
  for (const { address, subaccount } of accounts) names.declare(writer.account(address, subaccount));
  for (const name of writer.others) names.declare(name);
  return names;
}

/** What one more thing said outright changes is right after a few rounds, or never. */
const ROUNDS = 8;

/** What the venue starts again from before each block. */
function findRestarts({ chronicle: { blocks, crashes = [] } }: PlayedScript): Written[][] {
  return blocks.map(({ height }) => crashes.filter((crash) => crash.height === height - 1).map(({ way }) => way));
}

/** A transaction that no words of a scenario come to. */
function refuse({ height, place, wanted, built }: Departure): FuzzError {
  const [said, instead] = [wanted, built].map((value) => String(value).slice(0, 100));
  const reason =
    place === "file" ? `no scenario says this: ${instead}` : `a scenario cannot say ${said}, it would be ${instead}`;
  return new FuzzError("REGRESSION_UNSAID", reason, {
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
