/** What the client has for Node alone; browsers do not load it. */
export { fileOutbox } from "./outbox/fileOutbox.ts";
