import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import { type ActionResult, ORDER_OUTCOMES } from "../../../protocol/receipt.ts";
import type { RejectionCode, RejectionNumbers } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { AccountRow, AuthorizationRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Context of a handler's transaction, apart from the payload. */
export interface ActionContext {
  /** Acting account; NONE for system actions. */
  account: AccountRow;
  /** Grant under which an agent signed; NONE where the owner or an authority did. */
  grant: AuthorizationRow;
  /** Undefined for the order of an intent. */
  transaction: Transaction | undefined;
  /** Order ids of this transaction start here (see `ORDERS_PER_TRANSACTION`). */
  firstOrderId: number;
  /** Set by `apply` for the receipt: the outcome of the action's order (ORDER_OUTCOME), NONE for no order. */
  outcome: number;
  orderId: number;
  /** Set by `apply`: the cause (CANCEL_CAUSE) that stopped the action's order early, or NOT_STOPPED. */
  stopped: number;
  /** Set by `apply` for the receipt: the lots of the action's order that were cancelled at entry (ORD-9). */
  cut: ResultNote | undefined;
  /** Set by `apply` for the receipt, where the action has parts. */
  results: ActionResult[] | undefined;
  /** Set by an `apply` that ran as an attempt and was undone (`state/attempt.ts`): then the action is rejected. */
  refused: Rejection | undefined;
  /** Set by `apply`: a user's transaction to execute after this one. The receipt reports its result instead. */
  carried: Transaction | undefined;
}

/** Code and numbers that the result of an order carries in addition to its outcome. */
export type ResultNote = Pick<Required<ActionResult>, "code" | "numbers">;

/** The result of an action's one order. */
export function createResult({ orderId, outcome, cut }: ActionContext): ActionResult {
  return { orderId, status: ORDER_OUTCOMES[outcome]!, ...cut };
}

/** Order ids reserved for each committed transaction: id = committed before it * 64 + leg. */
export const ORDERS_PER_TRANSACTION = 64;

/** Why an action is rejected, with the numbers that were compared. */
export interface Rejection {
  readonly rejected: true;
  readonly code: RejectionCode;
  readonly numbers: RejectionNumbers | undefined;
}

export function reject(code: RejectionCode, numbers?: RejectionNumbers): Rejection {
  return { rejected: true, code, numbers };
}

/** A plan that `apply` carries out; every plan says that it is not a rejection. */
export interface Plan {
  readonly rejected: false;
}

export interface Handler<Payload, P extends Plan> {
  /** Reads, and returns a reason or a plan. Writes nothing. */
  check(state: State, context: ActionContext, payload: Payload): P | Rejection;
  /** Carries the plan out. Cannot refuse, unless all that it does runs as one attempt. */
  apply(state: State, context: ActionContext, plan: P): void;
}

export type AnyHandler = Handler<unknown, Plan>;

/** Ties a handler to its action, so that the payload's type follows. */
export function defineHandler<A extends ActionName>(_action: A) {
  return <P extends Plan>(handler: Handler<Payloads[A], P>): AnyHandler => handler as unknown as AnyHandler;
}
