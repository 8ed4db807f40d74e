import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../files/makeFolder.ts";
import { openTape } from "../../../market-data/tape/openTape.ts";
import { readTapeHash } from "../../../market-data/tape/tapeHash.ts";
import { ClusterError } from "../../queue/errors.ts";
import type { TapeFinder } from "./tapeFinder.ts";
import { TapeFolder } from "./tapeFolder.ts";

/** Bytes of one request. After a lost connection, at most these are copied again. */
const PART_BYTES = 8 << 20;
/** Attempts at one part, and the pause after the first, ms. It grows with each attempt. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;

/**
 * Finds tapes on a file server and copies each into a folder once. The server must answer requests for ranges of bytes,
 * as servers of static files and object stores do. A copy gets its name after every byte was checked.
 */
export class TapeServer implements TapeFinder {
  readonly #url: string;
  readonly #copies: TapeFolder;
  readonly #partBytes: number;
  readonly #pauseMs: number;
  readonly #underWay = new Map<string, Promise<string>>();

  /** @param folder for the copies */
  constructor(url: string, folder: string, { partBytes = PART_BYTES, pauseMs = PAUSE_MS } = {}) {
    this.#url = url.endsWith("/") ? url : `${url}/`;
    this.#copies = new TapeFolder(folder);
    this.#partBytes = partBytes;
    this.#pauseMs = pauseMs;
  }

  async find(hash: string, name: string): Promise<string> {
    const copy = await this.#copies.look(hash, `${hash}.tape`);
    if (copy !== undefined) return copy;
    const running = this.#underWay.get(hash) ?? this.#copy(hash, name).finally(() => this.#underWay.delete(hash));
    this.#underWay.set(hash, running);
    return running;
  }

  async #copy(hash: string, name: string): Promise<string> {
    const { folder } = this.#copies;
    makeFolder(folder);
    const path = join(folder, `${hash}.tape`);
    const part = `${path}.${process.pid}.part`;
    try {
      const from = await this.#download([`${hash}.tape`, name], part);
      await checkTape(part, hash, from);
      await rename(part, path);
      return path;
    } finally {
      await rm(part, { force: true });
    }
  }

  /** @returns the address that had the file */
  async #download(names: readonly string[], path: string): Promise<string> {
    const file = await open(path, "w");
    try {
      for (const name of names) {
        const url = new URL(encodeURIComponent(name), this.#url).href;
        if (await this.#fill(file, url)) return url;
      }
    } finally {
      await file.close();
    }
    throw new ClusterError("TAPE_MISSING", `the server has neither ${names.join(" nor ")}`, {
      place: this.#url,
      hint: "put the tape there under one of these names",
    });
  }

  /** @returns false if the server does not have the file */
  async #fill(file: FileHandle, url: string): Promise<boolean> {
    let total = Number.POSITIVE_INFINITY;
    for (let at = 0; at < total; ) {
      const range = await requestRange(url, at, Math.min(at + this.#partBytes, total) - 1, this.#pauseMs);
      if (range === undefined) return false;
      await file.write(range.bytes, 0, range.bytes.length, at);
      at += range.bytes.length;
      total = range.total;
    }
    return true;
  }
}

/** Requests a range of bytes; undefined if the server has no such file. */
async function requestRange(
  url: string,
  from: number,
  to: number,
  pauseMs: number,
): Promise<{ readonly bytes: Uint8Array; readonly total: number } | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, { headers: { range: `bytes=${from}-${to}` } });
      if (response.status === 404 || response.status === 403) return undefined;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const total = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1]);
      if (response.status === 206 && total > 0 && bytes.length > 0) return { bytes, total };
      throw new ClusterError("TAPE_UNREACHABLE", `status ${response.status} to a request for a range of bytes`, {
        place: url,
        hint: "use a file server that answers requests for ranges (206 Partial Content)",
      });
    } catch (error) {
      const isRefused = error instanceof ClusterError && !/status 5/.test(error.message);
      if (isRefused || attempt === ATTEMPTS) throw toUnreachable(error, url);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
    }
  }
}

function toUnreachable(error: unknown, place: string): ClusterError {
  if (error instanceof ClusterError) return error;
  const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
  const hint = "check the address of --tapes, and that its server runs";
  return new ClusterError("TAPE_UNREACHABLE", cause?.message ?? message, { place, hint, cause: error });
}

/** Checks a whole copy: its hash, and the checksum of every chunk. */
async function checkTape(path: string, hash: string, place: string): Promise<void> {
  const wrong = (reason: string) =>
    new ClusterError("TAPE_WRONG", reason, { place, hint: "copy the tape to the server again" });
  const found = await readTapeHash(path).catch((error: Error) => {
    throw wrong(error.message);
  });
  if (found !== hash) throw wrong(`its hash is ${found}, not ${hash}`);
  const tape = await openTape(path).catch((error: Error) => {
    throw wrong(error.message);
  });
  try {
    for await (const _ of tape.chunks());
  } catch (error) {
    throw wrong((error as Error).message);
  } finally {
    await tape.close();
  }
}
