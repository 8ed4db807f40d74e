import { NONE } from "../../../ground/collections/table.ts";
import type { EventDescriptor } from "../../../protocol/event.ts";
import { EVENT_CODES, EVENT_KINDS, type EventKind, events } from "../../../protocol/events.ts";
import { readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow, MarketRow, VolumeRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

/** State that events change and the ledger does not keep. */
interface ReportedSteps {
  /** By market: the average of mid - index, and whether the market is restarting after a halt. */
  readonly basis: number[];
  readonly restarting: number[];
  /** UTC days with volume. */
  readonly days: Set<number>;
}

/** True if the event reports a change: the new value differs from the old one. */
type Says = (moment: Moment, at: number, reported: ReportedSteps) => boolean;

/** For events that report a sum: the sum is not zero. */
function isSome(kind: EventKind, field: string): Says {
  const place = Object.keys(events[kind].fields).indexOf(field) + 1;
  return ({ data }, at) => data[at + place] !== 0;
}

const PRICES = AT.pricesMoved;
const AMENDED = AT.orderAmended;
const SETTLED = AT.fundingSettled;
const MARGIN = AT.marginChanged;
const QUEUED = AT.liquidationQueued;
const REPORT = AT.oracleUpdated;

const says: readonly (readonly [EventKind, Says])[] = [
  ...EVENT_KINDS.flatMap((kind) => {
    const { notZero = [] }: EventDescriptor = events[kind];
    return notZero.map((field): readonly [EventKind, Says] => [kind, isSome(kind, field)]);
  }),
  [
    "liquidationQueued",
    ({ data, ledger }, at) => {
      const account = data[at + QUEUED.account]! as AccountRow;
      const marginAccount = data[at + QUEUED.marginAccount]!;
      const { accounts, positions } = ledger.now;
      const row = ledger.positionRows.find(account, marginAccount);
      const before = marginAccount < 0 ? accounts.queuedSince[account] : row === NONE ? 0 : positions.queuedSince[row];
      return data[at + QUEUED.since] !== before;
    },
  ],
  [
    "pricesMoved",
    ({ data, ledger, step }, at, { basis }) => {
      const market = data[at + PRICES.market]! as MarketRow;
      const { index, mark } = ledger.now.markets;
      const before = basis[market] ?? 0;
      basis[market] = data[at + PRICES.basis]!;
      // If the operator sets prices or settles, the event also reports prices that did not change.
      if (step === undefined) return true;
      return (
        data[at + PRICES.index] !== index[market] ||
        data[at + PRICES.mark] !== mark[market] ||
        data[at + PRICES.basis] !== before
      );
    },
  ],
  [
    "restartChanged",
    ({ data }, at, { restarting }) => {
      const market = data[at + AT.restartChanged.market]!;
      const before = restarting[market] ?? 0;
      restarting[market] = data[at + AT.restartChanged.restarting]!;
      return restarting[market] !== before;
    },
  ],
  [
    "initialRateChanged",
    ({ data, ledger }, at) =>
      data[at + AT.initialRateChanged.rate] !==
      ledger.now.markets.initialRate[data[at + AT.initialRateChanged.market]! as MarketRow],
  ],
  [
    "cancelScheduled",
    ({ data, ledger }, at) =>
      data[at + AT.cancelScheduled.timeMs] !==
      ledger.now.accounts.cancelTime[data[at + AT.cancelScheduled.account]! as AccountRow],
  ],
  [
    "marginChanged",
    ({ data, ledger }, at) => {
      const row = ledger.positionRows.find(data[at + MARGIN.account]!, data[at + MARGIN.market]!);
      const { leverage, mode } = ledger.now.positions;
      return (
        data[at + MARGIN.leverage] !== (row === NONE ? 0 : leverage[row]) ||
        data[at + MARGIN.mode] !== (row === NONE ? 0 : mode[row])
      );
    },
  ],
  [
    "fundingSettled",
    ({ data, ledger }, at) => {
      const row = ledger.positionRows.find(data[at + SETTLED.account]!, data[at + SETTLED.market]!);
      const { fundingHigh, fundingLow } = ledger.now.positions;
      return (
        row !== NONE &&
        (data[at + SETTLED.fundingHigh] !== fundingHigh[row] || data[at + SETTLED.fundingLow] !== fundingLow[row])
      );
    },
  ],
  [
    "orderResized",
    ({ data, ledger }, at) =>
      data[at + AT.orderResized.remaining] !== remainingOf(ledger, data[at + AT.orderResized.order]!),
  ],
  [
    "orderAmended",
    ({ data, ledger }, at) => {
      const row = ledger.findOrder(data[at + AMENDED.order]!);
      if (row === NONE || data[at + AMENDED.requeued] !== 0) return true;
      const { price, remaining, goodTilHeight, goodTilTime } = ledger.now.orders;
      return (
        data[at + AMENDED.price] !== price[row] ||
        data[at + AMENDED.remaining] !== remaining[row] ||
        data[at + AMENDED.goodTilHeight] !== goodTilHeight[row] ||
        data[at + AMENDED.goodTilTime] !== goodTilTime[row]
      );
    },
  ],
  [
    "volumesForgotten",
    ({ data }, at, { days }) => {
      const first = data[at + AT.volumesForgotten.day]!;
      const gone = [...days].filter((day) => day < first);
      for (const day of gone) days.delete(day);
      return gone.length > 0;
    },
  ],
  ["authorizationOrder", ({ data }, at) => data[at + AT.authorizationOrder.authorization]! >= 0],
  // A source that was not taken emits neither price nor confidence.
  ["oracleUpdated", ({ data }, at) => data[at + REPORT.price] !== 0 || data[at + REPORT.confidence] === 0],
];

/** The remaining lots of a resting order; NaN if it does not rest. */
function remainingOf(ledger: Moment["ledger"], order: number): number {
  const row = ledger.findOrder(order);
  return row === NONE ? Number.NaN : ledger.now.orders.remaining[row];
}

/** Checks by the code of the event kind. */
const BY_CODE: readonly (readonly Says[])[] = EVENT_KINDS.map((kind) =>
  says.flatMap(([of, check]) => (of === kind ? [check] : [])),
);

export const eventsReportChanges = defineInvariant<ReportedSteps>({
  id: "eventsReportChanges",
  sentence:
    "No event is empty: a change event differs from the old value, a payment is not zero, and the fund's daily payments list no zero.",
  rules: ["EVT-3", "DET-2"],
  catalogue: ["G05"],
  when: "events",
  kinds: [...new Set(says.map(([kind]) => kind))],
  start: readEventsSoFar,
  event(moment, at, reported) {
    const { data } = moment;
    const code = data[at]!;
    moment.met++;
    if (code === EVENT_CODES.volumeCounted) reported.days.add(data[at + AT.volumeCounted.day]!);
    for (const check of BY_CODE[code]!) {
      if (!check(moment, at, reported))
        return `${EVENT_KINDS[code]} reports no change: ${JSON.stringify(readEvent(data, at))}`;
    }
    return undefined;
  },
  sweep({ insured }) {
    for (const [what, sums] of [
      ["account", insured.accounts],
      ["market", insured.markets],
    ] as const) {
      for (const [row, paid] of sums)
        if (paid <= 0n) return `${what} ${row} is listed with ${paid} that the fund paid today`;
    }
    return undefined;
  },
});

function readEventsSoFar(state: State): ReportedSteps {
  const { markets, volumes } = state;
  const days = new Set<number>();
  for (let row = 0 as VolumeRow; row < volumes.rows.high; row++) {
    if (volumes.rows.isLive(row)) days.add(volumes.day[row]);
  }
  const rows = listMarkets(state);
  return {
    basis: rows.map((row) => markets.basis[row]!),
    restarting: rows.map((row) => markets.restarting[row]!),
    days,
  };
}
