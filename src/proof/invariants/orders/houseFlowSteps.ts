import type { Payloads } from "../../../protocol/actions/index.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../../protocol/houseSteps.ts";
import type { Moment } from "../machinery/moment.ts";

export interface HouseFlowStep {
  readonly kind: keyof typeof HOUSE_STEP;
  readonly price: number;
  readonly lots: number;
  readonly side: number;
}

const KINDS = Object.keys(HOUSE_STEP) as (keyof typeof HOUSE_STEP)[];

/** Steps of an applied house flow, in their order; undefined if the moment is none (ACC-1). */
export function readHouseFlow({ transaction, code }: Moment): readonly HouseFlowStep[] | undefined {
  if (transaction?.action !== "houseFlow" || code !== 0) return undefined;
  const { steps } = transaction.payload as Payloads["houseFlow"];
  const values = new DataView(steps.buffer, steps.byteOffset, steps.byteLength);
  const read = (at: number) => values.getFloat64(at, true);
  return Array.from({ length: steps.length / (8 * HOUSE_STEP_WIDTH) }, (_, place) => {
    const at = place * 8 * HOUSE_STEP_WIDTH;
    return { kind: KINDS[read(at)]!, price: read(at + 8), lots: read(at + 16), side: read(at + 24) };
  });
}
