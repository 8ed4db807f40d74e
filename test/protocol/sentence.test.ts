import { expect, test } from "vitest";
import { SENTENCE_ACTIONS } from "../../src/protocol/sentence.ts";

test("a sentence of a definition starts with a verb of its own and names only fields of its action", () => {
  const verbs = SENTENCE_ACTIONS.map(({ parts: [first] }) =>
    first !== undefined && "word" in first ? first.word : "",
  );
  expect(new Set(verbs).size).toBe(verbs.length);
  expect(verbs).not.toContain("");
  expect(SENTENCE_ACTIONS.find(({ action }) => action === "faucetMint")?.parts).toEqual([
    { word: "mint" },
    { name: "amount", kind: "amount" },
    { word: "to" },
    { name: "to", kind: "address" },
  ]);
});
