/** Workers and coordinators in processes of their own, which may be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../project.ts";
import { within } from "../within.ts";

/** Longest time until a process says something that a test waits for, ms: beyond, it hangs. */
const PATIENCE_MS = 120_000;

export class CliProcess {
  readonly #child: ChildProcess;
  /** A signal, or an exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  out = "";
  err = "";
  isOver = false;
  #onErr: () => void = () => undefined;

  /** Starts `perplab` with these words. */
  constructor(folder: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { NODE_OPTIONS: _options, VITEST: _vitest, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [join(projectRoot, "bin/perplab.js"), ...words], {
      cwd: folder,
      env: { ...inherited, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout!.on("data", (text: Buffer) => {
      this.out += text.toString();
    });
    this.#child.stderr!.on("data", (text: Buffer) => {
      this.err += text.toString();
      this.#onErr();
    });
    this.ended = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => {
        this.isOver = true;
        this.#onErr();
        resolve(signal ?? code);
      }),
    );
  }

  /** Resolves when it has written this to standard error. */
  async says(text: string): Promise<void> {
    await within(`the wait for ${JSON.stringify(text)}`, this.#waitFor(text), PATIENCE_MS).catch((error: Error) => {
      throw new Error(`${error.message}; on standard error:\n${this.err}`);
    });
  }

  async #waitFor(text: string): Promise<void> {
    while (!this.err.includes(text)) {
      if (this.isOver) throw new Error(`it ended without ${JSON.stringify(text)}:\n${this.err}`);
      await new Promise<void>((resolve) => {
        this.#onErr = resolve;
      });
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
  }
}

/** Starts a worker, and waits until it takes jobs. */
export async function startWorker(folder: string, url: string, words: readonly string[] = []): Promise<CliProcess> {
  const worker = new CliProcess(folder, ["worker", "--redis", url, ...words]);
  await worker.says("jobs from");
  return worker;
}
