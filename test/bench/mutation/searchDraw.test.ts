import { expect, test } from "vitest";
import { MUTANTS_USUAL, readNamedDraw, type SearchDraw, writeDraw } from "../../../bench/mutation/searchDraw.ts";

const drawn: SearchDraw = { mutants: MUTANTS_USUAL, seed: 1, missedBy: [], triedBy: [] };

test("a worker reads from its words which mutants the command has", () => {
  const missed: SearchDraw = { ...drawn, missedBy: ["scenarios", "tests"] };
  const tried: SearchDraw = { ...drawn, triedBy: ["tests"] };
  expect(writeDraw({ ...drawn, mutants: 30, seed: 7 })).toEqual(["30", "7"]);
  expect(readNamedDraw(["30", "7"])).toBeUndefined();
  for (const draw of [missed, tried]) expect(readNamedDraw(writeDraw(draw))).toEqual(draw);
});
