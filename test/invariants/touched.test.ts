import { describe, expect, test } from "vitest";
import { NONE } from "../../src/collections/table.ts";
import type { AccountRow } from "../../src/engine/state/schema.ts";
import { listAccounts, listPositions } from "../../src/invariants/exact/walk.ts";
import { invariants } from "../../src/invariants/list.ts";
import { ROLE } from "../../src/protocol/words.ts";
import { bend, findPlanted, type Instant, type PlantedFault } from "../helpers/moments.ts";

type Loose = Record<number, number>;
const loose = (column: unknown) => column as Loose;

const has = (kind: string) => (instant: Instant) => instant.events.some((event) => event.kind === kind);
const isUser = ({ actor, status, state }: Instant) =>
  actor !== NONE && status === "applied" && state.accounts.role[actor] === ROLE.normal;

interface Plant extends PlantedFault {
  readonly fault: string;
}

/** Faults by the invariant that sees them right after the transaction or step. */
const plants: Readonly<Record<string, readonly Plant[]>> = {
  eventsTellAll: [
    {
      fault: "collateral that nobody told of",
      isWanted: isUser,
      plant: ({ state, actor }) => void loose(state.accounts.collateral)[actor]!++,
    },
    {
      fault: "an order that changed in silence",
      isWanted: has("orderOpened"),
      plant({ state, events }) {
        const opened = events.find(({ kind }) => kind === "orderOpened") as { order: number };
        loose(state.orders.charge)[state.orderIndex.find(state.orders, opened.order)]!++;
      },
    },
    {
      fault: "a change that does not lead to what is said",
      isWanted: has("balanceChanged"),
      plant: (instant) => bend(instant, "balanceChanged", "delta", 1),
    },
    {
      fault: "a transaction counted twice",
      isWanted: isUser,
      plant: ({ state }) => void state.consumed++,
    },
  ],
  rejectedChangesNothing: [
    {
      fault: "an event of a rejected transaction",
      isWanted: ({ status, state, actor }) => status === "rejected" && state.accounts.role[actor] === ROLE.normal,
      plant({ state, actor }) {
        const { collateral } = state.accounts;
        state.events.balanceChanged({
          account: actor,
          delta: 0,
          collateral: collateral[actor]!,
          cause: 0,
          bucket: NONE,
        });
      },
    },
  ],
  marginAfterAction: [
    {
      fault: "an order that nobody can afford",
      isWanted: (instant) => isUser(instant) && has("orderOpened")(instant),
      plant({ state }) {
        for (const account of listAccounts(state)) loose(state.accounts.collateral)[account]! -= 8e15;
      },
    },
  ],
  makerAfterFill: [
    {
      fault: "a maker that cannot carry its fill",
      isWanted({ actor, events, state }) {
        const fills = events.filter((event) => event.kind === "fill");
        const maker = fills[0]?.makerAccount as AccountRow;
        return actor !== NONE && fills.length === 1 && maker !== actor && state.accounts.role[maker] === ROLE.normal;
      },
      plant({ state }) {
        for (const account of listAccounts(state)) loose(state.accounts.collateral)[account]! -= 8e15;
        for (const at of listPositions(state)) loose(state.positions.isolated)[at]! -= 8e15;
      },
    },
  ],
};

describe("a planted fault is seen right after the transaction or step", () => {
  for (const [id, list] of Object.entries(plants)) {
    const invariant = invariants.find((candidate) => candidate.id === id)!;
    for (const { fault, ...planted } of list) {
      test(`${id}: ${fault}`, () => {
        expect(findPlanted(planted, [invariant])[0]).toMatchObject({ invariant: id });
      });
    }
  }

  test("and every invariant has one, if it looks there", () => {
    const touched = invariants.filter(({ touched: look }) => look !== undefined);
    expect(Object.keys(plants).sort()).toEqual(touched.map(({ id }) => id).sort());
  });
});
