import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { resolveCase } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { checkRefusals } from "../../../../src/proof/fuzz/run/refusals.ts";
import type { Played } from "../../../../src/proof/fuzz/run/repeat.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

const drawn = drawCase(Random.ofSeed([1, 2, 3, 4]), { profile: "uniform", length: 60 });
const { genesis, blocks } = resolveCase(drawn);
const played: Played = { genesis, blocks: [...blocks], heads: [], root: undefined };

test("malformed input made from a case is refused", () => {
  expect(checkRefusals(played)).toBeUndefined();
  expect(runCase(drawn, { oracles: { watch: false, damaged: true } }).violation).toBeUndefined();
});

test("a venue that accepts malformed input, or refuses it for another reason, is reported", () => {
  const forgives = (place: string) =>
    checkRefusals(played, (damaged) => {
      try {
        return createVenue(damaged);
      } catch (error) {
        if (error instanceof EngineError && `${JSON.stringify(error.details)}`.includes(`"${place}"`))
          return createVenue(genesis);
        throw error;
      }
    });
  for (const place of ["liquidationsMax", "insurance", "origin", "outflow.daily.share", "accounts", "nonces.trading"]) {
    expect(forgives(place)).toMatchObject({ invariant: "malformedIsRefused" });
  }
  const misnames = checkRefusals(played, () => {
    throw new EngineError("INVALID_GENESIS", "genesis x: no", { place: "x", fault: "no" });
  });
  expect(misnames?.observed).toContain("is refused for x");
});
