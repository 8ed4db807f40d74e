/** Amendments of orders, and closes of positions. */
import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { SIDE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import type { Choices } from "./choices.ts";
import { accepts, findEdge, keepStorable, near, readAim } from "./edges.ts";
import { drawExpiry, SLIPPAGES } from "./orders.ts";
import { NAMES, nameOrder } from "./references.ts";
import { drawTicks } from "./ticks.ts";

/** Amends an order: its size, its price, both or neither. */
export function drawAmend(builder: BlockBuilder, choices: Choices, account: AccountRow): Payloads["amendOrder"] {
  const { state } = builder;
  const { row, id, text } = nameOrder(builder, account, choices);
  const named = { orderId: id, clientOrderId: text };
  if (row === NONE) return { ...named, size: 1e8, price: 1e8, ...NEVER } as unknown as Payloads["amendOrder"];
  const position = state.orders.position[row]!;
  const market = state.positions.market[position]!;
  const rules = state.parameters[market]!;
  const remaining: number = state.orders.remaining[row]!;
  const side = state.orders.flags[row]! & 1;
  const what = choices.next();
  const off = (what >> 4) % 16;
  const keepsPrice = what % 2 === 0;
  const amend = (lots: number, ticks: number) => ({
    ...named,
    size: keepStorable(lots * rules.lotSize + (off === 15 ? 1 : 0)),
    price: keepStorable(ticks * rules.tickSize + (off === 14 ? 1 : 0)),
    ...NEVER,
  });
  const tries = (lots: number, ticks: number) => accepts(state, account, "amendOrder", amend(lots, ticks));
  const aim = readAim(choices);
  const ticks = keepsPrice ? 0 : drawTicks(builder, aim, market, side, (at) => tries(0, at));
  const lots = choices.pick([
    Math.max(1, remaining - 1),
    0,
    remaining,
    remaining + 1,
    Math.ceil(remaining / 2),
    2 * remaining,
    -1,
  ]);
  const size =
    lots >= 0
      ? lots
      : near(
          choices,
          findEdge(1, 2 * rules.maxLots, (count) => tries(count, ticks)),
        );
  const expires = (what >> 1) % 8 === 7 ? drawExpiry(builder, choices, account) : NEVER;
  return { ...amend(size, ticks), ...expires } as unknown as Payloads["amendOrder"];
}

const NEVER = { goodTilHeight: 0, goodTilTime: 0 } as const;

/** Closes a position; zeros close all of it at the market. */
export function drawClose(
  builder: BlockBuilder,
  choices: Choices,
  account: AccountRow,
  market: MarketRow,
  name: string,
): Payloads["closePosition"] {
  const rules = builder.state.parameters[market]!;
  const signedLots = builder.scene.signedLotsOf(account, market);
  const open = Math.abs(signedLots);
  const lots = choices.pick([0, 0, open, 1, Math.ceil(open / 3), open + 1, Math.max(0, open - 1)]);
  const detail = choices.next();
  const side = signedLots > 0 ? SIDE.sell : SIDE.buy;
  const offer = (ticks: number) =>
    accepts(builder.state, account, "closePosition", {
      market: name,
      size: 0,
      price: ticks * rules.tickSize,
      slippage: 0,
      clientOrderId: "",
    });
  const ticks = detail % 2 === 0 ? 0 : drawTicks(builder, readAim(choices), market, side, offer);
  return {
    market: name,
    size: keepStorable(lots * rules.lotSize + (detail >> 8 === 255 ? 1 : 0)),
    price: keepStorable(ticks * rules.tickSize + (detail >> 8 === 254 ? 1 : 0)),
    slippage: SLIPPAGES[(detail >> 1) % (detail < 0xf000 ? 2 : SLIPPAGES.length)]!,
    clientOrderId: NAMES[(detail >> 4) % NAMES.length]!,
  } as unknown as Payloads["closePosition"];
}
