import { createHash } from "node:crypto";
import { formatScenario } from "../../../product/scenario/lint/formatScenario.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { Names } from "../../../venue/simulation/accountNames.ts";
import type { Written } from "../../../venue/simulation/restoreVenue.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
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
  /** Applies a block on a correct venue, whose outcomes the file expects. Default: the model, as far as it goes. */
  readonly apply?: Apply;
  /** The invariant as a sentence, and its rules. Default: the sentence of the failure's name. */
  readonly sentence?: string;
  readonly rules?: readonly string[];
  /** Invariants of the user, which are checked in addition to all others when the file runs. */
  readonly invariants?: readonly Invariant[];
  /** Runs the file and adds a remark if it does not fail as expected on this venue. Default: true. */
  readonly tries?: boolean;
}

export interface Regression {
  /** `<invariant>-<hash8>.yaml`: equal failures have equal names. */
  readonly name: string;
  readonly text: string;
  /** Remark in the head if the file does not fail as expected on this venue. */
  readonly remark?: string;
}

/**
 * Writes a failure as a scenario file, independent of what found it: names for accounts, labels for references,
 * sentences where they express everything. Every run of a scenario checks every invariant, so the file fails as long as
 * the venue is wrong.
 *
 * @throws {FuzzError} REGRESSION_UNSAID if a scenario would not do exactly what the script does
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
        const [first] = remarks;
        const name = `${keyOf(script, failure)}.yaml`;
        return { name, text: formatScenario(text), ...(first === undefined ? {} : { remark: first }) };
      }
      remarks.push(remark);
      continue;
    }
    const [left] = literals.add(departures, (line) => distances.get(line) ?? 0);
    if (left !== undefined || round++ === ROUNDS) throw refuse(left ?? departures[0]!);
  }
}

/** The rule of an oracle without an invariant. */
function nameOracle(name: string): string {
  return Object.hasOwn(ORACLES, name) ? ORACLES[name as Oracle] : `${name} holds.`;
}

/** Accounts by their names in the file. */
function nameAll({ genesis: { accounts } }: Script, writer: SentenceWriter): Names {
  const names = new Names();
  for (const { address, subaccount } of accounts) names.declare(writer.account(address, subaccount));
  for (const name of writer.others) names.declare(name);
  return names;
}

/** Each literal may change other places. This settles in a few rounds, or never. */
const ROUNDS = 8;

/** Forms from which the venue restarts before each block. */
function findRestarts({ chronicle: { blocks, crashes = [] } }: PlayedScript): Written[][] {
  return blocks.map(({ height }) => crashes.filter((crash) => crash.height === height - 1).map(({ way }) => way));
}

/** Error for a transaction that a scenario cannot express. */
function refuse({ height, place, wanted, built }: Departure): FuzzError {
  const [expected, instead] = [wanted, built].map((value) => String(value).slice(0, 100));
  const reason =
    place === "file"
      ? `no scenario can express this: ${instead}`
      : `a scenario cannot express ${expected}; it would be ${instead}`;
  return new FuzzError("REGRESSION_UNSAID", reason, {
    place: height === 0 ? place : `block ${height}: ${place}`,
    hint: "replay the case: it is complete",
  });
}

/** Identity of a failure: the invariant with its message, and the actions that lead to it. */
export function keyOf({ lines }: Script, failure: Failure): string {
  const actions = lines.flatMap((line) => (line.kind === "block" ? [] : [line.action]));
  const hash = createHash("sha256")
    .update(`${signatureOf(failure)}\n${actions.join(" ")}`)
    .digest("hex");
  return `${failure.invariant}-${hash.slice(0, 8)}`;
}

const oneLine = (text: string) => text.split("\n")[0]!.slice(0, 200);
