/** A thread that runs a strategy once, for a look-ahead check. */
import { serveProbe } from "../../../product/research/lookahead/serveProbe.ts";
import { loadStrategy } from "../../loadStrategy.ts";

await serveProbe(async (name) => (await loadStrategy(name)).strategy);
