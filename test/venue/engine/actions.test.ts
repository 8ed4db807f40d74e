/**
 * Every action: accepted, and rejected for each of its reasons. The modules below hold the cases of a group of actions
 * each; what they reached is compared with the lists of codes, so that a new code without a case fails here.
 */
import { afterAll, expect, test } from "vitest";
import { ACTION_NAMES } from "../../../src/protocol/actions/index.ts";
import { EVENT_KINDS } from "../../../src/protocol/events.ts";
import { NUMBER_MEANINGS, REJECTION_NUMBERS, RESULT_NUMBERS } from "../../../src/protocol/rejectionNumbers.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../src/protocol/rejections.ts";
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

afterAll(() => {
  const missing = [...INVALID_NAMES, ...REJECTION_NAMES, ...ACTION_NAMES.map((name) => `${name} applied`)].filter(
    (name) => !reached.names.has(name),
  );
  expect(missing).toEqual([]);
  // Kinds of events that only open interest, liquidations, sampled funding and intents bring have tests of their own.
  const elsewhere = /^(initialRate|liquidation|deleveraged|lossSocialized|badDebt|backstop|funding|dust|intent|volume)/;
  expect(EVENT_KINDS.filter((kind) => !elsewhere.test(kind) && !reached.names.has(kind))).toEqual([]);
});
