import type { IntentStatus } from "../../client/api/schemas/orders.ts";
import { INTENT_STATE, INTENT_STATES } from "../../protocol/words.ts";
import { INTENT_COLUMNS, type IntentRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { Model, Reactions } from "./model.ts";
import { Queue } from "./queue.ts";

/** An intent, live or ended, with the values of its columns. */
export interface IntentRecord {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly client: string;
  readonly values: Record<(typeof INTENT_COLUMNS)[number], number>;
  /** Undefined for an intent that was placed before the kept blocks. */
  readonly placedHeight: number | undefined;
  /** Its changes of status with their heights, oldest first. */
  readonly trail: { readonly height: number; readonly status: IntentStatus }[];
  endedHeight: number | undefined;
  /** Index in INTENT_CAUSES, -1 for none. */
  cause: number;
  /** Index in the codes of rejections, -1 for none. */
  code: number;
  /** Lots that its order did not fill; undefined unless it was executed. */
  unfilled: number | undefined;
  /** Lots of the position that it no longer protects, positive if long; undefined unless it failed. */
  position: number | undefined;
}

/** Fields of the event that ends an intent. */
interface Ending {
  readonly filled?: number;
  readonly unfilled?: number;
  readonly position?: number;
  readonly code?: number;
  readonly cause?: number;
}

/** Intents: all live ones, and the newest ended ones. */
export class IntentPasts implements Model {
  readonly #most: number;
  readonly #byId = new Map<number, IntentRecord>();
  readonly #ofAccount = new Map<number, Set<IntentRecord>>();
  readonly #ended = new Queue<IntentRecord>();
  /** Height at which the newest dropped one ended. */
  forgottenHeight = 0;

  constructor(most: number) {
    this.#most = most;
  }

  find(id: number): IntentRecord | undefined {
    return this.#byId.get(id);
  }

  ofAccount(account: number): Iterable<IntentRecord> {
    return this.#ofAccount.get(account) ?? [];
  }

  readonly on: Reactions = {
    intentPlaced: (event, { entry, height }) => {
      const { kind: _kind, intent: id, way, client, ...fields } = event;
      const armedHeight = event.state === INTENT_STATE.armed ? height : 0;
      this.#add({
        id,
        account: event.account,
        market: event.market,
        client: client < 0 ? "" : entry.texts[client]!,
        values: { ...fields, id, kind: way, filled: 0, sliced: 0, armedHeight },
        placedHeight: height,
        trail: [{ height, status: INTENT_STATES[event.state]! }],
        endedHeight: undefined,
        cause: -1,
        code: -1,
        unfilled: undefined,
        position: undefined,
      });
    },
    intentArmed: ({ intent, size, trigger, extreme }, { height }) => {
      const record = this.#byId.get(intent);
      if (record === undefined) return;
      if (record.values.state === INTENT_STATE.waiting) record.values.armedHeight = height;
      Object.assign(record.values, { size, trigger, extreme });
      note(record, INTENT_STATE.armed, height);
    },
    intentTrailed: ({ intent, trigger, extreme }) => {
      Object.assign(this.#byId.get(intent)?.values ?? {}, { trigger, extreme });
    },
    intentResized: ({ intent, state, size, filled }, { height }) => {
      const record = this.#byId.get(intent);
      if (record === undefined) return;
      Object.assign(record.values, { size, filled });
      note(record, state, height);
    },
    intentTriggered: ({ intent, size }, { height }) => {
      const record = this.#byId.get(intent);
      if (record === undefined) return;
      record.values.size = size;
      note(record, INTENT_STATE.triggered, height);
    },
    intentSliced: ({ intent, slice, left, filled }) => {
      Object.assign(this.#byId.get(intent)?.values ?? {}, { sliced: slice, size: left, filled });
    },
    intentExecuted: ({ intent, filled, unfilled }, { height }) =>
      this.#end(intent, height, "executed", { filled, unfilled }),
    intentFailed: ({ intent, code, position }, { height }) => this.#end(intent, height, "failed", { code, position }),
    intentCancelled: ({ intent, cause }, { height }) => this.#end(intent, height, "cancelled", { cause }),
    intentExpired: ({ intent }, { height }) => this.#end(intent, height, "expired", {}),
  };

  settle(state: State): void {
    const { intents } = state;
    for (let at = 0; at < intents.rows.high; at++) {
      const row = at as IntentRow;
      if (!intents.rows.isLive(row) || this.#byId.has(intents.id[row]!)) continue;
      const values = Object.fromEntries(INTENT_COLUMNS.map((column) => [column, intents[column][row]!]));
      this.#add({
        id: intents.id[row]!,
        account: intents.account[row]!,
        market: intents.market[row]!,
        client: state.intentTexts[row] ?? "",
        values: values as IntentRecord["values"],
        placedHeight: undefined,
        trail: [{ height: 0, status: INTENT_STATES[intents.state[row]!]! }],
        endedHeight: undefined,
        cause: -1,
        code: -1,
        unfilled: undefined,
        position: undefined,
      });
    }
  }

  #add(record: IntentRecord): void {
    this.#byId.set(record.id, record);
    let own = this.#ofAccount.get(record.account);
    if (own === undefined) {
      own = new Set();
      this.#ofAccount.set(record.account, own);
    }
    own.add(record);
  }

  #end(
    id: number,
    height: number,
    status: IntentStatus,
    { filled, unfilled, position, code = -1, cause = -1 }: Ending,
  ): void {
    const record = this.#byId.get(id);
    if (record === undefined) return;
    if (filled !== undefined) record.values.filled = filled;
    record.unfilled = unfilled;
    record.position = position;
    record.code = code;
    record.cause = cause;
    record.endedHeight = height;
    record.trail.push({ height, status });
    this.#ended.push(record);
    if (this.#ended.length <= this.#most) return;
    const oldest = this.#ended.shift()!;
    this.#byId.delete(oldest.id);
    this.#ofAccount.get(oldest.account)!.delete(oldest);
    this.forgottenHeight = oldest.endedHeight!;
  }
}

/** Status of an intent at a height; undefined if it did not exist yet. */
export function getStatusAt({ trail }: IntentRecord, height: number): IntentStatus | undefined {
  let found: IntentStatus | undefined;
  for (const step of trail) if (step.height <= height) found = step.status;
  return found;
}

function note(record: IntentRecord, state: number, height: number): void {
  record.values.state = state;
  const status = INTENT_STATES[state]!;
  if (record.trail.at(-1)!.status !== status) record.trail.push({ height, status });
}
