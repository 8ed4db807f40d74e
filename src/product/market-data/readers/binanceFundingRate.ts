/** Binance Vision fundingRate: settled rates, some milliseconds after the instant they settle. No mark price in it. */
import { hoursCell, type KnownLayout, rateCell, timeCell } from "./known.ts";

export const fundingRate: KnownLayout = {
  name: "fundingRate",
  columns: [["calc_time"], ["funding_interval_hours"], ["last_funding_rate"]],
  timeColumn: 0,
  cells: (unit) => [timeCell(unit), hoursCell, rateCell],
  streams: [
    {
      kind: "funding",
      shape: "funding",
      time: 0,
      everyMs: 0,
      skipEmpty: [],
      rate: 2,
      interval: { from: "hours", column: 1 },
      offsetMs: 0,
    },
  ],
};
