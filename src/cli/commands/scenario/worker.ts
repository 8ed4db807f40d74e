/** A thread that runs scenario files with invariants of the user's own. */
import { workerData } from "node:worker_threads";
import { serveFiles } from "../../../product/scenario/run/serveFiles.ts";
import { loadInvariants } from "../../../proof/fuzz/campaign/loadSelected.ts";
import { registerSelfImports } from "../../selfImports.ts";

registerSelfImports();
const modules = await Promise.all((workerData as readonly string[]).map(loadInvariants));
serveFiles({ invariants: modules.flat() });
