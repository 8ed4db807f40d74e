import type { HostMessage } from "./messages.ts";

/** Carries messages, one after the other and synchronously: a hook of a strategy is. */
export interface Channel {
  /** @throws {HostError} CLIENT_GONE */
  send(message: HostMessage): void;
  /**
   * Waits for the next message of the client.
   *
   * @throws {HostError} CLIENT_GONE, MESSAGE_INVALID
   */
  receive(): unknown;
}
