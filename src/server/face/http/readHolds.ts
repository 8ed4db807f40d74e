import type { Socket } from "node:net";

interface Client {
  /** Its connections, those whose requests are the oldest first. */
  readonly sockets: Set<Socket>;
  isHeld: boolean;
}

/**
 * Stops reading the connections of a client whose requests wait for their turn. A client with hundreds of connections
 * sends more than the venue can carry out. If all of it were read, one pass of the event loop would take long, and Node
 * accepts one new connection in a pass. What is not read stays with the system, which slows the client down.
 */
export class ReadHolds {
  readonly #clients = new Map<string, Client>();
  readonly #clientOf = new WeakMap<Socket, string>();
  /** Connections that are not read again. */
  readonly #ended = new WeakSet<Socket>();

  /** Takes a new connection in. Until its client's requests have had their turn it is not read either. */
  add(client: string, socket: Socket): void {
    let known = this.#clients.get(client);
    if (known === undefined) {
      known = { sockets: new Set(), isHeld: false };
      this.#clients.set(client, known);
    }
    known.sockets.add(socket);
    this.#clientOf.set(socket, client);
    // Node itself resumes a connection when a body is read from it, also some time after it was paused.
    socket.on("resume", () => {
      if (this.#ended.has(socket) || this.#find(socket)?.isHeld === true) socket.pause();
    });
    socket.once("close", () => this.leave(socket));
    if (known.isHeld) socket.pause();
  }

  /** A request of this connection has come: the client's other connections are read before it next time. */
  arrive(socket: Socket): void {
    const sockets = this.#find(socket)?.sockets;
    if (sockets === undefined || sockets.size < 2) return;
    sockets.delete(socket);
    sockets.add(socket);
  }

  /** Reads no connection of the client until `release`. */
  hold(client: string): void {
    const known = this.#clients.get(client);
    if (known === undefined || known.isHeld) return;
    known.isHeld = true;
    for (const socket of known.sockets) socket.pause();
  }

  release(client: string): void {
    const known = this.#clients.get(client);
    if (known?.isHeld !== true) return;
    known.isHeld = false;
    for (const socket of known.sockets) socket.resume();
  }

  /** Never reads this connection again. */
  end(socket: Socket): void {
    this.#ended.add(socket);
    this.leave(socket);
    socket.pause();
  }

  /** Gives a connection to another reader, or forgets one that is closed. */
  leave(socket: Socket): void {
    const client = this.#clientOf.get(socket);
    const known = this.#find(socket);
    if (client === undefined || known === undefined) return;
    this.#clientOf.delete(socket);
    known.sockets.delete(socket);
    if (known.sockets.size === 0) this.#clients.delete(client);
    if (known.isHeld && !this.#ended.has(socket) && !socket.destroyed) socket.resume();
  }

  #find(socket: Socket): Client | undefined {
    const client = this.#clientOf.get(socket);
    return client === undefined ? undefined : this.#clients.get(client);
  }
}
