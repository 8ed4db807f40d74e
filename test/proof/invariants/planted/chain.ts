/** Blocks, receipts, events and forks. */

import { findMixedUp } from "../../../../src/proof/invariants/chain/forksAreIndependent.ts";
import { ROLE } from "../../../../src/protocol/words.ts";
import { isSystem } from "../../../../src/venue/engine/authorization/admission.ts";
import { forkVenue } from "../../../../src/venue/engine/forkRecord.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import type { Plants } from "./plant.ts";

/** An intent under a name is armed. */
const withNamedIntent = () =>
  findMoment(({ state }) =>
    state.intentTexts.some((text, row) => text !== "" && state.intents.rows.isLive(row as never)),
  );

export const chainPlants: Plants = {
  forksAreIndependent: [
    {
      fault: "a change of the venue itself",
      plant: () => {},
      check: (state, step) =>
        findMixedUp(state, { ...step, before: forkState(step.before) }, (venue, changes) => {
          venue.consumed++;
          return forkVenue(venue, changes);
        }),
    },
    {
      fault: "changes that are left out",
      plant: () => {},
      check: (state, step) => findMixedUp(state, step, (venue) => forkVenue(venue)),
    },
    {
      fault: "changes without a record",
      plant: () => {},
      check: (state, step) =>
        findMixedUp(state, step, (venue, changes, numbers) => {
          const fork = forkVenue(venue, changes, numbers);
          return Object.assign(forkVenue(venue), { genesis: fork.genesis, parameters: fork.parameters });
        }),
    },
    {
      fault: "names of intents that the venue and its fork share",
      at: withNamedIntent,
      plant: () => {},
      check: (state, step) =>
        findMixedUp(forkState(state), step, (venue, changes, numbers) =>
          Object.assign(forkVenue(venue, changes, numbers), { intentTexts: venue.intentTexts }),
        ),
    },
    {
      fault: "a record without its texts",
      plant: () => {},
      check: (state, step) =>
        findMixedUp(state, step, (venue, changes = [], numbers) => {
          const fork = forkVenue(venue, changes, numbers);
          const { data, length } = fork.events;
          if (changes.length > 0 || numbers !== undefined) fork.events.length = data.lastIndexOf(-3, length - 1);
          return fork;
        }),
    },
    {
      fault: "a position limit below what is open",
      at: () =>
        findMoment(({ state, step }) => {
          const large = listPositions(state).some((at) => Math.abs(state.positions.signedLots[at]!) > 1);
          return step.block.height % state.marketNames.length === 0 && large && state.marketNames.length === 1;
        }),
      plant: () => {},
      check: (state, step) =>
        findMixedUp(state, step, (venue, changes = [], numbers) =>
          changes.some(({ parameters }) => "positionLimit" in parameters)
            ? forkVenue(venue)
            : forkVenue(venue, changes, numbers),
        ),
    },
  ],
  eventsReportChanges: [
    {
      fault: "a payment of nothing in the fund's day",
      plant: ({ insured }) => void insured.markets.set(0, 0n),
    },
  ],
  invalidLeavesNoTrace: [
    {
      fault: "a trace",
      at: () =>
        findMoment(({ step }) =>
          step.result.receipts.codes.subarray(0, step.result.receipts.count).some((code) => code < 0),
        ),
      plant: ({ markets }) => void loose(markets.last)[0]!++,
    },
  ],
  blocksFollow: [
    {
      fault: "a block too high",
      plant: (_state, step) => ({ ...step, block: { ...step.block, height: step.block.height + 1 } }),
    },
    { fault: "a venue of another time", plant: (state) => void state.timeMs++ },
  ],
  systemFirst: [
    {
      fault: "the other way round",
      at: () =>
        findMoment(({ step: { block } }) => {
          const codes = block.transactions.map(({ code }) => isSystem(code));
          return codes.includes(true) && codes.includes(false);
        }),
      plant: (_state, step) => ({
        ...step,
        block: { ...step.block, transactions: [...step.block.transactions].reverse() },
      }),
    },
  ],
  oneReceiptEach: [
    {
      fault: "a transaction without a receipt",
      plant: (_state, step) => ({
        ...step,
        block: { ...step.block, transactions: [...step.block.transactions, step.block.transactions[0]!] },
      }),
    },
  ],
  headFromEffects: [
    {
      fault: "a text that is another",
      at: () => findMoment(({ step }) => step.result.texts.length > 0),
      plant: (_state, step) => ({
        ...step,
        result: { ...step.result, texts: step.result.texts.map((text) => `${text}x`) },
      }),
    },
    {
      fault: "another code of a receipt",
      plant(_state, step) {
        const codes = step.result.receipts.codes.slice();
        codes[0]!++;
        const receipts = Object.assign(Object.create(step.result.receipts), { codes });
        return { ...step, result: { ...step.result, receipts } };
      },
    },
    {
      fault: "half a unit",
      plant(_state, step) {
        const events = step.result.events.slice();
        events[step.places.at(-1)! + 1]! += 0.5;
        return { ...step, result: { ...step.result, events } };
      },
    },
    {
      fault: "a group that continues after it was full",
      plant: (state) => void (state.chain.base = new Uint8Array(32).fill(1)),
    },
  ],
  headMoves: [{ fault: "a block without effects", plant: (state, step) => ({ ...step, before: state }) }],
  rolesNeverChange: [
    { fault: "a user of the house", plant: ({ accounts }) => void (loose(accounts.role)[1] = ROLE.house) },
  ],
};
