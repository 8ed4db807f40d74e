import { expect, test } from "vitest";
import { BY_ORDER, EventComparison, IN_ORDER } from "../../../../src/proof/fuzz/differential/compareEvents.ts";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import type { EmittedEvent } from "../../../../src/proof/model/emitted.ts";
import { EVENT_KINDS, events } from "../../../../src/protocol/events.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { EVENT_WIDTHS } from "../../../../src/venue/engine/events/readEvents.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

/** Kinds that are rare in flows. */
const RARE = ["backstopUnwound", "settlementHaircut"] as const;

const OTHERS: readonly string[] = [
  // Fields that the model does not emit: the first two are for invariants; the name is compared while the order rests.
  "intentTriggered.value",
  "liquidationStage.bankruptcyPrice",
  "orderOpened.client",
];

// Goal: the venue's events of a block equal the model's, field by field. Method: in blocks of flows, one number of one
// event at a time is increased by one; the comparison must report it.
test("a changed field of any event that the model emits is reported", () => {
  const kinds = [...IN_ORDER, ...BY_ORDER].filter((kind) => !RARE.some((rare) => rare === kind));
  const notEmitted = new Set(
    kinds.flatMap((kind) => Object.keys(events[kind].fields).map((field) => `${kind}.${field}`)),
  );
  for (let seed = 1; seed <= 160 && notEmitted.size > OTHERS.length; seed++) {
    const flow = new Flow(seed);
    const both = new LockStep(flow.genesis);
    let from = 0;
    const { beforeBlock, afterTransaction, afterStep } = both.probe;
    for (let count = 1; count <= 80; count++) {
      const block = flow.next(both.venue);
      applyBlock(both.venue, block, {
        beforeBlock: (state, begun, at) => {
          from = at;
          beforeBlock!(state, begun, at);
        },
        afterTransaction,
        afterStep: (state, step) => {
          afterStep!(state, step);
          if (step === "triggersFired") change(state, from, both.model.state.emitted, notEmitted);
        },
      });
      expect(both.check(both.venue, block), `seed ${seed}`).toBeUndefined();
    }
  }
  expect([...notEmitted].sort()).toEqual([...OTHERS].sort());
});

/** Changes each field of each event in turn, and removes the reported ones from the list. */
function change(state: State, from: number, emitted: readonly EmittedEvent[], notEmitted: Set<string>): void {
  const { data, length } = state.events;
  for (let at = from; at < length; at += EVENT_WIDTHS[data[at]!]!) {
    const kind = EVENT_KINDS[data[at]!]!;
    Object.keys(events[kind].fields).forEach((field, place) => {
      if (!notEmitted.has(`${kind}.${field}`)) return;
      data[at + 1 + place]! += 1;
      if (compare(state, from, emitted) !== undefined) notEmitted.delete(`${kind}.${field}`);
      data[at + 1 + place]! -= 1;
    });
  }
}

function compare(state: State, from: number, emitted: readonly EmittedEvent[]) {
  const comparison = new EventComparison();
  comparison.begin(from);
  comparison.read(state);
  return comparison.compare(state, emitted);
}

test.each(RARE)("a changed field of a rare event is reported: %s", (kind) => {
  const fields = Object.keys(events[kind].fields);
  const emitted = [{ kind, fields: Object.fromEntries(fields.map((field, place) => [field, place + 1])) }];
  const data = Float64Array.from([EVENT_KINDS.indexOf(kind), ...fields.map((_field, place) => place + 1)]);
  const state = { events: { data, length: data.length } } as unknown as State;
  expect(compare(state, 0, emitted)).toBeUndefined();
  for (let place = 1; place < data.length; place++) {
    data[place]! += 1;
    expect(compare(state, 0, emitted)?.what).toBe(`${kind} 1 (EVT-3), ${fields[place - 1]}`);
    data[place]! -= 1;
  }
  expect(compare(state, 0, [])?.model).toBe("none");
});
