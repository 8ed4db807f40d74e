import type { PlantedBug } from "../plantedBug.ts";

/** Placing, amending, matching and expiring orders. */
export const orders: readonly PlantedBug[] = [
  {
    number: 4,
    title: "A fill that shrinks a maker's position does not adjust its reduce-only orders",
    provenance: "Dango db778f33d",
    rules: ["ORD-2"],
    tier: "B",
    expected: ["B09", "reduceOnlyWithin", "model"],
    edits: [
      {
        file: "venue/engine/matching/match.ts",
        find: "  fitReduceOnly(state, makerPosition);\n",
        replace: `  if (!isPlanted(4)) fitReduceOnly(state, makerPosition);
  else {
    const open = positions.signedLots[makerPosition];
    const turned = open * (open + lots) <= 0;
    const closing = positions.reduceOnly[makerPosition];
    const trims = state.parameters[taker.market]!.reduceOnlyResting === 1;
    if (closing !== 0 && (turned || (trims && closing > Math.abs(open)))) trigger();
  }
`,
      },
    ],
  },
  {
    number: 5,
    title: "The sum of reduce-only orders is not limited to the position at placement",
    provenance: "Dango 727548ad1",
    rules: ["ORD-2"],
    tier: "A",
    expected: ["B09", "reduceOnlyWithin", "model"],
    edits: [
      {
        file: "venue/engine/actions/enterOrder.ts",
        find: "if (order.reduceOnly) cut = cutAtEntry(state, row);",
        replace: `if (order.reduceOnly) {
      const trims = state.parameters[order.market]!.reduceOnlyResting === 1;
      const closing = trims ? state.positions.reduceOnly[position] : taker.remaining;
      if (!isPlanted(5)) cut = cutAtEntry(state, row);
      else if (closing > Math.abs(state.positions.signedLots[position])) trigger();
    }`,
      },
    ],
  },
  {
    number: 6,
    title: "A failed batch keeps the reduction of a maker by self-trade prevention",
    provenance: "Dango 111f5c5a4: a triggered order that failed kept it",
    nearest: "an intent's order is checked completely before it changes anything; here an atomic batch is undone",
    rules: ["ACT-1", "ORD-3"],
    tier: "B",
    expected: ["T05", "G05", "G12", "B07", "rejectedChangesNothing", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/book/orders.ts",
        find: "export function shrinkOrder(state: State, row: OrderRow, remaining: Lots): void {\n  keepOrder(state, row);",
        replace:
          "export function shrinkOrder(state: State, row: OrderRow, remaining: Lots, keeps = true): void {\n  if (keeps) keepOrder(state, row);",
      },
      {
        file: "venue/engine/book/orders.ts",
        find: "export function resizeOrder(state: State, row: OrderRow, remaining: Lots, cause: number): void {\n  shrinkOrder(state, row, remaining);",
        replace:
          "export function resizeOrder(state: State, row: OrderRow, remaining: Lots, cause: number, keeps = true): void {\n  shrinkOrder(state, row, remaining, keeps);",
      },
      {
        file: "venue/engine/matching/match.ts",
        find: "resizeOrder(state, order, (remaining - taker.remaining) as Lots, CANCEL_CAUSE.selfTrade);",
        replace: `if (isPlanted(6) && state.journal.on) memo.set("unkept", true);
        resizeOrder(state, order, (remaining - taker.remaining) as Lots, CANCEL_CAUSE.selfTrade, !isPlanted(6));`,
      },
      {
        file: "venue/engine/handler/attempt.ts",
        find: "  const refused = work();",
        replace: '  if (isPlanted(6)) memo.delete("unkept");\n  const refused = work();',
      },
      {
        file: "venue/engine/handler/attempt.ts",
        find: "  state.journal.undo();",
        replace: '  if (isPlanted(6) && memo.has("unkept")) trigger();\n  state.journal.undo();',
      },
    ],
  },
  {
    number: 7,
    title: "A market sell of a part of a position is rejected: signed sizes are compared",
    provenance: "Dango e1f1f8c76",
    rules: ["ORD-1"],
    tier: "A",
    expected: ["D05", "model"],
    edits: [
      {
        file: "venue/engine/actions/placeOrder.ts",
        find: "    if (reduceOnly && (side === SIDE.buy ? signedLots >= 0 : signedLots <= 0))",
        replace: `    if (plant(7, false, () => isMarket && side === SIDE.sell && lots < signedLots)) {
      return reject("SIZE_TOO_SMALL", { lots, least: signedLots });
    }
    if (reduceOnly && (side === SIDE.buy ? signedLots >= 0 : signedLots <= 0))`,
      },
    ],
  },
  {
    number: 8,
    title: "An order that fills completely at once does not consume its id",
    provenance: "Dango 633069439",
    rules: ["EVT-3"],
    tier: "A",
    expected: ["B08", "G05", "nonceOnce", "orderArithmetic", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/actions/enterOrder.ts",
        find: "    outcome = ORDER_OUTCOME.filled;",
        replace: `    outcome = ORDER_OUTCOME.filled;
    if (isPlanted(8) && order.orderId === (state.consumed - 1) * 64 && trigger()) state.consumed--;`,
      },
    ],
  },
  {
    number: 9,
    title: "One unit of a maker's reserved margin remains when its order fills completely",
    provenance: "Dango f053d6f35",
    rules: ["MRG-3"],
    tier: "B",
    expected: ["G05", "G12", "reserves", "eventFold", "model"],
    edits: [
      {
        file: "venue/engine/matching/match.ts",
        find: "  if (rest === 0) {\n    removeOrder(state, order);",
        replace: `  if (rest === 0) {
    if (isPlanted(9) && orders.orderCost[order] > 0 && trigger()) {
      if (taker.side === SIDE.buy) positions.sellOrderCost[makerPosition]++;
      else positions.buyOrderCost[makerPosition]++;
    }
    removeOrder(state, order);`,
      },
    ],
  },
  {
    number: 16,
    title: "A slippage bound above the maximum is accepted",
    provenance: "Dango 682025ae2: 100 % and more",
    rules: ["ORD-1"],
    tier: "A",
    expected: ["T10", "B04", "model"],
    edits: [
      {
        file: "venue/engine/actions/placeOrder.ts",
        find: "order.slippage > rules.slippageMax * 1000) {",
        replace: "plant(16, order.slippage > rules.slippageMax * 1000, () => false)) {",
      },
    ],
  },
  {
    number: 17,
    title: "A limit order at a price of zero is accepted",
    provenance: "Dango 1437ec615: zero and negative prices",
    nearest: "negative prices cannot be written on the wire",
    rules: ["ORD-1", "ORD-5"],
    tier: "A",
    expected: ["T10", "B05", "indexes", "bookUncrossed", "model"],
    edits: [
      {
        file: "venue/engine/actions/placeOrder.ts",
        find: 'if (order.price === 0 && FIELDS.find("PRICE_REQUIRED", order) !== undefined) {',
        replace: `const missing = order.price === 0 && FIELDS.find("PRICE_REQUIRED", order) !== undefined;
    if (missing && !plant(17, false, () => !isMarket)) {`,
      },
      {
        file: "venue/engine/actions/placeOrder.ts",
        find: "const asked = boundPrice(rules, side, mark, order);",
        replace:
          "const asked = isPlanted(17) && !isMarket && order.price === 0 ? (0 as ReturnType<typeof boundPrice>) : boundPrice(rules, side, mark, order);",
      },
      {
        file: "venue/engine/actions/checkOrder.ts",
        find: "if (!isInBand(state, market, price))",
        replace: "if (!isInBand(state, market, price) && !(isPlanted(17) && price === 0))",
      },
    ],
  },
  {
    number: 23,
    title: "The count of a maker's open orders does not decrease when one fills",
    provenance: "Drift changelog: decrement_open_orders for makers",
    rules: ["ORD-5"],
    tier: "A",
    expected: ["G05", "G12", "indexes", "reserves", "roundTrip", "model"],
    edits: [
      {
        file: "venue/engine/matching/match.ts",
        find: "    removeOrder(state, order);\n  } else {",
        replace: `    removeOrder(state, order);
    if (isPlanted(23) && trigger()) positions.orderCount[makerPosition]++;
  } else {`,
      },
    ],
  },
  {
    number: 24,
    title: "An order rests one block longer than its last height and may fill in it",
    provenance: "Drift #1021",
    rules: ["ORD-2"],
    tier: "B",
    expected: ["T02", "B10", "model"],
    edits: [
      {
        file: "venue/engine/steps/expire.ts",
        find: "  take(byHeight, state.height);",
        replace: `  take(byHeight, state.height - (isPlanted(24) ? 1 : 0));
  if (isPlanted(24) && byHeight.least() < state.height) trigger();`,
      },
    ],
  },
  {
    number: 25,
    title: "The trigger of a trailing stop is not checked again after it moved",
    provenance: "Drift changelog: modify order trigger",
    nearest: "intents cannot be amended; here a trailing stop moves its trigger",
    rules: ["INT-1"],
    tier: "B",
    expected: ["T08", "intentTriggers", "model"],
    edits: [
      {
        file: "venue/engine/triggers/findDue.ts",
        find: "      intentIndex.armTrigger(intents, row);\n      moved.push(row);",
        replace:
          "      if (!isPlanted(25)) intentIndex.armTrigger(intents, row);\n      else trigger();\n      moved.push(row);",
      },
    ],
  },
  {
    number: 32,
    title: "An order whose size is increased keeps its place in the queue",
    provenance: "own",
    rules: ["ORD-4"],
    tier: "B",
    expected: ["B03", "B11", "orderArithmetic", "model"],
    edits: [
      {
        file: "venue/engine/actions/amendOrder.ts",
        find: "return { rejected: false, order, lots, price, inPlace, goodTilHeight, goodTilTime, spends };",
        replace: `const stays = plant(
      32,
      inPlace,
      () => inPlace || (price === orders.price[order] && lots > orders.remaining[order]),
    );
    return { rejected: false, order, lots, price, inPlace: stays, goodTilHeight, goodTilTime, spends };`,
      },
    ],
  },
  {
    number: 44,
    title: "The position limit of an owner counts one other subaccount only",
    provenance: "own",
    rules: ["ORD-5"],
    tier: "B",
    expected: ["positionWithin", "model"],
    edits: [
      {
        file: "venue/engine/matching/caps.ts",
        find: "  let total = signedLots + ahead;",
        replace: `  let total = signedLots + ahead;
  let others = 0;`,
      },
      {
        file: "venue/engine/matching/caps.ts",
        find: "    if (other !== NONE) total += positions.signedLots[other];",
        replace: `    if (other === NONE || positions.signedLots[other] === 0) continue;
    if (!(isPlanted(44) && others++ > 0 && trigger())) total += positions.signedLots[other];`,
      },
    ],
  },
  {
    number: 50,
    title: "An undone batch keeps the client order ids of its orders",
    provenance: "own",
    rules: ["ACT-1", "ORD-4"],
    tier: "B",
    expected: ["indexes", "continuity", "model"],
    edits: [
      {
        file: "venue/engine/handler/attempt.ts",
        find: "  state.clients.rewind();",
        replace: "  if (!(isPlanted(50) && (state.clients.log ?? []).length > 0 && trigger())) state.clients.rewind();",
      },
    ],
  },
  {
    number: 58,
    title: "A part of a leg that fills takes nothing from the other leg if that one rests",
    provenance: "own",
    rules: ["INT-2"],
    tier: "B",
    expected: ["T08", "slicesWithin", "model"],
    edits: [
      {
        file: "venue/engine/intents/followOrders.ts",
        find: "shrinkChild(state, row, left === 0 ? 0 : rest);",
        replace: "shrinkChild(state, row, left === 0 ? 0 : plant(58, rest, () => intents.size[row] as number));",
      },
    ],
  },
  {
    number: 59,
    title: "The target of a slice is computed on the lots that are left, not on all of the schedule",
    provenance: "own",
    rules: ["INT-4"],
    tier: "B",
    expected: ["slicesWithin", "model"],
    edits: [
      {
        file: "venue/engine/triggers/fireSlice.ts",
        find: "  const total = intents.size[row] + intents.filled[row];",
        replace:
          "  const total = plant(59, intents.size[row] + intents.filled[row], () => intents.size[row] as number);",
      },
    ],
  },
  {
    number: 60,
    title: "A level of a house counts its lots only up to the next order of another account",
    provenance: "own",
    rules: ["ACC-2"],
    tier: "B",
    expected: ["levelsAsNamed", "model"],
    edits: [
      {
        file: "venue/engine/matching/houseLevels.ts",
        find: `    if (isQuote(state, flow, side, at)) there += orders.remaining[at];
  }`,
        replace: `    if (isQuote(state, flow, side, at)) there += orders.remaining[at];
  }
  there = plant(60, there, () => {
    let near = 0;
    for (let at = last; at !== NONE && isQuote(state, flow, side, at); at = orders.levelPrevious[at])
      near += orders.remaining[at];
    return near;
  });`,
      },
    ],
  },
];
