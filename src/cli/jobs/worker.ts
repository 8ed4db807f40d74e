/** A thread that makes jobs. */
import { serveJobs } from "../../product/jobs/threads/serveJobs.ts";
import { KINDS } from "./kinds.ts";

serveJobs(KINDS);
