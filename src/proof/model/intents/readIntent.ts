import type { Payloads } from "../../../protocol/actions/index.ts";
import { INTENT_KINDS, TRIGGER_KINDS } from "../words.ts";

type Payload = Payloads["placeIntent"];
type Leg = Payload["legs"][number];
type Kind = (typeof INTENT_KINDS)[number];

/** The first field that does not fit its kind (INT-3). */
export interface Misfit {
  readonly field: string;
  readonly kind: string;
  /** Place of the leg, from 0; absent for a field of the intent itself. */
  readonly leg?: number;
}

/** Legs of each kind. */
const LEGS: Readonly<Record<Kind, number>> = {
  stop: 0,
  takeProfit: 0,
  trailingStop: 0,
  twap: 0,
  oco: 2,
  oto: 1,
  otoco: 2,
};
const ALL = 1_000_000_000;
/** Index of `market` among the order types. */
const MARKET = 1;

/** A row of the table: the field, and whether its value is wrong. */
type Row<Of> = readonly [field: keyof Of & string, misfits: (of: Of, kind: string) => boolean];

const WATCHES: readonly Row<Pick<Leg, "trigger" | "trail" | "trailRate">>[] = [
  ["trigger", ({ trigger }, kind) => (trigger !== 0) !== (kind === "stop" || kind === "takeProfit")],
  [
    "trail",
    ({ trail, trailRate }, kind) => (kind === "trailingStop" ? (trail !== 0) === (trailRate !== 0) : trail !== 0),
  ],
  [
    "trailRate",
    ({ trailRate }, kind) => (kind === "trailingStop" ? trailRate < 0 || trailRate >= ALL : trailRate !== 0),
  ],
];

const ROWS: readonly Row<Payload>[] = [
  ["legs", ({ legs }, kind) => legs.length !== LEGS[kind as Kind]],
  [
    "fraction",
    ({ fraction, size, reduceOnly }, kind) => {
      if (fraction === 0) return false;
      if (kind === "twap" || kind === "oto" || kind === "otoco") return true;
      return size !== 0 || !reduceOnly || fraction < 0 || fraction > ALL;
    },
  ],
  ["source", ({ source }, kind) => source !== 0 && (kind === "twap" || LEGS[kind as Kind] > 0)],
  ...WATCHES,
  ["orderType", ({ orderType }, kind) => (kind === "twap" ? orderType !== MARKET : kind === "oco" && orderType !== 0)],
  ["price", ({ price }, kind) => kind === "oco" && price !== 0],
  ["slippage", ({ slippage }, kind) => kind === "oco" && slippage !== 0],
  ["timeInForce", ({ timeInForce }, kind) => kind === "oco" && timeInForce !== 0],
  ["postOnly", ({ postOnly }, kind) => kind === "oco" && postOnly !== 0],
  ["interval", ({ interval }, kind) => (kind === "twap" ? interval <= 0 : interval !== 0)],
  [
    "duration",
    ({ duration, interval }, kind) => (kind === "twap" ? duration <= 0 || duration % interval !== 0 : duration !== 0),
  ],
];

/** The first field of an intent, then of its legs, that is refused or missing in its kind (INT-3). */
export function findMisfit(payload: Payload): Misfit | undefined {
  const kind = INTENT_KINDS[payload.kind]!;
  const row = ROWS.find(([, misfits]) => misfits(payload, kind));
  if (row !== undefined) return { field: row[0], kind };
  for (const [leg, of] of payload.legs.entries()) {
    const kind = TRIGGER_KINDS[of.kind]!;
    const row = WATCHES.find(([, misfits]) => misfits(of, kind));
    if (row !== undefined) return { field: `legs.${row[0]}`, kind, leg };
  }
  return undefined;
}
