/** A thread that makes runs. */
import { serveRuns } from "../../product/research/runs/threads/serveRuns.ts";
import { loadStrategy } from "../loadStrategy.ts";

serveRuns(async (path) => (await loadStrategy(path)).strategy);
