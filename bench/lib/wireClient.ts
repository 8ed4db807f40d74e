/** The other end of a venue under load: as little work as can be, since both share the machine. */
import { connect, type Socket } from "node:net";

/** One connection by HTTP/1.1 that asks one thing at a time. */
export class HttpLine {
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #done: ((status: number) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => this.#take(bytes as Buffer));
  }

  static async open(port: number): Promise<HttpLine> {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => socket.once("connect", () => resolve()).once("error", reject));
    return new HttpLine(socket);
  }

  /** Status of the answer. */
  ask(request: Buffer): Promise<number> {
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#rest.toString("latin1", 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#rest.length < end + 4 + length) return;
    this.#rest = this.#rest.subarray(end + 4 + length);
    const done = this.#done;
    this.#done = undefined;
    done?.(Number(head.slice(9, 12)));
  }
}

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, "latin1");
}

export function postRequest(path: string, body: string, headers: string): Buffer {
  const length = Buffer.byteLength(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n`;
  return Buffer.from(`${head}${headers}\r\n${body}`, "latin1");
}

export const HANDSHAKE =
  "GET /ws/v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: cGVycGxhYiBsb2FkIGtleQ==\r\n\r\n";

/** A follower of streams that counts messages and reads nothing of them. */
export class Follower {
  messages = 0;
  readonly #socket: Socket;
  /** Bytes of the frame under way that are still to come, and a frame's head that came in part. */
  #left = 0;
  #head: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(port: number, operations: readonly object[]): Promise<Follower> {
    const socket = connect(port, "127.0.0.1");
    socket.write(HANDSHAKE);
    const first = await new Promise<Buffer>((resolve, reject) => socket.once("data", resolve).once("error", reject));
    const follower = new Follower(socket);
    const end = first.indexOf("\r\n\r\n") + 4;
    follower.#count(first.subarray(end));
    socket.on("data", (bytes) => follower.#count(bytes as Buffer));
    for (const operation of operations) socket.write(maskedText(JSON.stringify(operation)));
    return follower;
  }

  close(): void {
    this.#socket.destroy();
  }

  #count(given: Buffer): void {
    let bytes = given;
    while (bytes.length > 0) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length);
        this.#left -= taken;
        bytes = bytes.subarray(taken);
        continue;
      }
      const head: Buffer = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
      const short = head.length < 2 ? 0 : head[1]! & 0x7f;
      const size = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (head.length < size) {
        this.#head = head;
        return;
      }
      this.#head = Buffer.alloc(0);
      this.#left = short === 126 ? head.readUInt16BE(2) : short === 127 ? Number(head.readBigUInt64BE(2)) : short;
      if ((head[0]! & 0x0f) === 1) this.messages++;
      bytes = head.subarray(size);
    }
  }
}

/** A frame as clients write it; the mask is zero, which changes nothing of the text. */
export function maskedText(text: string): Buffer {
  const body = Buffer.from(text);
  const long = body.length > 125;
  const head = Buffer.alloc(long ? 8 : 6);
  head[0] = 0x81;
  head[1] = 0x80 | (long ? 126 : body.length);
  if (long) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}
