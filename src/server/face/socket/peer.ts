/** The other end of a connection, whatever carries it. */
export interface Peer {
  /** Address of the network, for limits. */
  readonly client: string;
  /** Bytes that were handed over and not yet accepted by the network. */
  readonly buffered: number;
  send(text: string): void;
  close(code: number, reason: string): void;
}
