/** A thread with the kinds of the tests. */
import { serveJobs } from "../../../src/product/jobs/threads/serveJobs.ts";
import { TEST_KINDS } from "./kinds.ts";

serveJobs(TEST_KINDS);
