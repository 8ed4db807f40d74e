/**
 * Codes of transactions that did not apply. The order of each table is the order of precedence: of several faults the
 * first listed is reported (ACT-2). A code's place is part of the effects chain, so tables only grow at their end until
 * the protocol version changes.
 */

/** Not admissible: leaves no trace but a receipt (NON-3). */
export const INVALID_CODES = {
  WRONG_NETWORK: "The header names another network.",
  WRONG_VERSION: "The header names another protocol or envelope version.",
  INVALID_SIGNATURE: "The signature is invalid.",
  NOT_AUTHORITY: "The signer is not the authority that the action needs.",
  ACCOUNT_NOT_FOUND: "The account does not exist: it never received a deposit, mint or transfer.",
  AUTHORIZATION_MISSING: "The signer is not the owner and names no existing grant.",
  AUTHORIZATION_FOREIGN: "The grant belongs to another owner or another agent, or the owner itself names a grant.",
  AUTHORIZATION_NOT_YET_VALID: "The grant is not valid yet.",
  AUTHORIZATION_EXPIRED: "The grant has expired.",
  AUTHORIZATION_REVOKED: "The grant was revoked.",
  AUTHORIZATION_EXHAUSTED: "The grant's notional is used up, and the grant ends before the next day.",
  WRONG_DOMAIN: "The action does not belong to the header's nonce domain.",
  VALIDITY_TOO_LONG: "validUntil is too far from validFrom.",
  NOT_YET_VALID: "validFrom is above this height.",
  EXPIRED: "validUntil is below this height.",
  NONCE_TOO_LOW: "The nonce is below the nonces that the lane accepts; in a sequential lane it was used before.",
  NONCE_USED: "The nonce is in the window of the lane and was used before.",
  NONCE_GAP: "An earlier nonce of the lane is still missing, or the nonce is beyond the window of the lane.",
} as const;

/** Committed and rejected: the nonce is used, nothing else changed. */
export const REJECTION_CODES = {
  AUTHORIZATION_SCOPE: "The grant does not cover the action; the numbers name the missing scope.",
  AUTHORIZATION_SUBACCOUNT: "The grant does not cover the subaccount; the numbers name it.",
  AUTHORIZATION_MARKET: "The grant does not cover the market; the numbers name it.",
  MARKET_NOT_FOUND: "No market has this name.",
  SOURCE_NOT_FOUND: "The market has no such price source; without sources it takes a plain price.",
  MARKET_EXISTS: "A market has this name already.",
  FEATURE_DISABLED: "Genesis does not enable the feature; the numbers name it.",
  CARRIED_INVALID: "The carried action is malformed, or is not an action of an account; the numbers name the place.",
  PARAMETER_INVALID: "A market parameter is refused; the numbers name it.",
  GRANT_INVALID: "A field of a grant is refused; the numbers name it.",
  GRANT_NOT_FOUND: "The owner made no grant with this id.",
  STATUS_NOT_REACHABLE: "The market cannot change from its status to this one, or cannot start in it.",
  NOT_HOUSE: "The account does not exist or is not a house account.",
  STEPS_MALFORMED: "The packed steps of a house flow are malformed.",
  MARKET_CLOSED: "The market's status does not allow the action.",
  OPERATION_PAUSED: "The operator paused the operation in the market; the numbers name both.",
  MARKET_RESTARTING:
    "After a gap between blocks the market waits for a fresh price: it takes only post-only orders, and no collateral leaves.",
  INTENT_MALFORMED: "The fields do not fit the kind of the intent; the numbers name the first that does not.",
  ORDER_NOT_FOUND: "No open order has this id.",
  NOT_ORDER_OWNER: "The order belongs to another account.",
  INTENT_NOT_FOUND: "No armed intent has this id, or no intent of the subaccount has this name.",
  NOT_INTENT_OWNER: "The intent belongs to another account.",
  POSITION_NOT_FOUND: "There is no position to close.",
  POSITION_NOT_ISOLATED: "The account has no isolated position in the market.",
  MARGIN_MODE_FIXED: "Positions of house and backstop accounts are cross.",
  MARKET_IN_USE: "The account has open orders or intents in the market.",
  NOTHING_TO_DO: "The action would change nothing.",
  PRICE_UNAVAILABLE: "The market has no reference price yet.",
  PRICE_REQUIRED: "A limit order needs a price, a market order a price or a slippage bound, a settlement a price.",
  EXPIRY_MISMATCH: "A GTT order needs a last height or time; an order with another time in force must have neither.",
  EXPIRY_PASSED: "The last height or time of the order is before this block.",
  TIME_TOO_SOON: "The time is not far enough ahead of the block's.",
  SLIPPAGE_TOO_LARGE: "The slippage bound is beyond what the market allows.",
  SIZE_NOT_POSITIVE: "The size is zero.",
  OFF_LOT: "The size is not a multiple of the lot.",
  OFF_TICK: "The price is not a multiple of the tick.",
  NUMERIC_LIMIT: "A quantity would exceed the storable range.",
  SIZE_TOO_SMALL: "The size is below the market's smallest.",
  SIZE_TOO_LARGE: "The size is above the market's largest.",
  NOTIONAL_TOO_SMALL: "The value is below the market's smallest.",
  PRICE_OUT_OF_BAND: "The price is outside the market's band.",
  TRIGGER_PASSED: "The price has already passed the trigger.",
  LEVERAGE_OUT_OF_RANGE: "The leverage is not between 1 and what the first tier allows.",
  CLIENT_ORDER_ID_USED: "An open order of the subaccount has this client order id.",
  OPEN_ORDERS_LIMIT: "The subaccount has as many open orders as the market allows.",
  INTENTS_LIMIT: "The subaccount would have more intents than the venue allows.",
  REDUCE_ONLY_WOULD_INCREASE: "A reduce-only order would not reduce the position.",
  POST_ONLY_WITH_TAKING: "Post-only is refused for an order that can only take.",
  POST_ONLY_WOULD_TAKE: "A post-only order would take.",
  PRICE_NOT_VALID: "The price of a market is not trusted enough for the action; the numbers give the reason.",
  AUTHORIZATION_ORDER_LIMIT: "The order's value is above what the grant allows.",
  AUTHORIZATION_POSITION_LIMIT: "Position and resting orders would be worth more than the grant allows.",
  AUTHORIZATION_DAILY_LIMIT: "Orders of the day would be worth more than the grant allows.",
  AUTHORIZATION_OPEN_ORDERS: "The grant has as many resting orders as it allows.",
  EXPOSURE_FROZEN: "The market takes no new exposure now.",
  INSUFFICIENT_MARGIN: "Equity would not cover the initial margin.",
  ORDER_KILLED: "A fill-or-kill order of an atomic batch would not fill whole.",
  INSUFFICIENT_FREE_COLLATERAL: "Less collateral is free to leave than requested.",
  WITHDRAWALS_PAUSED: "Withdrawals are paused after a deficit, up to the height that the numbers name.",
  OUTFLOW_LIMIT: "The withdrawal exceeds the venue's limit of this hour or day; the numbers name the window.",
  SAME_ACCOUNT: "Source and destination are the same account.",
  FIELD_REFUSED:
    "A field is given that has no effect in this action or with its other fields (ACT-3); the numbers name it.",
  AUTHORIZATION_EXPIRED: "The grant under which an intent was placed has expired.",
  AUTHORIZATION_REVOKED: "The grant under which an intent was placed was revoked.",
  AUTHORIZATION_EXHAUSTED: "The grant under which an intent was placed is exhausted.",
} as const;

/** Codes that came later and are reported as if they were right after another one. */
const REPORTED_AFTER: Readonly<Partial<Record<keyof typeof REJECTION_CODES, keyof typeof REJECTION_CODES>>> = {
  FIELD_REFUSED: "INTENT_MALFORMED",
};

/** Codes that the result of an accepted order may carry: the transaction is applied. */
export const RESULT_CODES = {
  REDUCE_ONLY_CUT: "Lots of a reduce-only order that exceed the position left were cancelled at entry (ORD-9).",
} as const;

export type ResultCode = keyof typeof RESULT_CODES;
export type InvalidCode = keyof typeof INVALID_CODES;
export type RejectionCode = keyof typeof REJECTION_CODES;

export const INVALID_NAMES = Object.keys(INVALID_CODES) as InvalidCode[];
export const REJECTION_NAMES = Object.keys(REJECTION_CODES) as RejectionCode[];
/** Place of each code in its table. */
export const INVALID_PLACES = places(INVALID_NAMES);
export const REJECTION_PLACES = places(REJECTION_NAMES);

/** Precedence of each rejection: of several, the one with the least number is reported. */
export const REJECTION_PRECEDENCE = places(
  REJECTION_NAMES.filter((name) => REPORTED_AFTER[name] === undefined).flatMap((name) => [
    name,
    ...REJECTION_NAMES.filter((late) => REPORTED_AFTER[late] === name),
  ]),
);

function places<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, place) => [name, place])) as Record<Name, number>;
}

/** The numbers that a rejection compared, by name; texts where a number has none. */
export type RejectionNumbers = Readonly<Record<string, number | string>>;
