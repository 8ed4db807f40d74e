import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase, type FuzzCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { resolveCase } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { readCase, writeCase } from "../../../../src/proof/fuzz/case/writeCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { GENE_WIDTH } from "../../../../src/proof/fuzz/genes/choices.ts";
import { openSource } from "../../../../src/proof/fuzz/run/source.ts";
import { decodePayload, encodePayload } from "../../../../src/protocol/index.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { fuzzCases } from "../../../helpers/fuzzCases.ts";

const anyCase = (maxGenes: number) =>
  fc
    .tuple(fc.uint16Array({ maxLength: 600 }), fc.uint16Array({ maxLength: maxGenes * GENE_WIDTH, size: "max" }))
    .map(([profile, genes]) => createCase(profile, genes));

/** Runs a case and returns its final height and head. */
function run(given: FuzzCase): string {
  const runner = new CaseRunner(given);
  for (let block = runner.next(); block !== undefined; block = runner.next()) applyBlock(runner.state, block);
  return `${runner.state.height} ${getHead(runner.state)}`;
}

describe("a case", () => {
  test("of random operations never throws, in any venue", () => {
    fc.assert(
      fc.property(fuzzCases({ most: 80 }), (given) => void run(given)),
      { numRuns: 40 },
    );
  });

  test("runs with any numbers, and always gives the same result", () => {
    fc.assert(
      fc.property(anyCase(60), (given) => {
        expect(run(given)).toBe(run(given));
      }),
      { numRuns: 60 },
    );
  });

  test("runs after any deletion", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(), fc.nat(), (seed, from, length) => {
        const { profile, genes } = drawCase(new Random([seed, 1, 2, 3]), { profile: "swarm", length: 80 });
        const start = from % genes.length;
        const left = [...genes.subarray(0, start), ...genes.subarray(start + (length % 500))];
        run(createCase(profile, left));
      }),
      { numRuns: 40 },
    );
  });

  // Goal: a chronicle is complete; genes are not needed to reproduce a case.
  test("is the same as its chronicle", () => {
    for (let seed = 1; seed <= 8; seed++) {
      const given = drawCase(new Random([seed, 5, 6, 7]), { profile: "uniform", length: 200 });
      const { genesis, blocks } = resolveCase(given);
      const state = createVenue(genesis);
      for (const block of blocks) applyBlock(state, block);
      expect(`${state.height} ${getHead(state)}`).toBe(run(given));
    }
  });

  test("crashes at the heights of its chronicle, and continues in the same way after the restart", () => {
    let crashes = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const given = drawCase(new Random([seed, 5, 6, 7]), { profile: "uniform", length: 60, shape: "replayed" });
      const chronicle = resolveCase(given);
      const source = openSource(chronicle);
      let before = source.state;
      let restored = 0;
      for (let block = source.next(); block !== undefined; block = source.next()) {
        if (source.state !== before) restored++;
        before = source.state;
        applyBlock(before, block);
      }
      expect(restored).toBe(chronicle.crashes?.length);
      crashes += restored;
      expect(`${before.height} ${getHead(before)}`).toBe(run(given));
    }
    expect(crashes).toBeGreaterThan(5);
  });

  // Goal: everything a case does can be expressed as messages of the wire, for example in a scenario.
  test("holds only what messages can express", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { blocks } = resolveCase(drawCase(new Random([seed, 3, 4, 5]), { profile: "swarm", length: 200 }));
      for (const { action, payload, header } of blocks.flatMap(({ transactions }) => transactions)) {
        const text = JSON.stringify(encodePayload(action, payload as never));
        expect(decodePayload(action, JSON.parse(text))).toEqual(payload);
        for (const number of [header.nonce, header.validFrom, header.validUntil]) {
          expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
        }
      }
    }
  });

  test("of zeros only is a plain venue without events", () => {
    const runner = new CaseRunner(createCase([], new Uint16Array(3 * GENE_WIDTH)));
    expect(runner.genesis.accounts).toMatchObject([{ balance: "10000" }, { balance: "10000" }]);
    expect(runner.genesis.markets).toMatchObject([{ parameters: { takerFee: "0", fundingMethod: "reported" } }]);
    for (let block = runner.next(); block !== undefined; block = runner.next()) {
      expect(block.transactions.map(({ action }) => action)).toEqual(block.height === 1 ? ["oracleUpdate"] : []);
      applyBlock(runner.state, block);
    }
    expect(runner.state.height).toBe(4); // one for the first prices
  });

  test("is written and read without a change", () => {
    fc.assert(
      fc.property(anyCase(4), (given) => {
        expect(readCase(writeCase(given))).toEqual(given);
      }),
    );
  });

  test("of another protocol version is refused with the version, and other bytes as malformed", () => {
    const bytes = writeCase({ ...createCase([1], [2]), protocolVersion: 7 });
    expect(() => readCase(bytes)).toThrow(expect.objectContaining({ code: "CASE_VERSION" }));
    const whole = writeCase(createCase([1, 2], [3]));
    const malformed = [whole.subarray(0, 3), whole.subarray(0, whole.length - 1), Uint8Array.of(...whole, 0)];
    for (const text of malformed) {
      expect(() => readCase(text)).toThrow(expect.objectContaining({ code: "CASE_MALFORMED" }));
    }
  });
});
