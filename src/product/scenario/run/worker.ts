/** A thread that runs scenario files one after the other. */
import { workerData } from "node:worker_threads";
import { serveFiles } from "./serveFiles.ts";

serveFiles(workerData);
