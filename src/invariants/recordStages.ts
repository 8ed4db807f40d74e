import { LIQUIDATION_STAGE, LIQUIDATION_STAGES } from "../protocol/events.ts";
import { defineInvariant } from "./defineInvariant.ts";

/** Stages in the order in which a record may enter them in one market; the last two end it. */
const ORDER: readonly number[] = [
  LIQUIDATION_STAGE.bookClosing,
  LIQUIDATION_STAGE.backstop,
  LIQUIDATION_STAGE.insuranceCover,
  LIQUIDATION_STAGE.deleveraging,
  LIQUIDATION_STAGE.socialized,
  LIQUIDATION_STAGE.recovered,
  LIQUIDATION_STAGE.completed,
];
const LAST = ORDER.indexOf(LIQUIDATION_STAGE.recovered);

/** What a record has come to: the furthest stage by market, and overall where that ends it. */
interface Record {
  readonly account: number;
  readonly stages: Map<number, number>;
  ended: string | undefined;
}

export const recordStages = defineInvariant({
  id: "recordStages",
  sentence:
    "A liquidation is opened once, goes through its stages in order in each market, and ends once, recovered or completed.",
  rules: ["LIQ"],
  catalogue: ["L09"],
  when: "block",
  sweep(_state, { events }) {
    const records = new Map<number, Record>();
    for (const event of events) {
      if (!("liquidation" in event) || event.liquidation === 0 || event.kind === "backstopUnwound") continue;
      const { liquidation } = event;
      const record = records.get(liquidation);
      if (event.kind === "liquidationStarted") {
        if (record !== undefined) return `liquidation ${liquidation} is opened twice`;
        records.set(liquidation, { account: event.account, stages: new Map(), ended: undefined });
        continue;
      }
      if (record === undefined) {
        if (event.kind === "fill") continue; // a backstop that unwinds
        return `liquidation ${liquidation} was never opened, and there is ${event.kind}`;
      }
      if (record.ended !== undefined)
        return `liquidation ${liquidation} is ${record.ended}, and there is ${event.kind}`;
      if (event.kind !== "liquidationStage") continue;
      const name = LIQUIDATION_STAGES[event.stage]!;
      const place = ORDER.indexOf(event.stage);
      const before = record.stages.get(event.market) ?? -1;
      if (place <= before)
        return `liquidation ${liquidation} enters ${name} after ${LIQUIDATION_STAGES[ORDER[before]!]}`;
      record.stages.set(event.market, place);
      if (place >= LAST) record.ended = name;
    }
    return undefined;
  },
});
