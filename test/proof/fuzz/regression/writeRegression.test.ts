import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { compileScenario } from "../../../../src/product/scenario/compile/compileScenario.ts";
import { formatScenario } from "../../../../src/product/scenario/lint/formatScenario.ts";
import { lintScenario } from "../../../../src/product/scenario/lint/lintScenario.ts";
import { runScenario, runScenarioFile } from "../../../../src/product/scenario/run/runScenario.ts";
import type { Chronicle } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { writeRegression } from "../../../../src/proof/fuzz/regression/writeRegression.ts";
import { runCase as runFuzzCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { createLine } from "../../../../src/proof/fuzz/shrink/createLine.ts";
import { nameActors } from "../../../../src/proof/fuzz/shrink/nameActors.ts";
import { readScript } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { playScript } from "../../../../src/proof/fuzz/shrink/runner.ts";
import type { Script, TransactionLine } from "../../../../src/proof/fuzz/shrink/script.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

const failure = { invariant: "conservation", height: 3, observed: "5 quote units are there, 4 came in and stayed" };
// This venue is correct: none of these files fails on it.
const options = { sentence: "What is there is what came in.", rules: ["POS-4"], tries: false };

function recordFlow(seed: number, count: number): Chronicle {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const blocks = Array.from({ length: count }, () => {
    const block = flow.next(state);
    applyBlock(state, block);
    return block;
  });
  return { genesis: flow.genesis, blocks };
}

/** A case as a search draws them, with about a hundred transactions. */
function recordCase(seed: number): Chronicle {
  const profile = seed % 2 === 0 ? "uniform" : "swarm";
  const given = drawCase(Random.ofSeed([seed, 2, 3, 4]), { profile, length: 130 });
  return runFuzzCase(given, { oracles: { watch: false }, records: true }).chronicle!;
}

const readFlow = (seed: number, count: number): Script => readScript(recordFlow(seed, count));

/** Outcome of every transaction; numbers are left out, since they name markets and orders that do not exist. */
function codesOf({ genesis, blocks }: Chronicle): { readonly codes: string[]; readonly root: string } {
  const state = createVenue(genesis);
  const codes = blocks.map((block) => {
    const { receipts } = applyBlock(state, block);
    return block.transactions.map((_, index) => receipts.at(index).code ?? "applied").join(" ");
  });
  return { codes, root: computeRoot(state) };
}

/** Compares a file with its chronicle: every outcome and the final state. */
function checkFile(chronicle: Chronicle): void {
  const script = readScript(chronicle);
  const { text } = writeRegression(script, failure, options);
  const named = playScript(nameActors(script).all).chronicle;
  const { codes, root } = codesOf(named);
  expect(codes).toEqual(codesOf(chronicle).codes);
  const { cases, ...head } = compileScenario("regression.yaml", () => text);
  // Other tests check every invariant; here that would take most of the time.
  const unwatched = cases.map((plan) => ({ ...plan, disabled: invariants.map(({ id }) => id) }));
  const [result] = runScenario({ ...head, cases: unwatched }).cases;
  expect(result!.failures.map(({ what, observed }) => `${what}: ${observed}`)).toEqual([]);
  expect(result!.root).toBe(root);
}

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed);

describe("a regression file", () => {
  // Goal: a file of a failure fails for the same reason as the search. Method: files of whole flows and cases, with
  // every action and every faulty header, run as scenarios. The outcomes and the final state are equal.
  test.each(seeds(66))("reproduces flow %i", (seed) => checkFile(recordFlow(seed, seed % 3 === 0 ? 30 : 12)));
  test.each(seeds(48))("reproduces case %i", (seed) => checkFile(recordCase(seed)));

  test.each([2, 4, 6, 12, 16])(
    "of flow %i is in canonical form, without warnings, and passes every invariant",
    (seed) => {
      const { name, text } = writeRegression(readFlow(seed, 12), failure, options);
      const file = `scenarios/regressions/${name}`;
      const readText = () => text;
      const { faults, advice } = lintScenario(file, readText);
      expect([...faults, ...advice].map(({ message }) => message)).toEqual([]);
      expect(formatScenario(text)).toBe(text);
      const { cases, status } = runScenarioFile(file, { readText });
      expect(cases.flatMap(({ failures }) => failures).map(({ what, observed }) => `${what}: ${observed}`)).toEqual([]);
      expect(status).toBe("passed");
    },
  );

  // If both agree, the model's outcomes are the venue's. The tests with planted bugs show that the file expects the
  // model's if they differ.
  test("expects the model's outcome of a difference", () => {
    const script = readFlow(4, 12);
    const differs = { ...failure, kind: "model", invariant: "venueEqualsModel" } as const;
    const { text } = writeRegression(script, differs, options);
    expect(text).toBe(writeRegression(script, differs, { ...options, apply: applyBlock }).text);
  });

  test("restarts the venue at the same blocks", () => {
    const script = readFlow(2, 3);
    const ways = ["image", "snapshot"] as const;
    let block = 0;
    const lines = script.lines.map((line) =>
      line.kind === "block" && block < ways.length ? { ...line, crash: ways[block++]! } : line,
    );
    const { text } = writeRegression({ ...script, lines }, failure, options);
    expect(text.match(/restart: .*/g)).toEqual(["restart: image", "restart: snapshot"]);
    expect(runScenarioFile("regression.yaml", { readText: () => text }).status).toBe("passed");
  });

  test("contains a remark if it does not fail as expected", () => {
    const remark = /^# On this venue it passes:/m;
    expect(writeRegression(readFlow(2, 2), failure, { ...options, tries: true }).text).toMatch(remark);
    expect(writeRegression(readFlow(2, 2), failure, options).text).not.toMatch(remark);
  });

  test("writes a time that no duration can express as a number", () => {
    const script = readFlow(2, 3);
    const lines = script.lines.map((line) => (line.kind === "block" ? { ...line, afterMs: 5_443_672_195 } : line));
    const { text } = writeRegression({ ...script, lines }, failure, options);
    expect(text).toMatch(/^ {2,4}(?:- )?time: \d{10,}$/m);
    expect(runScenarioFile("regression.yaml", { readText: () => text }).status).toBe("passed");
  });

  // A cancel may name the ids that are reserved for a transaction without an order.
  test("can name an order id that was reserved but not used", () => {
    const script = readFlow(1, 2);
    const lines = script.lines.filter((line): line is TransactionLine => line.kind === "transaction");
    const update = lines.find(({ action }) => action === "oracleUpdate")!;
    const links = [{ path: ["orderId"], to: "id", line: update.number, part: 0 }] as const;
    const init = { number: 9999, account: script.genesis.accounts[0]!, payload: { orderId: 1, clientOrderId: "" } };
    const account = new AccountKey(init.account.address, init.account.subaccount);
    const cancel = { ...createLine({ ...init, account, action: "cancelOrder" }), links };
    const end = { kind: "block", afterMs: 1000 } as const;
    const { text } = writeRegression({ ...script, lines: [...script.lines, cancel, end] }, failure, options);
    expect(text).toMatch(/cancel \$order\d/);
    expect(runScenarioFile("regression.yaml", { readText: () => text }).status).toBe("passed");
  });

  // No account of a scenario has an authority's key.
  test("is not written if a scenario cannot express the script", () => {
    const script = readFlow(2, 2);
    const { oracle: address } = script.genesis.authorities;
    const accounts = [...script.genesis.accounts, { address, subaccount: 0, role: "normal" as const, balance: "5" }];
    const genesis = { ...script.genesis, accounts };
    expect(() => writeRegression({ ...script, genesis }, failure, options)).toThrow(
      expect.objectContaining({ name: "FuzzError", code: "REGRESSION_UNSAID" }),
    );
  });

  test("begins with the schema, the sentence and the observation", () => {
    const { text } = writeRegression(readFlow(2, 1), failure, options);
    expect(text.split("\n").slice(0, 5)).toEqual([
      "# yaml-language-server: $schema=../schema/scenario.schema.json",
      "# What is there is what came in.",
      "# Found broken: 5 quote units are there, 4 came in and stayed",
      "scenario: conservation holds",
      "rules: [POS-4]",
    ]);
  });

  test("has equal names for equal failures, whatever their numbers, and another name for another failure", () => {
    const script = readFlow(2, 2);
    const { name } = writeRegression(script, failure, options);
    expect(name).toMatch(/^conservation-[0-9a-f]{8}\.yaml$/);
    const numbers = { ...failure, height: 9, observed: "7 quote units are there, 1 came in and stayed" };
    expect(writeRegression(script, numbers, options).name).toBe(name);
    expect(writeRegression(script, { ...failure, invariant: "bounds" }, options).name).not.toBe(name);
    expect(writeRegression({ ...script, lines: script.lines.slice(1) }, failure, options).name).not.toBe(name);
  });
});
