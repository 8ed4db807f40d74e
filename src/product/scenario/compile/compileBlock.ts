import { ACTION_CODES } from "../../../protocol/actions/index.ts";
import { isSystem } from "../../../venue/engine/authorization/admission.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import type { Written } from "../../../venue/simulation/restoreVenue.ts";
import type { Faults } from "../faults.ts";
import { type Cell, type Entry, entriesOf, getCell, getText, itemsOf, type MapCell, textOf } from "../parse/cell.ts";
import { mergeCells } from "../parse/include.ts";
import { compileStep, plainStep } from "./compileStep.ts";
import { parseDuration, parseInstant } from "./duration.ts";
import type { PlannedBlock, PlannedStep } from "./plan.ts";

/** One block of a case. */
export function compileBlock(
  cell: Cell,
  ordinal: number,
  variant: string | undefined,
  names: Names,
  faults: Faults,
): PlannedBlock {
  const steps: PlannedStep[] = [];
  for (const item of itemsOf(getCell(cell, "transactions"))) {
    const step = item.kind === "map" ? compileStep(item, names, faults) : undefined;
    if (step !== undefined) steps.push(step);
  }
  const expect = expectOf(cell, variant);
  const refused = getText(expect, "refused") === "true";
  if (!refused) checkOrder(steps, faults);
  const repeat = Number(getText(cell, "repeat") ?? 1);
  if (repeat !== 1 && steps.length > 0) {
    faults.add(
      getCell(cell, "repeat")!.place,
      "a block with transactions does not repeat",
      "repeat an empty one after it",
    );
  }
  const restart = getCell(cell, "restart");
  const written = restart?.kind === "list" ? restart.items : restart === undefined ? [] : [restart];
  const time = getCell(cell, "time");
  const after = getText(cell, "after");
  return {
    place: cell.place,
    name: getText(cell, "name") ?? `block ${ordinal}`,
    note: getText(cell, "note"),
    timeMs:
      time === undefined ? undefined : time.kind === "number" ? Number(time.source) : parseInstant(textOf(time) ?? ""),
    afterMs: after === undefined ? 1000 : (parseDuration(after) ?? 1000),
    restart: written.map((word) => textOf(word) as Written),
    repeat,
    prices: compilePrices(getCell(cell, "prices")),
    markets: compileUpdates(getCell(cell, "markets")),
    steps,
    expect,
    refused,
  };
}

/** `expect` with what the variant lays over it, key by key. */
function expectOf(cell: Cell, variant: string | undefined): Cell | undefined {
  const common = getCell(cell, "expect");
  const own = variant === undefined ? undefined : getCell(getCell(cell, "variants"), variant);
  if (own?.kind !== "map") return common;
  if (common?.kind !== "map") return own;
  const kept = common.entries.filter(({ key }) => !own.entries.some((entry) => entry.key === key));
  return { ...own, entries: [...kept, ...own.entries] };
}

function checkOrder(steps: readonly PlannedStep[], faults: Faults): void {
  let rank = 0;
  for (const { action, place } of steps) {
    const own = action === "oracleUpdate" ? 0 : isSystem(ACTION_CODES[action]) ? 1 : 2;
    if (own < rank) {
      faults.add(
        place,
        `${action} comes after ${rank === 2 ? "a user's transaction" : "another system transaction"}`,
        "system transactions come first, oracle updates before the others (BLK)",
      );
    }
    rank = Math.max(rank, own);
  }
}

const entry = (key: string, value: Cell): Entry => ({ key, place: value.place, value });

/** `prices: { BTC-PERP: "60000" }` as oracle updates. */
export function compilePrices(cell: Cell | undefined): PlannedStep[] {
  return entriesOf(cell).map(({ key: name, place, value }) => {
    const given: MapCell = value.kind === "map" ? value : { kind: "map", place, entries: [entry("price", value)] };
    const entries = given.entries.flatMap((item): Entry[] => {
      if (item.key === "oracle") return [{ ...item, key: "price" }];
      if (item.key !== "funding") return [item];
      const settle: Cell = { kind: "flag", place: item.place, source: "true" };
      return [{ ...item, key: "fundingRate" }, entry("settleFunding", settle)];
    });
    const market: Cell = { kind: "text", place, source: name };
    const payload = mergeCells(given, { kind: "map", place, entries: [entry("market", market), ...entries] });
    const kept = payload.entries.filter(({ key }) => key !== "oracle" && key !== "funding");
    return plainStep(
      "oracle",
      "oracleUpdate",
      { ...payload, entries: kept },
      `price of ${name}: ${pricesWords(given)}`,
    );
  });
}

function pricesWords(given: MapCell): string {
  const parts = given.entries.map(({ key, value }) =>
    key === "price" ? textOf(value) : `${key} ${textOf(value) ?? "…"}`,
  );
  return parts.join(", ");
}

/** `markets: { BTC-PERP: { status: halted } }` as market updates. */
function compileUpdates(cell: Cell | undefined): PlannedStep[] {
  return entriesOf(cell).map(({ key: name, place, value }) => {
    const market: Cell = { kind: "text", place, source: name };
    const payload: MapCell = { kind: "map", place, entries: [entry("market", market), entry("parameters", value)] };
    const words = entriesOf(value).map(({ key, value: text }) => `${key} ${textOf(text)}`);
    return plainStep("operator", "updateMarket", payload, `${name}: ${words.join(", ")}`);
  });
}
