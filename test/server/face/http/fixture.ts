import { connect, type Socket } from "node:net";
import { Type } from "typebox";
import { onTestFinished } from "vitest";
import { defineRoute } from "../../../../src/client/api/route.ts";
import { Dispatcher } from "../../../../src/server/face/dispatch/dispatcher.ts";
import { type HttpListener, type ListenOptions, listen } from "../../../../src/server/face/http/listen.ts";

const base = { tag: "x", summary: "x", weight: 1, responses: { 200: Type.Unknown() } };

const routes = {
  read: defineRoute({ ...base, method: "GET", path: "/read" }),
  send: defineRoute({ ...base, method: "POST", path: "/send", body: Type.Object({ a: Type.Integer() }) }),
  wait: defineRoute({ ...base, method: "GET", path: "/wait" }),
};

/** A listener over a few routes, closed when the test ends. `release` lets `GET /wait` answer. */
export async function openListener(options: ListenOptions = {}): Promise<HttpListener & { release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let requests = 0;
  const dispatcher = new Dispatcher({
    routes,
    handlers: {
      read: () => ({ status: 200, body: { read: true } }),
      send: ({ body }) => ({ status: 200, body }),
      wait: async () => {
        await released;
        return { status: 200, body: { waited: true }, volatile: true };
      },
    },
    version: () => "0.1.aa",
    newRequestId: () => `id-${++requests}`,
  });
  const listener = await listen(dispatcher, options);
  onTestFinished(() => {
    release();
    return listener.close(100);
  });
  return { ...listener, release: () => release() };
}

/** A plain connection, with what came back so far. */
export class RawClient {
  readonly socket: Socket;
  text = "";
  isClosed = false;
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.setEncoding("utf8");
    this.socket.on("data", (text: string) => {
      this.text += text;
    });
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on("close", () => {
        this.isClosed = true;
        resolve();
      });
    });
    onTestFinished(() => void this.socket.destroy());
  }

  write(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves when so many responses have begun to arrive. */
  async responses(count = 1): Promise<string> {
    while (this.text.split("HTTP/1.1 ").length <= count && !this.isClosed) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.text;
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
}
