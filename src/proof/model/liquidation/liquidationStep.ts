import { clamp } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { settleFunding } from "../funding/settle.ts";
import { type MarginAccount, openPositionsOf } from "../margin/health.ts";
import { maintenanceOf, notionalOf, valueAt } from "../margin/valuation.ts";
import type { ModelState, Position } from "../state.ts";
import { LIMIT } from "../words.ts";
import { computeBankruptcyValues, Slices } from "./bankruptcyValue.ts";
import { openRecord, placeOf, recordOf } from "./record.ts";
import { measureWithoutReserve } from "./withoutReserve.ts";

/** One position of a margin account in its liquidation step, as it was before the margin account's first fill (LIQ). */
export interface Part {
  readonly marginAccount: MarginAccount;
  readonly position: Position;
  readonly maintenance: bigint;
  readonly notional: bigint;
  /** Proceeds required for closing it at its bankruptcy price. */
  readonly bankruptcy: Slices;
}

/** A margin account's liquidation step. */
export interface LiquidationStep {
  readonly state: ModelState;
  readonly marginAccount: MarginAccount;
  readonly pass: Pass;
  /** Equity when its bankruptcy prices were fixed. */
  readonly equity: bigint;
  /** By larger maintenance, then market. */
  readonly parts: readonly Part[];
  /** Notional sent to the book so far, for policies with a cap on it. */
  sent: bigint;
}

/** State of a whole risk pass. */
export interface Pass {
  /** Positions by account when the pass began (LIQ-6). */
  readonly longs: readonly Position[];
  readonly shorts: readonly Position[];
  /** Their sizes then. */
  readonly signedLots: ReadonlyMap<Position, bigint>;
  /** Rankings of the opposite side, computed on demand, by "market/side" (LIQ-5). */
  readonly rankings: Map<string, readonly Position[]>;
  /** Number of the next record. */
  nextRecord: number;
}

/** Funding is settled first; bankruptcy prices are fixed once, before the first fill (LIQ). */
export function openStep(state: ModelState, pass: Pass, marginAccount: MarginAccount): LiquidationStep {
  for (const position of openPositionsOf(marginAccount)) settleFunding(position);
  const isFirst = recordOf(marginAccount) === 0;
  openRecord(pass, marginAccount);
  const { equity, maintenance } = measureWithoutReserve(marginAccount);
  const names = {
    liquidation: recordOf(marginAccount),
    account: marginAccount.account.id,
    marginAccount: placeOf(marginAccount),
  };
  emit(state, isFirst ? "liquidationStarted" : "liquidationContinued", {
    ...names,
    equity: clampStorable(equity),
    maintenance: clampStorable(maintenance),
  });
  return { state, marginAccount, pass, equity, parts: readParts(marginAccount, equity), sent: 0n };
}

/** As events report them: clamped to the storable range (NUM-3). */
function clampStorable(amount: bigint): bigint {
  return clamp(amount, -LIMIT, LIMIT);
}

function readParts(marginAccount: MarginAccount, equity: bigint): Part[] {
  const sorted = openPositionsOf(marginAccount)
    .map((position) => ({
      position,
      maintenance: maintenanceOf(position.market, position.signedLots),
      notional: notionalOf(position.market, position.signedLots),
      value: valueAt(position.market, position.signedLots, position.market.mark),
    }))
    .sort((a, b) =>
      a.maintenance > b.maintenance
        ? -1
        : a.maintenance < b.maintenance
          ? 1
          : a.position.market.ordinal - b.position.market.ordinal,
    );
  if (sorted.length === 0) return [];
  const bankruptcies = computeBankruptcyValues(equity, sorted);
  return sorted.map(({ position, maintenance, notional }, place) => ({
    marginAccount,
    position,
    maintenance,
    notional,
    bankruptcy: new Slices(bankruptcies[place]!, position.signedLots > 0n ? position.signedLots : -position.signedLots),
  }));
}
