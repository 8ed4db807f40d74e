/**
 * Every action: accepted, and rejected for each of its reasons. The modules below hold the cases of a group of actions
 * each; what they reached is compared with the lists of codes, so that a new code without a case fails here.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runScenarioFile } from "../../../src/product/scenario/run/runScenario.ts";
import { ACTION_NAMES, type ActionName, actions } from "../../../src/protocol/actions/index.ts";
import { EVENT_KINDS } from "../../../src/protocol/events.ts";
import { NUMBER_MEANINGS, REJECTION_NUMBERS, RESULT_NUMBERS } from "../../../src/protocol/rejectionNumbers.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../src/protocol/rejections.ts";
import { projectRoot } from "../../helpers/project.ts";
import { reached } from "./actions/stage.ts";
import "./actions/admission.ts";
import "./actions/placeOrders.ts";
import "./actions/changeOrders.ts";
import "./actions/intents.ts";
import "./actions/positions.ts";
import "./actions/collateral.ts";
import "./actions/markets.ts";
import "./actions/devnet.ts";
import "./actions/houseFlow.ts";

test("every code has numbers in every form, and each number a meaning", () => {
  for (const [code, forms] of Object.entries({ ...REJECTION_NUMBERS, ...RESULT_NUMBERS })) {
    // Three codes are of intents that fire and never of a receipt.
    expect(forms.length > 0 || /^AUTHORIZATION_(EXPIRED|REVOKED|EXHAUSTED)$/.test(code), code).toBe(true);
    for (const form of forms) {
      const names = form.split(" ");
      expect(names, code).toEqual([...names].sort());
      for (const name of names) expect(NUMBER_MEANINGS, `${code} ${name}`).toHaveProperty(name);
    }
  }
});

/** Whether `scenarios/actions/<name>.yaml` has the cases of an action, with one that is applied. */
function isInScenario(name: ActionName): boolean {
  const file = join(projectRoot, "scenarios", "actions", `${name}.yaml`);
  if (!existsSync(file)) return false;
  const { status, cases } = runScenarioFile(file, { describeAll: true });
  const done = cases.flatMap(({ stories }) => stories.flatMap(({ transactions }) => transactions));
  return status === "passed" && done.some(({ words, outcome }) => outcome === "applied" && words.includes(name));
}

afterAll(() => {
  for (const name of ACTION_NAMES) {
    if (reached.names.has(`${name} applied`) || !isInScenario(name)) continue;
    for (const place of [`${name} applied`, ...Object.keys(actions[name].events)]) reached.names.add(place);
  }
  const missing = [...INVALID_NAMES, ...REJECTION_NAMES, ...ACTION_NAMES.map((name) => `${name} applied`)].filter(
    (name) => !reached.names.has(name),
  );
  expect(missing).toEqual([]);
  // Kinds of events that only open interest, liquidations, sampled funding and intents bring have tests of their own.
  const elsewhere = /^(initialRate|liquidation|deleveraged|lossSocialized|badDebt|backstop|funding|dust|intent|volume)/;
  expect(EVENT_KINDS.filter((kind) => !elsewhere.test(kind) && !reached.names.has(kind))).toEqual([]);
});
