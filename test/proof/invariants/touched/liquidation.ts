/** Liquidations, and payments for their deficits. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import { exactValue } from "../../../../src/proof/invariants/machinery/exact/health.ts";
import {
  BALANCE_CAUSE,
  CANCEL_CAUSE,
  CLOSE_KIND,
  type EventOf,
  LIQUIDATION_STAGE,
  type VenueEvent,
} from "../../../../src/protocol/events.ts";
import { MARKET_STATUS, ROLE } from "../../../../src/protocol/words.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { listAccounts, listMarkets, listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant, setField } from "../../../helpers/moments.ts";
import { has, type Plants, set, traded } from "./plant.ts";

/** Places of the liquidation steps of queued accounts. */
const turnsOf = ({ events, state }: Instant) =>
  events.flatMap((event, at) =>
    event.kind === "liquidationStarted" && state.accounts.role[event.account as AccountRow] === ROLE.normal ? [at] : [],
  );

/** A normal account with a cross position in the first market, no record, and more than it could lose. */
const findBusy = (state: Instant["state"]) => {
  const { accounts, positions, markets, parameters } = state;
  const at = listPositions(state).find((row) => {
    const account = positions.account[row]!;
    const market = positions.market[row]!;
    const worth = (Math.abs(positions.signedLots[row]!) * parameters[market]!.lotSize * markets.mark[market]!) / 1e10;
    const alone = accounts.position[account] === row && positions.next[row] === NONE;
    const plain = alone && positions.mode[row] === 0 && accounts.role[account] === ROLE.normal;
    return plain && positions.signedLots[row] !== 0 && accounts.collateral[account]! > worth * 3 && worth > 0;
  });
  return at === undefined ? undefined : positions.account[at]!;
};

/** An open position of another account than the first backstop, in a market with a mark. */
const findOpposable = (state: Instant["state"]) => {
  const { positions, markets, backstops } = state;
  return listPositions(state).find(
    (at) =>
      positions.signedLots[at] !== 0 &&
      positions.account[at] !== backstops[0]!.account &&
      markets.mark[positions.market[at]!] !== 0,
  );
};

/** A normal account without a position and without debt. */
const findFlat = (state: Instant["state"]) => {
  const { accounts } = state;
  return listAccounts(state).find(
    (row) =>
      accounts.role[row] === ROLE.normal &&
      accounts.position[row] === NONE &&
      accounts.collateral[row]! > 0 &&
      state.parameters.length > 0,
  );
};

/** Whether an event names an account, in any of its roles. */
const isNamed = (event: VenueEvent, account: number) => {
  const { makerAccount, takerAccount, counterparty, account: of } = event as unknown as Record<string, unknown>;
  return [makerAccount, takerAccount, counterparty, of].includes(account);
};

const hasBelowZero = ({ events }: Instant) =>
  events.some((event) => event.kind === "liquidationStage" && event.bankruptcyPrice < 0);

const stage = (account: number, word: number) => ({
  ...{
    liquidation: 7,
    account,
    stage: word,
    market: NONE as number,
    cooldownMs: 0,
    bankruptcyPrice: 0,
    marginAccount: NONE,
  },
});

/** Places of the first run of deleveraging events of one position. */
const deleveragedOf = ({ events }: Instant) => {
  const all = events.flatMap((event, at) =>
    event.kind === "deleveraged" && event.way === CLOSE_KIND.deleveraging ? [{ event, at }] : [],
  );
  const first = all[0]?.event;
  return all
    .filter(({ event }) => event.account === first!.account && event.market === first!.market)
    .map(({ at }) => at);
};

/** Two accounts with one position each, cross, on the same side of a market before the block and after it. */
const findTwoAlike = ({ state, before }: Instant) => {
  const { accounts, positions } = before;
  const alone = listPositions(before).filter(
    (at) =>
      positions.signedLots[at] !== 0 &&
      positions.signedLots[at] === state.positions.signedLots[at] &&
      positions.mode[at] === 0 &&
      accounts.position[positions.account[at]!] === at &&
      positions.next[at] === NONE,
  );
  for (const one of alone) {
    const other = alone.find(
      (at) =>
        at !== one &&
        positions.market[at] === positions.market[one] &&
        positions.signedLots[at]! > 0 === positions.signedLots[one]! > 0,
    );
    if (other !== undefined) return [positions.account[one]!, positions.account[other]!] as const;
  }
  return undefined;
};

const shareLoss = (state: Instant["state"], debtor: number, payer: number) => {
  state.events.liquidationStage(stage(debtor, LIQUIDATION_STAGE.socialized));
  state.events.lossSocialized({ liquidation: 7, account: payer, marginAccount: NONE, amount: 1 });
};

export const liquidationPlants: Plants = {
  solventPays: [
    {
      fault: "insurance for a solvent margin account",
      isWanted: (it) =>
        it.step === "riskPassed" &&
        it.state.parameters.every(({ closeOut, liquidationPolicy }) => closeOut === 0 && liquidationPolicy === 0),
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, marginAccount: -1, equity: 5, maintenance: 9 });
        state.events.insuranceChanged({ delta: -1, cause: 3, market: 0, account: 1 });
      },
    },
  ],
  takeoverByRule: [
    {
      fault: "another account takes over",
      isWanted: (it) => it.step === "riskPassed" && it.state.parameters.length > 0,
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, marginAccount: -1, equity: 5, maintenance: 9 });
        const way = CLOSE_KIND.takeover;
        state.events.deleveraged({ liquidation: 7, way, market: 0, account: 1, counterparty: 0, size: 1, value: 1 });
      },
    },
  ],
  backstopCoversMargin: [
    {
      fault: "a takeover of more lots than the backstop has margin for",
      isWanted: (it) =>
        it.step === "riskPassed" && it.state.backstops.length > 0 && findOpposable(it.state) !== undefined,
      plant({ state }) {
        const at = findOpposable(state)!;
        const { positions, parameters, markets } = state;
        const market = positions.market[at]!;
        const lots = 1_000_000_000;
        const signedLots = positions.signedLots[at]! > 0 ? lots : -lots;
        const worth = exactValue(parameters[market]!, BigInt(signedLots), BigInt(markets.mark[market]!));
        state.events.deleveraged({
          liquidation: 7,
          way: CLOSE_KIND.takeover,
          market,
          account: positions.account[at]!,
          counterparty: state.backstops[0]!.account,
          size: lots,
          value: Number(worth),
        });
      },
    },
  ],
  onlyBelowMaintenance: [
    {
      fault: "a record of more equity than there is",
      isWanted: has("liquidationStarted"),
      plant: (it) => bend(it, "liquidationStarted", "equity", 1e6),
    },
  ],
  houseIsExempt: [
    {
      fault: "the house in the queue",
      isWanted: has("liquidationStarted"),
      plant: ({ state }) => void (state.accounts.role as unknown as Uint8Array).fill(ROLE.house),
    },
  ],
  ordersGoFirst: [
    {
      fault: "orders that stayed",
      isWanted: (it) =>
        it.events.some((event, at) => {
          const next = it.events.slice(at).find(({ kind }) => kind === "liquidationStarted");
          return (
            event.kind === "orderCancelled" &&
            event.cause === CANCEL_CAUSE.liquidation &&
            (next as { account?: number })?.account === event.account &&
            it.state.accounts.role[event.account as never] === ROLE.normal
          );
        }),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "orderCancelled") setField(state, places[at]!, "orderCancelled", "order", 9e12);
        }
      },
    },
  ],
  closesOpposite: [
    { fault: "more than there was", isWanted: has("deleveraged"), plant: (it) => set(it, "deleveraged", "size", 9e14) },
  ],
  bankruptcyPriceIsExact: [
    {
      fault: "a unit more",
      isWanted: has("liquidationStage"),
      plant: (it) => bend(it, "liquidationStage", "bankruptcyPrice", 1),
    },
    {
      fault: "a price without its sign",
      isWanted: hasBelowZero,
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "liquidationStage" && event.bankruptcyPrice < 0);
        const { bankruptcyPrice } = events[at] as EventOf<"liquidationStage">;
        setField(state, places[at]!, "liquidationStage", "bankruptcyPrice", 0 - bankruptcyPrice);
      },
    },
  ],
  recordEndsInTime: [
    {
      fault: "a record of a healthy account",
      isWanted: ({ step, state }) => step === "riskPassed" && findBusy(state) !== undefined,
      plant: ({ state }) => void (loose(state.accounts.liquidation)[findBusy(state)!] = 7),
    },
    {
      fault: "a record of an account with nothing open",
      isWanted: ({ step, state }) => step === "riskPassed" && findFlat(state) !== undefined,
      plant: ({ state }) => void (loose(state.accounts.liquidation)[findFlat(state)!] = 7),
    },
  ],
  stageHasReason: [
    {
      fault: "recovered, and far below maintenance",
      isWanted: ({ step, state }) => step === "riskPassed" && findBusy(state) !== undefined,
      plant({ state }) {
        const account = findBusy(state)!;
        const held = state.accounts.collateral[account]!;
        state.events.balanceChanged({ account, marginAccount: NONE, delta: -held - 8e15, collateral: -8e15, cause: 0 });
        state.events.liquidationStage(stage(account, LIQUIDATION_STAGE.recovered));
      },
    },
    {
      fault: "recovered, and nothing is open",
      isWanted: ({ step, state }) => step === "riskPassed" && findFlat(state) !== undefined,
      plant: ({ state }) => state.events.liquidationStage(stage(findFlat(state)!, LIQUIDATION_STAGE.recovered)),
    },
    {
      fault: "completed, and something is open",
      isWanted: ({ step, state }) => step === "riskPassed" && findBusy(state) !== undefined,
      plant: ({ state }) => state.events.liquidationStage(stage(findBusy(state)!, LIQUIDATION_STAGE.completed)),
    },
    {
      fault: "a shared loss without a deficit",
      isWanted: ({ step, state }) => step === "riskPassed" && findFlat(state) !== undefined,
      plant: ({ state }) => state.events.liquidationStage(stage(findFlat(state)!, LIQUIDATION_STAGE.socialized)),
    },
    {
      fault: "deleveraging of nothing",
      isWanted: ({ step, state }) => step === "riskPassed" && findFlat(state) !== undefined,
      plant: ({ state }) =>
        state.events.liquidationStage({ ...stage(findFlat(state)!, LIQUIDATION_STAGE.deleveraging), market: 0 }),
    },
  ],
  liquidationStepsMakeProgress: [
    {
      fault: "a step without an effect",
      isWanted: has("liquidationStarted"),
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, marginAccount: -1, equity: 0, maintenance: 0 });
      },
    },
    {
      fault: "a step without a stage",
      isWanted: has("liquidationStarted"),
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, marginAccount: -1, equity: 5, maintenance: 9 });
      },
    },
  ],
  liquidationFeeWithin: [
    {
      fault: "a fee that is paid out",
      isWanted: (it) =>
        it.events.some((event) => event.kind === "balanceChanged" && event.cause === BALANCE_CAUSE.liquidationFee),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "balanceChanged") setField(state, places[at]!, "balanceChanged", "delta", 1e12);
        }
      },
    },
    {
      fault: "a fee that takes more equity than exists",
      isWanted: (it) =>
        it.events.some((event) => event.kind === "balanceChanged" && event.cause === BALANCE_CAUSE.liquidationFee),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "fill") setField(state, places[at]!, "fill", "value", 8e15);
          if (event.kind !== "balanceChanged" || event.cause !== BALANCE_CAUSE.liquidationFee) continue;
          setField(state, places[at]!, "balanceChanged", "delta", -7e12);
        }
      },
    },
  ],
  onlyTheNamed: [
    {
      fault: "money of a bystander",
      isWanted: ({ step, events, state }) =>
        step === "riskPassed" &&
        events.length > 0 &&
        !events.some((event) => isNamed(event, state.accounts.rows.high - 1)),
      plant({ state }) {
        const account = state.accounts.rows.high - 1;
        const { collateral } = state.accounts;
        state.events.balanceChanged({
          account,
          delta: 1,
          collateral: collateral[account as AccountRow]! + 1,
          cause: 6,
          marginAccount: NONE,
        });
      },
    },
  ],
  noMissedLiquidation: [
    {
      fault: "a margin account far below maintenance",
      isWanted: ({ step, events, state }) =>
        step === "riskPassed" &&
        events.length === 0 &&
        state.parameters.every(({ status }) => status === MARKET_STATUS.active) &&
        listPositions(state).some(
          (at) =>
            state.positions.signedLots[at] !== 0 && state.accounts.role[state.positions.account[at]!] === ROLE.normal,
        ) &&
        state.markets.validity.length > 0 &&
        listMarkets(state).every((market) => state.markets.validity[market] === 4),
      plant({ state }) {
        for (const account of listAccounts(state)) loose(state.accounts.collateral)[account]! -= 8e15;
      },
    },
  ],
  queueHasReason: [
    {
      fault: "a healthy margin account in the queue",
      isWanted: ({ step, state }) => step === "riskPassed" && state.accounts.rows.high > 2,
      plant({ state, block }) {
        for (const account of listAccounts(state))
          state.events.liquidationQueued({ account, marginAccount: -1, since: block.height });
      },
    },
  ],
  shareWithinSurplus: [
    {
      fault: "a share of a loss without a surplus",
      isWanted: ({ step }) => step === "riskPassed",
      plant: ({ state }) =>
        state.events.lossSocialized({ liquidation: 7, account: 1, marginAccount: NONE, amount: 9e15 }),
    },
  ],
  lossBorneByOpposite: [
    {
      fault: "a share of its own loss",
      isWanted: ({ step }) => step === "riskPassed",
      plant: ({ state }) => shareLoss(state, 1, 1),
    },
    {
      fault: "a share of a holder of the same side",
      isWanted: (it) => it.step === "riskPassed" && findTwoAlike(it) !== undefined,
      plant(it) {
        const [one, other] = findTwoAlike(it)!;
        shareLoss(it.state, one, other);
      },
    },
  ],
  deleveragedByRank: [
    {
      fault: "counterparties in reverse order",
      isWanted: (it) => deleveragedOf(it).length > 1,
      plant(it) {
        const [one, other] = deleveragedOf(it);
        const [first, second] = [one!, other!].map((at) => it.events[at] as EventOf<"deleveraged">);
        setField(it.state, it.places[one!]!, "deleveraged", "counterparty", second!.counterparty);
        setField(it.state, it.places[other!]!, "deleveraged", "counterparty", first!.counterparty);
      },
    },
    {
      fault: "deleveraging before its stage",
      isWanted: (it) => deleveragedOf(it).length > 0,
      plant(it) {
        const at = it.events.findIndex(
          (event) => event.kind === "liquidationStage" && event.stage === LIQUIDATION_STAGE.deleveraging,
        );
        setField(it.state, it.places[at]!, "liquidationStage", "stage", LIQUIDATION_STAGE.bookClosing);
      },
    },
  ],
  insuranceByCause: [
    {
      fault: "insurance that pays a trader",
      isWanted: traded,
      plant: ({ state }) => state.events.insuranceChanged({ delta: -1, cause: 3, market: 0, account: 1 }),
    },
    {
      fault: "a fee that is paid out",
      isWanted: ({ step }) => step === "riskPassed",
      plant: ({ state }) => state.events.insuranceChanged({ delta: -1, cause: 2, market: 0, account: 1 }),
    },
  ],
  worstFirst: [
    {
      fault: "steps in reverse order",
      isWanted: (it) => it.step === "riskPassed" && turnsOf(it).length > 1,
      plant(it) {
        const [one, other] = turnsOf(it);
        for (const [place, name] of [
          [one!, it.events[other!]],
          [other!, it.events[one!]],
        ] as const) {
          const { account, marginAccount } = name as EventOf<"liquidationStarted">;
          setField(it.state, it.places[place]!, "liquidationStarted", "account", account);
          setField(it.state, it.places[place]!, "liquidationStarted", "marginAccount", marginAccount);
        }
      },
    },
  ],
};
