/** A thread of a search. */
import { serveJobs } from "../../../proof/fuzz/campaign/serveJobs.ts";
import { registerSelfImports } from "../../selfImports.ts";

registerSelfImports(); // invariants of the user's own may import perplab
serveJobs();
