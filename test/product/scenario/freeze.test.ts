import { appendFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { FreezeError } from "../../../src/product/scenario/freeze/errors.ts";
import { lintScenario } from "../../../src/product/scenario/lint/lintScenario.ts";
import { encodeSnapshot } from "../../../src/product/scenario/start/snapshotText.ts";
import { FILE, freeze, logOf, readFrozen, runFrozen } from "./freezeHelpers.ts";
import { failuresOf, faultsOf } from "./helpers.ts";

const DELEVERAGED = "liquidation/deleveraging-at-the-bankruptcy-price.yaml";

describe("blocks from the middle of a log", () => {
  test.each([
    DELEVERAGED,
    "liquidation/ranking-of-deleveraging.yaml",
    "liquidation/shared-pro-rata.yaml",
    "intents/a-partial-stop-shrinks-the-take-profit.yaml",
    "agents/trades-under-a-grant.yaml",
    "agents/subaccounts.yaml",
    "accounts/transfers.yaml",
    "funding/excess-is-paid-later.yaml",
    "actions/cancel-several.yaml",
  ])("of %s pass as a scenario", (scenario) => {
    const { log, last } = logOf(scenario);
    for (const from of [1, Math.ceil(last / 2)]) {
      const frozen = freeze(log, from, last);
      expect(failuresOf(runFrozen(frozen))).toEqual([]);
      expect(frozen.blocks).toBe(last - from + 1);
    }
  });

  test("are a file in the form of hand-written ones, with the venue at its start", () => {
    const { log, last } = logOf(DELEVERAGED);
    const { text, snapshot } = freeze(log, last - 1, last);
    expect(text).toContain('snapshot: "frozen.snapshot"');
    expect(text).toMatch(/start:\n {2}snapshot: [^\n]+\n {2}expect:\n {4}prices: /);
    expect(text).toMatch(/alice: \{ address: "0x[0-9a-f]{40}" \}/);
    expect(text).toMatch(/golden: \{ root: "0x[0-9a-f]{64}" \}/);
    const { faults, advice } = lintScenario(FILE, readFrozen({ text, snapshot }));
    expect(faults).toEqual([]);
    expect(advice.map(({ message }) => message)).toEqual(["no rules"]);
  });

  test("name orders of the stretch by labels, and keep the ids of older ones", () => {
    const { log, last } = logOf("orders/cancel-frees-reserve.yaml");
    expect(freeze(log, 1, last).text).toContain("cancel $order1");
    const later = freeze(log, last, last).text;
    expect(later).toMatch(/cancelOrder: \{ orderId: "\d+" \}/);
    expect(later).not.toContain("$order");
  });
});

test("a block that is changed by hand, and a start that is another venue, are reported", () => {
  const { log, last } = logOf(DELEVERAGED);
  const frozen = freeze(log, last, last);
  const earlier = freeze(log, last - 1, last).snapshot.text;
  const other = { text: frozen.text, snapshot: { ...frozen.snapshot, text: earlier } };
  expect(failuresOf(runFrozen(other))[0]).toMatch(/^\d+:\d+ /);
  expect(runFrozen(other).cases[0]!.failures[0]!.block).toBe("start");
});

describe("a start", () => {
  let frozen: ReturnType<typeof freeze>;
  beforeEach(() => {
    const { log, last } = logOf(DELEVERAGED);
    frozen = freeze(log, last, last);
  });
  const change = (from: string | RegExp, to: string) =>
    faultsOf(runFrozen({ ...frozen, text: frozen.text.replace(from, to) }));

  test("with damaged bytes, another file, or none in its place", () => {
    const cut = { ...frozen, snapshot: { ...frozen.snapshot, text: frozen.snapshot.text.slice(0, -40) } };
    expect(faultsOf(runFrozen(cut))).toEqual([
      expect.stringMatching(
        /frozen\.snapshot is no snapshot of a venue: its bytes are damaged .*\(freeze the blocks again/,
      ),
    ]);
    const note = { ...frozen, snapshot: { ...frozen.snapshot, text: "hello\n" } };
    expect(faultsOf(runFrozen(note))).toEqual([expect.stringContaining("its first line is not")]);
    const bytes = encodeSnapshot(new TextEncoder().encode("nothing of a venue"));
    expect(faultsOf(runFrozen({ ...frozen, snapshot: { ...frozen.snapshot, text: bytes } }))).toEqual([
      expect.stringContaining("is no snapshot of a venue"),
    ]);
    expect(change('"frozen.snapshot"', '"gone.snapshot"')).toEqual([expect.stringContaining("no file gone.snapshot")]);
  });

  test("next to what only a genesis has", () => {
    expect(change("blocks:", "markets: { TEST: {} }\nblocks:")).toEqual([
      expect.stringContaining("markets is next to start (leave it out: the stored venue has its own)"),
    ]);
    expect(change("blocks:", 'prices: { TEST: "1" }\nblocks:')).toEqual([
      expect.stringContaining("prices is next to start"),
    ]);
    expect(change("alice: { address", 'alice: { deposit: "5", address')).toEqual([
      expect.stringContaining("deposit of alice is next to start"),
    ]);
  });

  test("that expects an event or a change", () => {
    expect(change("  expect:\n    prices", "  expect:\n    fills: none\n    prices")).toEqual([
      expect.stringContaining("there are no fills at the start"),
    ]);
  });

  test("without which markets are required", () => {
    expect(change(/start:[\s\S]*?accounts:\n {2}\w/, "accounts:\n  a")).toEqual(
      expect.arrayContaining([expect.stringContaining("markets is missing")]),
    );
  });

  test("with two owners of one address", () => {
    const [, address] = /alice: \{ address: "(0x[0-9a-f]{40})"/.exec(frozen.text)!;
    expect(change("accounts:\n  alice", `accounts:\n  zoe: { address: "${address}" }\n  alice`)).toEqual([
      expect.stringContaining("zoe"),
    ]);
  });
});

describe("blocks that cannot be frozen", () => {
  let log: string;
  let last: number;
  beforeEach(() => {
    ({ log, last } = logOf("orders/cancel-frees-reserve.yaml"));
  });
  const codeOf = (from: number, to: number) => {
    try {
      freeze(log, from, to);
    } catch (error) {
      expect(error).toBeInstanceOf(FreezeError);
      const { code, message, hint, place } = error as FreezeError;
      expect(hint).toBeDefined();
      expect(place).toBe(log);
      return `${code}: ${message}`;
    }
    return "frozen";
  };

  test("because the log does not have them", () => {
    expect(codeOf(0, 1)).toBe("FREEZE_RANGE: 0..1 has no block");
    expect(codeOf(3, 2)).toBe("FREEZE_RANGE: 3..2 has no block");
    expect(codeOf(1, last + 1)).toBe(`FREEZE_RANGE: has blocks 1 to ${last}, not 1 to ${last + 1}`);
    expect(codeOf(last + 5, last + 6)).toMatch(/^FREEZE_RANGE/);
  });

  test("because they are too many, before any is replayed", () => {
    expect(codeOf(1, 1_001)).toBe("FREEZE_TOO_LARGE: 1001 blocks are too many for a scenario, at most 1000 blocks");
  });

  test("and a torn log is read up to where it is whole", () => {
    const { log: torn, last: end } = logOf("orders/cancel-frees-reserve.yaml");
    appendFileSync(torn, "x");
    expect(freeze(torn, 1, end).blocks).toBe(end);
    expect(() => freeze(torn, 1, end + 1)).toThrow(`has blocks 1 to ${end}`);
  });
});

test("a snapshot is the same text for the same venue", () => {
  const { log, last } = logOf("orders/cancel-frees-reserve.yaml");
  expect(freeze(log, last, last)).toEqual(freeze(log, last, last));
});
