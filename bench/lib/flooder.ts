/**
 * A client that floods a venue from an address of its own, until it is ended; a process of the bench `flood`:
 *
 *     node bench/lib/flooder.ts <kind> <port> <connections> <pairs> <chain id> <genesis hash>
 *
 * It prints `ready` when all is signed, begins at the first line of its input, and prints what was answered when the
 * input ends.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setPriority } from "node:os";
import { loadKeccak } from "../../src/client/signing/keccak.ts";
import { createDigester } from "../../src/protocol/typedDataDigest.ts";
import {
  FLOODING,
  type FloodName,
  invalidRequests,
  largeRequest,
  messages,
  SLOW_HEAD,
  validRequests,
} from "./floodFlow.ts";
import { HANDSHAKE } from "./wireClient.ts";

/** Numbers of what came back, by the first words of an answer, and of what was sent. */
export type FloodCounts = Readonly<Record<string, number>>;

const [kind, port, connections, pairs, chainId, genesisHash] = process.argv.slice(2) as [FloodName, ...string[]];
/** Requests of a connection that are sent ahead of their answers. */
const AHEAD = 16;
const ADDRESS = "127.0.0.2";

const counts: Record<string, number> = {};
const count = (name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by;
};

function open(begin: (socket: Socket) => void, answered: (socket: Socket, answers: number) => void): void {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: ADDRESS });
  socket.setNoDelay(true);
  socket.once("connect", () => begin(socket));
  socket.on("data", (bytes) => {
    const statuses = bytes.toString("latin1").match(/HTTP\/1\.1 \d{3}/g) ?? [];
    for (const status of statuses) count(status.slice(9));
    answered(socket, statuses.length);
  });
  socket.on("error", () => {});
  socket.once("close", () => {
    count("closed");
    setTimeout(() => open(begin, answered), 20);
  });
}

function sendAhead(requests: readonly Buffer[]): void {
  let next = 0;
  const send = (socket: Socket, some: number) => {
    if (some === 0 || !socket.writable) return;
    socket.write(Buffer.concat(Array.from({ length: some }, () => requests[next++ % requests.length]!)));
    count("sent", some);
  };
  for (let opened = 0; opened < Number(connections); opened++) open((socket) => send(socket, AHEAD), send);
}

function sendSlowly(): void {
  const sockets = new Set<Socket>();
  const begin = (socket: Socket) => {
    socket.write(SLOW_HEAD);
    count("sent");
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  for (let opened = 0; opened < Number(connections); opened++) open(begin, () => {});
  setInterval(() => {
    for (const socket of sockets) socket.write(" ");
    count("bytes", sockets.size);
  }, 10);
}

function sendMessages(): void {
  const MANY = 500;
  const bytes = messages(MANY);
  const begin = (socket: Socket) => {
    socket.write(HANDSHAKE);
    const more = (): void => {
      // As fast as the venue reads.
      while (socket.writable && socket.write(bytes)) count("sent", MANY);
      count("sent", MANY);
    };
    socket.once("data", more);
    socket.on("drain", more);
  };
  for (let opened = 0; opened < Number(connections); opened++) open(begin, () => {});
}

const domain = { chainId: Number(chainId), genesisHash: genesisHash as `0x${string}` };
const digester = createDigester(domain, await loadKeccak());
const prepare: Readonly<Record<FloodName, () => () => void>> = {
  valid() {
    const requests = validRequests(0, FLOODING, Number(pairs), digester);
    return () => sendAhead(requests);
  },
  invalid() {
    const requests = invalidRequests(Number(pairs), digester);
    return () => sendAhead(requests);
  },
  largeBodies() {
    const requests = [largeRequest()];
    return () => sendAhead(requests);
  },
  slowBodies: () => sendSlowly,
  messages: () => sendMessages,
};
const begin = prepare[kind]();
// The flood must not take the processor that the venue needs: only its requests are measured.
setPriority(19);
console.log("ready");
await once(process.stdin, "data");
begin();
process.stdin.once("end", () => {
  console.log(JSON.stringify(counts));
  process.exit(0);
});
