import { DOMAINS } from "./action.ts";
import { BALANCE_CAUSES, CANCEL_CAUSES, CLOSE_KINDS, INSURANCE_CAUSES, LIQUIDATION_STAGES } from "./events.ts";
import { MARGIN_MODES, POST_ONLY_MODES, ROLES, SIDES } from "./words.ts";

/** The words of the event fields that are places in a list, by kind and field. A test holds it complete. */
export const EVENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  "accountCreated.role": ROLES,
  "marginChanged.mode": MARGIN_MODES,
  "nonceAdvanced.domain": DOMAINS,
  "balanceChanged.cause": BALANCE_CAUSES,
  "orderOpened.side": SIDES,
  "orderOpened.postOnly": POST_ONLY_MODES,
  "orderResized.cause": CANCEL_CAUSES,
  "orderCancelled.cause": CANCEL_CAUSES,
  "fill.takerSide": SIDES,
  "printed.side": SIDES,
  "insuranceChanged.cause": INSURANCE_CAUSES,
  "liquidationStage.stage": LIQUIDATION_STAGES,
  "deleveraged.way": CLOSE_KINDS,
};
