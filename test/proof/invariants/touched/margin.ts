/** Margins, modes and leverage. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import { VALIDITY } from "../../../../src/protocol/validity.ts";
import { ROLE } from "../../../../src/protocol/words.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { listAccounts, listOrders, listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant } from "../../../helpers/moments.ts";
import { has, isUser, type Plants, replaceRules, set } from "./plant.ts";

/** An account with a position withdraws collateral. */
const takesOut = (it: Instant) =>
  isUser(it) &&
  has("withdrawn")(it) &&
  listPositions(it.state).some(
    (at) => it.state.positions.account[at] === it.actor && it.state.positions.signedLots[at] !== 0,
  );

export const marginPlants: Plants = {
  outflowLeavesFree: [
    {
      fault: "a withdrawal of needed collateral",
      isWanted: (it) => isUser(it) && has("withdrawn")(it),
      plant: ({ state, actor }) => void (loose(state.accounts.collateral)[actor]! -= 8e15),
    },
    {
      fault: "a withdrawal of an account in a paused market",
      isWanted: takesOut,
      plant: (it) => replaceRules(it, { pauseWithdraw: 1 }),
    },
    {
      fault: "a withdrawal of an account in a market that restarts",
      isWanted: takesOut,
      plant: ({ state }) => void (state.markets.restarting as unknown as Uint8Array).fill(1),
    },
    {
      fault: "a withdrawal of an account in a market with a stale price",
      isWanted: takesOut,
      plant: ({ state }) => void (state.markets.validity as unknown as Uint8Array).fill(VALIDITY.stale),
    },
  ],
  tiersAreSound: [
    {
      fault: "maintenance above initial",
      isWanted: has("marketChanged"),
      plant({ state }) {
        for (const [market, rules] of state.parameters.entries()) {
          const tiers = rules.tiers.map((tier) => ({ ...tier, maintenanceRate: tier.initialRate }));
          state.parameters[market] = { ...rules, tiers };
        }
      },
    },
  ],
  tierEdges: [
    {
      fault: "margins of another table",
      isWanted: has("marketChanged"),
      plant({ state }) {
        for (const [market, rules] of state.parameters.entries()) {
          const tiers = rules.tiers.map((tier) => ({
            ...tier,
            maintenanceDeduction: (tier.maintenanceDeduction + 5) as typeof tier.maintenanceDeduction,
          }));
          state.parameters[market] = { ...rules, tiers };
        }
      },
    },
    {
      fault: "a deduction of initial margin in a stepped market",
      isWanted: has("marketChanged"),
      plant({ state }) {
        for (const [market, rules] of state.parameters.entries()) {
          const [first] = rules.tiers;
          const ratesOf = { initialRate: 1e6, initialOver: 1, initialUnder: 1, initialDeduction: 5 };
          const second = { ...first!, ...ratesOf, from: 1e9, least: 1e9 + 1 };
          state.parameters[market] = { ...rules, initialMarginMethod: 1, tiers: [first!, second] as never };
        }
      },
    },
  ],
  leverageWithin: [
    {
      fault: "more leverage than the first tier allows",
      isWanted: has("marginChanged"),
      plant: (it) => set(it, "marginChanged", "leverage", 1e6),
    },
  ],
  modeChangeIsClean: [
    {
      fault: "a change of mode with resting orders",
      isWanted: (it) =>
        it.events.some(
          (event) =>
            event.kind === "marginChanged" &&
            listOrders(it.state).some((order) => {
              const at = it.state.orders.position[order]!;
              return it.state.positions.account[at] === event.account && it.state.positions.market[at] === event.market;
            }),
        ),
      plant: (it) => bend(it, "marginChanged", "mode", 1),
    },
  ],
  marginAfterAction: [
    {
      fault: "an order that no account can afford",
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
