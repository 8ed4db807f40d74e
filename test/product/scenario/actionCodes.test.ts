import { expect, test } from "vitest";
import { listActionCodes, listGrantCodes } from "../../../scripts/actionCodes.ts";
import { REJECTION_NUMBERS } from "../../../src/protocol/rejectionNumbers.ts";
import { REJECTION_NAMES } from "../../../src/protocol/rejections.ts";

test("every code that a receipt may have is one of an action or of a grant", () => {
  const listed = new Set([...Object.values(listActionCodes()).flat(), ...listGrantCodes()]);
  expect(REJECTION_NAMES.filter((code) => REJECTION_NUMBERS[code].length > 0 && !listed.has(code))).toEqual([]);
});

test("codes of an action are those of its own check and of its field rules, not those of other actions", () => {
  const codes = listActionCodes();
  expect(codes.cancelOrder).toEqual(["ORDER_NOT_FOUND", "NOT_ORDER_OWNER"]);
  expect(codes.cancelIntent).toEqual(["INTENT_NOT_FOUND", "NOT_INTENT_OWNER"]);
  expect(codes.noop).toEqual([]);
  expect(codes.placeOrder).toContain("POST_ONLY_WITH_TAKING");
  expect(codes.placeOrder).not.toContain("ORDER_KILLED");
  expect(codes.placeOrders).toContain("ORDER_KILLED");
});
