import { PPB } from "../../math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import { INTENT_KIND, ORDER_TYPE } from "../../protocol/words.ts";

type PlaceIntent = Payloads["placeIntent"];
type Leg = PlaceIntent["legs"][number];

/** Legs that a kind takes. */
const LEGS = { [INTENT_KIND.oco]: 2, [INTENT_KIND.oto]: 1, [INTENT_KIND.otoco]: 2 } as Readonly<Record<number, number>>;

/**
 * The first field that does not fit the kind of an intent: missing where the kind needs it, or given where it means
 * nothing. Undefined where all fit. It knows no market and no account.
 */
export function findFault(intent: PlaceIntent): string | undefined {
  const { kind } = intent;
  const group = kind >= INTENT_KIND.oco;
  if (intent.legs.length !== (LEGS[kind] ?? 0)) return "legs";
  if (intent.size !== 0 ? intent.fraction !== 0 : !mayBeFraction(intent)) return "fraction";
  if (group ? intent.trigger !== 0 : false) return "trigger";
  if (group && (intent.trail !== 0 || intent.trailRate !== 0)) return "trail";
  if (kind === INTENT_KIND.oco && (intent.price !== 0 || intent.slippage !== 0)) return "price";
  if (kind === INTENT_KIND.twap) return findScheduleFault(intent);
  if (intent.duration !== 0) return "duration";
  if (intent.interval !== 0) return "interval";
  if (!group) return findLegFault(intent);
  for (const leg of intent.legs) {
    const fault = findLegFault(leg);
    if (fault !== undefined) return `legs.${fault}`;
  }
  return undefined;
}

/** A share of the position is for what only reduces and stands alone, or in a pair. An empty size is its own fault. */
function mayBeFraction({ kind, fraction, reduceOnly }: PlaceIntent): boolean {
  if (fraction === 0) return true;
  if (kind === INTENT_KIND.twap || kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco) return false;
  return reduceOnly && fraction > 0 && fraction <= PPB;
}

function findLegFault(leg: Pick<Leg, "kind" | "trigger" | "trail" | "trailRate">): string | undefined {
  const trails = leg.kind === INTENT_KIND.trailingStop;
  if (trails === (leg.trigger !== 0)) return "trigger";
  const distances = (leg.trail === 0 ? 0 : 1) + (leg.trailRate === 0 ? 0 : 1);
  if (distances !== (trails ? 1 : 0)) return "trail";
  return leg.trailRate < 0 || leg.trailRate >= PPB ? "trailRate" : undefined;
}

function findScheduleFault(intent: PlaceIntent): string | undefined {
  if (intent.trigger !== 0) return "trigger";
  if (intent.trail !== 0 || intent.trailRate !== 0) return "trail";
  if (intent.orderType !== ORDER_TYPE.market) return "orderType";
  if (intent.interval === 0) return "interval";
  return intent.duration === 0 || intent.duration % intent.interval !== 0 ? "duration" : undefined;
}
