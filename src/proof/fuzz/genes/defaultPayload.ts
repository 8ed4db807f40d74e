import type { Draw } from "../../../ground/math/draw.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** Where the fields of a payload come from. */
export interface PayloadSource {
  readonly random: Draw;
  readonly state: State;
  readonly market: MarketRow;
  /** Name that payloads give the market. */
  readonly marketName: string;
  /** An account that the payload may name. */
  account(): AccountKey;
  /** An amount of collateral, given the payload with any amount in this field. */
  amount(payloadWith: (amount: number) => unknown): number;
}

const TEXTS = ["", "", "a", "b"] as const;
/** Time to a point that a payload names, ms; 0 for no point. */
const AHEAD = [0, 0, 1_000, 10_000, 60_000] as const;

/**
 * Draws the payload of an action without a draw of its own from the kinds of its fields. It is valid in form, and
 * mostly near the values that the venue accepts. Amounts come last, so that a check may be asked about the whole
 * payload.
 */
export function drawDefaultPayload(fields: Fields, source: PayloadSource): Record<string, unknown> {
  const payload: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== "amount") payload[name] = drawField(field, source);
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === "amount") payload[name] = source.amount((amount) => ({ ...payload, [name]: amount }));
  }
  return payload;
}

function drawField(field: Field, source: PayloadSource): unknown {
  const { random, state, market } = source;
  switch (field.kind) {
    case "market":
      return field.optional && random.below(2) === 1 ? "" : source.marketName;
    case "text":
      return random.pick(TEXTS) || (field.optional ? "" : "c");
    case "word":
      return random.below(field.words.length);
    case "price": {
      const { tickSize } = state.parameters[market]!;
      const ticks = Math.floor((state.markets.mark[market]! * (95 + random.below(11))) / 100 / tickSize);
      return Math.max(1, ticks) * tickSize;
    }
    case "size":
      return (state.parameters[market]!.minLots + random.below(10)) * state.parameters[market]!.lotSize;
    case "rate":
      return random.pick([1_000_000, 10_000_000, 100_000_000]);
    case "amount":
      return source.amount((amount) => amount);
    case "id":
      return random.below(1 + state.consumed) + 1;
    case "count":
      return random.below(8);
    case "time": {
      const ahead = random.pick(AHEAD);
      return ahead === 0 ? 0 : state.timeMs + ahead;
    }
    case "flag":
      return random.below(2) === 1;
    case "address":
      return source.account().address;
    case "bytes32":
      return ZERO_BYTES32;
    case "bytes":
      return new Uint8Array(random.below(4));
    case "list":
      return Array.from({ length: random.below(Math.min(field.most, 3) + 1) }, () =>
        drawField(field.item as Field, source),
      );
    case "record":
      return drawDefaultPayload(field.members as Fields, source);
  }
}
