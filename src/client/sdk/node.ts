/** Parts of the client for Node only; browsers do not load them. */
export { fileOutbox } from "./outbox/fileOutbox.ts";
