import { defineStrategy, Type } from "perplab/strategy";

/** The same as `Crowd` of strategies.py: long while open interest rises, and everything that it reads is logged. */
export default defineStrategy({
  id: "crowd",
  params: Type.Object({}),
  onBar({ series, setPosition, log }) {
    const values = series("sum_open_interest").recent(12);
    const last = series("sum_open_interest_value", "BTC-PERP").last;
    if (last === undefined) return;
    log([last.exact, last.timeMs, last.knownMs, values.length].join(" "));
    setPosition(values.at(-1)!.value > values[0]!.value ? 0.1 : -0.1);
  },
});
