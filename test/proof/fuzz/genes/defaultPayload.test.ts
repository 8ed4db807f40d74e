import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { drawDefaultPayload } from "../../../../src/proof/fuzz/genes/defaultPayload.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import { ACTION_NAMES, actions } from "../../../../src/protocol/actions/index.ts";
import { decodePayload, encodePayload } from "../../../../src/protocol/codec.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";

// Goal: an action without a draw of its own is searched as well. Method: payloads by the kinds of the fields, for every
// action there is, in a venue that trades; the codec is the judge of their form.
test.each(ACTION_NAMES)("%s has a default payload that the codec takes", (action) => {
  const flow = new Flow(7);
  const state = createVenue(flow.genesis);
  for (let count = 0; count < 20; count++) applyBlock(state, flow.next(state));
  const random = Random.ofSeed([1, 2, 3, 4]);
  for (let count = 0; count < 50; count++) {
    const payload = drawDefaultPayload(actions[action].fields, {
      random,
      state,
      market: 0 as MarketRow,
      marketName: state.marketNames[0]!,
      account: () => new AccountKey(`0x${"0a".repeat(20)}`, 1),
      amount: () => 1 + random.below(1_000_000),
    });
    const json = encodePayload(action, payload as never);
    expect(decodePayload(action, json)).toEqual(payload);
  }
});

test("an amount may be chosen by asking about the whole payload", () => {
  const asked: unknown[] = [];
  const flow = new Flow(7);
  const state = createVenue(flow.genesis);
  const payload = drawDefaultPayload(actions.transfer.fields, {
    random: Random.ofSeed([1, 2, 3, 4]),
    state,
    market: 0 as MarketRow,
    marketName: "",
    account: () => new AccountKey(`0x${"0a".repeat(20)}`, 1),
    amount: (payloadWith) => {
      asked.push(payloadWith(5));
      return 7;
    },
  });
  expect(asked).toEqual([{ ...payload, amount: 5 }]);
  expect(payload["amount"]).toBe(7);
});
