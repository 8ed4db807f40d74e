import { readSync, writeSync } from "node:fs";
import { Decoder, Encoder } from "@msgpack/msgpack";
import type { Channel } from "./channel.ts";
import { invalidMessage, StrategyHostError } from "./errors.ts";
import type { HostMessage } from "./messages.ts";

/** Bytes of a message at most. */
const BYTES_MOST = 1 << 28;
const HEADER_BYTES = 4;
/** Bytes that one read takes at most. */
const READ_BYTES = 1 << 16;

/** Messages as MessagePack over two file descriptors, each after its length: four bytes, the highest first. */
export class StdioChannel implements Channel {
  readonly #input: number;
  readonly #output: number;
  readonly #encoder = new Encoder();
  readonly #decoder = new Decoder();
  #buffer = Buffer.alloc(READ_BYTES);
  /** Bytes of the buffer that hold what was read and not yet decoded. */
  #from = 0;
  #to = 0;

  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
  }

  send(message: HostMessage): void {
    const body = this.#encoder.encodeSharedRef(message);
    const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
    frame.writeUInt32BE(body.length);
    frame.set(body, HEADER_BYTES);
    let written = 0;
    while (written < frame.length) written += this.#write(frame, written);
  }

  receive(): unknown {
    this.#fill(HEADER_BYTES);
    const length = this.#buffer.readUInt32BE(this.#from);
    if (length > BYTES_MOST) {
      throw invalidMessage(`a message of ${length} bytes is longer than ${BYTES_MOST}`);
    }
    this.#from += HEADER_BYTES;
    this.#fill(length);
    const body = this.#buffer.subarray(this.#from, this.#from + length);
    this.#from += length;
    try {
      return this.#decoder.decode(body);
    } catch (error) {
      throw invalidMessage(`a message is no MessagePack: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Reads until so many bytes are there. */
  #fill(count: number): void {
    if (this.#from === this.#to) {
      this.#from = 0;
      this.#to = 0;
    }
    if (this.#from + count > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(READ_BYTES, count));
      this.#buffer.copy(larger, 0, this.#from, this.#to);
      this.#buffer = larger;
      this.#to -= this.#from;
      this.#from = 0;
    }
    while (this.#to - this.#from < count) {
      const read = this.#read();
      if (read === 0) throw gone();
      this.#to += read;
    }
  }

  #read(): number {
    return retry(() => readSync(this.#input, this.#buffer, this.#to, this.#buffer.length - this.#to, null));
  }

  #write(frame: Buffer, from: number): number {
    return retry(() => writeSync(this.#output, frame, from, frame.length - from));
  }
}

/** A pipe that another program opened without blocking is tried again; one without its other end is gone. */
function retry(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF" || code === "EPIPE" || code === "ECONNRESET") throw gone();
      if (code !== "EAGAIN") throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

function gone(): StrategyHostError {
  return new StrategyHostError("CLIENT_GONE", "the client has closed its end");
}
