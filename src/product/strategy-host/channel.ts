import type { HostMessage } from "./messages.ts";

/** Carries messages one after another and synchronously, since hooks of a strategy are synchronous. */
export interface Channel {
  /** @throws {StrategyHostError} CLIENT_GONE */
  send(message: HostMessage): void;
  /**
   * Waits for the next message of the client.
   *
   * @throws {StrategyHostError} CLIENT_GONE, MESSAGE_INVALID
   */
  receive(): unknown;
}
