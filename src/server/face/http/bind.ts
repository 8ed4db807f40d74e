import { lookup } from "node:dns/promises";
import type { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** Addresses to listen on: `localhost` is every loopback address of this machine, since clients may try any of them. */
export async function addressesOf(address: string): Promise<readonly string[]> {
  if (address !== "localhost") return [address];
  const found = await lookup(address, { all: true });
  return [...new Set(found.map((entry) => entry.address))];
}

/**
 * Binds a server to the first address, and to the same port of the others where that is free. Connections of the others
 * pass to the same server, so its limits count them.
 *
 * @returns the further listeners, to be closed with the server
 * @throws {Error} EADDRINUSE, EADDRNOTAVAIL and the like, of the first address
 */
export async function bind(server: HttpServer, addresses: readonly string[], port: number): Promise<readonly Server[]> {
  const [first, ...others] = addresses;
  await startListening(server, first!, port);
  const bound = (server.address() as AddressInfo).port;
  const further: Server[] = [];
  for (const address of others) {
    const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      server.emit("connection", socket);
    });
    door.maxConnections = server.maxConnections;
    try {
      await startListening(door, address, bound);
      further.push(door);
    } catch {
      // Another program uses the port there, or the address is not configured. The first address still serves.
    }
  }
  return further;
}

function startListening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
