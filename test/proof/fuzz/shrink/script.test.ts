import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { type Chronicle, resolveCase } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { readScript } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { playScript } from "../../../../src/proof/fuzz/shrink/runner.ts";
import type { TransactionLine } from "../../../../src/proof/fuzz/shrink/script.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

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

function drawChronicle(seed: number): Chronicle {
  const random = new Random([seed, 7, 7, 7]);
  return resolveCase(drawCase(random, { profile: seed % 2 === 0 ? "uniform" : "swarm", length: 300 }));
}

/** Every header of a chronicle with its height and time, and all payload values except ids. */
function textOf({ blocks }: Chronicle): string[] {
  return blocks.flatMap(({ height, timeMs, transactions }) =>
    transactions.map(({ action, header, payload, verdict }) =>
      JSON.stringify({ height, timeMs, action, header, payload, verdict }, (name, value) =>
        /^(orderId|orderIds|intent)$/.test(name) ? "an id" : value,
      ),
    ),
  );
}

function rootOf({ genesis, blocks }: Chronicle): string {
  const state = createVenue(genesis);
  for (const block of blocks) applyBlock(state, block);
  return computeRoot(state);
}

test("a transaction with an earlier first height is valid from genesis when those blocks are dropped", () => {
  const chronicle = recordFlow(3, 3);
  const { lines, genesis } = readScript(chronicle);
  const late = lines.map((line) => (line.kind === "block" ? line : { ...line, validFrom: -2, validUntil: 0 }));
  const { blocks } = playScript({ genesis, lines: late }).chronicle;
  const starts = blocks.map(({ transactions }) => [...new Set(transactions.map(({ header }) => header.validFrom))]);
  expect(starts).toEqual([[0], [0], [1]]);
});

describe("a script played as it was read", () => {
  // Goal: a script holds all that a chronicle does. Method: a chronicle is read and played, and every transaction is
  // compared, including nonce, ids and grant, although the script stores none of them as numbers.
  test("reproduces the blocks of a flow", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const chronicle = recordFlow(seed, 60);
      const { chronicle: again } = playScript(readScript(chronicle));
      const texts = textOf(again);
      expect(
        textOf(chronicle).find((text, at) => text !== texts[at]),
        `seed ${seed}`,
      ).toBeUndefined();
      // An id that never existed still does not exist; every other id is the same.
      expect(rootOf(again), `seed ${seed}`).toBe(rootOf(chronicle));
    }
  });

  test("reproduces the venue of a case", () => {
    for (let seed = 1; seed <= 8; seed++) {
      const chronicle = drawChronicle(seed);
      const { chronicle: again } = playScript(readScript(chronicle));
      expect(rootOf(again), `seed ${seed}`).toBe(rootOf(chronicle));
    }
  });
});

describe("a script with lines left out", () => {
  test("keeps nonces in sequence and cancels the same orders", () => {
    const chronicle = recordFlow(3, 80);
    const script = readScript(chronicle);
    const state = createVenue(chronicle.genesis);
    let orders = 0;
    const without = {
      ...script,
      lines: script.lines.filter((line) => line.kind === "block" || line.action !== "noop"),
    };
    // The first half of the house flows is dropped as well: all later ids change.
    const dropped = without.lines.filter((line) => line.kind === "block" || line.action !== "houseFlow");
    const { chronicle: shorter, lines } = playScript({ ...script, lines: dropped });
    shorter.blocks.forEach((block, at) => {
      const { receipts } = applyBlock(state, block);
      lines[at]!.forEach((line: TransactionLine, index) => {
        if (line.nonce === 0) expect(receipts.code(index)).not.toBe("NONCE_GAP");
        if (line.links.some(({ to }) => to === "id") && receipts.status(index) === "applied") orders++;
      });
    });
    expect(orders).toBeGreaterThan(0);
  });
});
