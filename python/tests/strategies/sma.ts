import { defineStrategy, Type } from "perplab/strategy";

/** The same as `SmaCross` of strategies.py: always in the market, on the side of the faster mean. */
export default defineStrategy({
  id: "sma-cross",
  params: Type.Object({
    fast: Type.Integer({ default: 24, minimum: 2, description: "Bars of the fast mean." }),
    slow: Type.Integer({ default: 96, minimum: 2, description: "Bars of the slow mean." }),
    size: Type.Number({ default: 0.1, exclusiveMinimum: 0, description: "Size of the position." }),
  }),
  init: () => ({ closes: [] as number[], fast: 0, slow: 0, side: 0 }),
  onBar({ memory, params, setPosition }, { close }) {
    const { closes } = memory;
    if (closes.length >= params.fast) memory.fast -= closes[closes.length - params.fast]!;
    if (closes.length >= params.slow) memory.slow -= closes[closes.length - params.slow]!;
    closes.push(close);
    memory.fast += close;
    memory.slow += close;
    if (closes.length < params.slow) return;
    const side = memory.fast / params.fast > memory.slow / params.slow ? 1 : -1;
    if (side === memory.side) return;
    memory.side = side;
    setPosition(side * params.size);
  },
});
