/**
 * A strategy that buys and sells by turns every `every` bars, and misbehaves by its parameter `mode`. JavaScript, so
 * that any loader takes it.
 */
export const TURNS = `import { existsSync, writeFileSync } from "node:fs";
export default {
  id: "turns",
  params: { type: "object", properties: {
    every: { type: "integer", default: 5, minimum: 1, description: "Bars between two turns." },
    mode: { type: "string", default: "", description: "What goes wrong." },
    marker: { type: "string", default: "", description: "A file." },
  }, required: [] },
  init: () => ({ bars: 0, junk: [] }),
  onBar(ctx) {
    const { memory, params } = ctx;
    const turn = ++memory.bars;
    if (turn === 20) {
      if (params.mode === "throw") throw new Error("no luck");
      if (params.mode === "exit") process.exit(7);
      if (params.mode === "loop") for (;;);
      if (params.mode === "hold") {
        writeFileSync(params.marker + ".begun", "");
        while (!existsSync(params.marker)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
      if (params.mode === "fill") for (;;) memory.junk.push({ turn });
      if (params.mode === "exitOnce" && !existsSync(params.marker)) { writeFileSync(params.marker, ""); process.exit(7); }
    }
    if (turn % params.every === 0 && params.mode !== "idle") ctx.place({ side: turn / params.every % 2 === 1 ? "buy" : "sell", size: 0.01 });
    ctx.metric("turns", turn);
  },
};
`;
