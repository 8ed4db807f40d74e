import type { Payloads } from "../../protocol/actions/index.ts";
import { TRIGGER_KINDS } from "../words.ts";

type Payload = Payloads["placeIntent"];
type Leg = Payload["legs"][number];

/** Legs of each kind of group. */
const LEGS = { oco: 2, oto: 1, otoco: 2 } as const;
const ALL = 1_000_000_000;

/** Whether the fields of an intent fit its kind: nothing is missing, nothing is given where it means nothing (INT). */
export function isWellFormed(payload: Payload, kind: string): boolean {
  const { size, fraction, reduceOnly, legs, duration, interval, orderType } = payload;
  if (kind !== "twap" && (duration !== 0 || interval !== 0)) return false;
  if (fraction !== 0 && (size !== 0 || !reduceOnly || fraction < 0 || fraction > ALL)) return false;
  if (kind === "oco" || kind === "oto" || kind === "otoco") {
    if (legs.length !== LEGS[kind] || !legs.every(isLegWellFormed)) return false;
    if (watchesAnything(payload)) return false;
    if (kind === "oco") return payload.price === 0 && payload.slippage === 0;
    return fraction === 0;
  }
  if (legs.length !== 0) return false;
  if (kind !== "twap") return isTriggerWellFormed(payload, kind);
  if (fraction !== 0 || watchesAnything(payload)) return false;
  const isMarket = orderType === 1;
  return isMarket && interval > 0 && duration > 0 && duration % interval === 0;
}

function isLegWellFormed(leg: Leg): boolean {
  return isTriggerWellFormed(leg, TRIGGER_KINDS[leg.kind]!);
}

/** A trailing stop has one distance and no trigger, the others have a trigger and no distance. */
function isTriggerWellFormed(
  { trigger, trail, trailRate }: Pick<Leg, "trigger" | "trail" | "trailRate">,
  kind: string,
): boolean {
  if (kind !== "trailingStop") return trigger !== 0 && trail === 0 && trailRate === 0;
  if (trigger !== 0 || trailRate < 0 || trailRate >= ALL) return false;
  return (trail !== 0) !== (trailRate !== 0);
}

function watchesAnything({ trigger, trail, trailRate }: Payload): boolean {
  return trigger !== 0 || trail !== 0 || trailRate !== 0;
}
