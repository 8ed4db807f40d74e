import { EVENT_CODES, type EventOf, type VenueEvent } from "./events.ts";

/**
 * Events with which a liquidation step begins: the first of its record, or a later one (LIQ). They have the same
 * fields.
 */
export const LIQUIDATION_STEP_KINDS = ["liquidationStarted", "liquidationContinued"] as const;

export type LiquidationStepEvent = EventOf<(typeof LIQUIDATION_STEP_KINDS)[number]>;

/** Whether a liquidation step begins with an event. */
export function isLiquidationStep(event: VenueEvent): event is LiquidationStepEvent {
  return event.kind === "liquidationStarted" || event.kind === "liquidationContinued";
}

/** The same, by the code of its kind. */
export function isLiquidationStepCode(code: number): boolean {
  return code === EVENT_CODES.liquidationStarted || code === EVENT_CODES.liquidationContinued;
}
