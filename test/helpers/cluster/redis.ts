/** A Redis of its own: in a folder, at a free port. It may be killed and started again. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** When Redis writes its log to the disk. */
export type Fsync = "always" | "everysec";

/** Why there is no Redis to test with; undefined if there is one. */
export const NO_REDIS: string | undefined = findFault();

function findFault(): string | undefined {
  const { status, stdout } = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  if (status !== 0) return "no redis-server is installed: apt-get install redis-server";
  const version = /v=(\d+)\./.exec(stdout)?.[1];
  return Number(version) >= 6 ? undefined : `redis-server ${version} is too old`;
}

export class TestRedis {
  readonly port: number;
  readonly folder: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.folder = mkdtempSync(join(tmpdir(), "perplab-redis-"));
    this.#args = args;
  }

  /** @param settings options of `redis-server` besides port, folder and log */
  static async start(settings: readonly string[] = [], fsync: Fsync = "always"): Promise<TestRedis> {
    const log = ["--appendonly", "yes", "--appendfsync", fsync, "--save", "", "--aof-load-truncated", "yes"];
    const redis = new TestRedis(await findFreePort(), [...log, ...settings]);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const args = ["--port", `${this.port}`, "--bind", "127.0.0.1", "--dir", this.folder, ...this.#args];
    const child = spawn("redis-server", args, { stdio: "ignore" });
    this.#child = child;
    let isOver = false;
    child.once("exit", () => {
      isOver = true;
    });
    while (!(await answers(this.port))) {
      if (isOver) throw new Error("redis-server ended before it was ready");
      await sleep(20);
    }
  }

  /** Ends it as a loss of power does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** Sends one command of plain words. */
  async command(words: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, "127.0.0.1", () => socket.write(`${words}\r\n`));
      socket.once("data", (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once("error", reject);
    });
  }

  /** Bytes of its log. */
  get logBytes(): number {
    return statSync(this.#logFile()).size;
  }

  /** Cuts the end of its log off, as a loss of power does to what was not on the disk. Only while it is not running. */
  cutLog(bytes: number): void {
    const file = this.#logFile();
    truncateSync(file, Math.max(0, statSync(file).size - bytes));
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #logFile(): string {
    const folder = join(this.folder, "appendonlydir");
    const name = readdirSync(folder).find((file) => file.endsWith(".incr.aof"));
    return join(folder, name!);
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether Redis answers, and has read its log. Any answer but LOADING is one. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (data) => {
      resolve(!data.toString().includes("LOADING"));
      socket.destroy();
    });
    socket.once("error", () => resolve(false));
  });
}
