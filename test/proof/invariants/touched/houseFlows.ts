/** Flows of a house in which faults are planted. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import type { EventKind } from "../../../../src/protocol/events.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../../../src/protocol/houseSteps.ts";
import type { OrderRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { loose } from "../../../helpers/loose.ts";
import type { Instant } from "../../../helpers/moments.ts";

/** Events after which an order may no longer be where it was in its queue. */
const QUEUE_CHANGES: ReadonlySet<EventKind> = new Set(["orderOpened", "orderCancelled", "fill"]);

interface FlowStep {
  readonly kind: number;
  readonly price: number;
  readonly lots: number;
}

const readSteps = ({ transaction }: Instant): readonly FlowStep[] => {
  const values = new Float64Array((transaction!.payload as Payloads["houseFlow"]).steps.slice().buffer);
  return Array.from({ length: values.length / HOUSE_STEP_WIDTH }, (_, place) => {
    const [kind, price, lots] = values.subarray(place * HOUSE_STEP_WIDTH);
    return { kind: kind!, price: price!, lots: lots! };
  });
};

const isFlow = (it: Instant) => it.transaction?.action === "houseFlow" && it.status === "applied";

const rowsOf = ({ orders }: State) =>
  Array.from({ length: orders.rows.high }, (_, row) => row as OrderRow).filter((row) => orders.rows.isLive(row));

/** A house flow that opens an order by the level at its end, and does not trade. */
export const opensLevelAtEnd = (it: Instant) => {
  if (!isFlow(it) || it.events.some(({ kind }) => kind === "fill")) return false;
  const { kind, price, lots } = readSteps(it).at(-1) ?? { kind: -1, price: 0, lots: 0 };
  const opened = it.events.filter((event) => event.kind === "orderOpened");
  return kind === HOUSE_STEP.level && opened.some((event) => event.price === price && event.remaining === lots);
};

/** Gives the order of the level at the end of a flow another size. */
export const resizeLevelAtEnd = (it: Instant, by: number) => {
  const { price, lots } = readSteps(it).at(-1)!;
  const { orders } = it.state;
  for (const row of rowsOf(it.state))
    if (orders.price[row] === price && orders.remaining[row] === lots) loose(orders.remaining)[row]! += by;
};

/** A flow without a ladder that changes an order in place after which another one is in its queue. */
export const shrinksBeforeOther = (it: Instant) => {
  if (!isFlow(it) || readSteps(it).some(({ kind }) => kind === HOUSE_STEP.quote)) return false;
  const [amended] = it.events.filter((event) => event.kind === "orderAmended");
  const isQueueChanged = it.events.some(({ kind }) => QUEUE_CHANGES.has(kind));
  if (amended === undefined || amended.requeued !== 0 || isQueueChanged) return false;
  const { orders } = it.state;
  return rowsOf(it.state).some((row) => orders.id[row] === amended.order && orders.levelNext[row] !== NONE);
};
