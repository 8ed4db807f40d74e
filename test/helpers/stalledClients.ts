/** Clients over real sockets that follow streams and read nothing of them. */
import { WebSocket } from "ws";

/** What a client follows: half of them the state of a market, half of them what happens in it. */
const FOLLOWED = [
  [
    { channel: "book", market: "BTC-PERP", depth: "full" },
    { channel: "prices", market: "BTC-PERP" },
  ],
  [{ channel: "trades", market: "BTC-PERP" }, { channel: "blocks" }],
];

const AT_ONCE = 20;

export interface StalledClient {
  readonly follows: "state" | "events";
  readonly socket: WebSocket;
  /** Reads on, and returns the code with which the connection ends. */
  release(): Promise<number>;
}

/** Opens so many clients; each has subscribed, and stopped to read, when this resolves. */
export async function openStalled(url: string, count: number): Promise<StalledClient[]> {
  const clients: StalledClient[] = [];
  for (let place = 0; place < count; place += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - place) }, (_, of) => openOne(url, place + of));
    clients.push(...(await Promise.all(some)));
  }
  return clients;
}

async function openOne(url: string, place: number): Promise<StalledClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const follows = FOLLOWED[place % FOLLOWED.length]!;
  let answered = 0;
  await new Promise<void>((resolve) => {
    const hear = (text: unknown) => {
      if ((JSON.parse(String(text)) as { type: string }).type !== "subscribed" || ++answered < follows.length) return;
      socket.off("message", hear);
      resolve();
    };
    socket.on("message", hear);
    follows.forEach((key, id) => {
      socket.send(JSON.stringify({ op: "subscribe", id, ...key }));
    });
  });
  socket.pause();
  return {
    follows: place % FOLLOWED.length === 0 ? "state" : "events",
    socket,
    release() {
      socket.resume();
      return closed;
    },
  };
}
