import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { projectRoot } from "../helpers/project.ts";

/** A program of the clone, with what it has written. The test ends it. */
export class BenchProgram {
  readonly child: ChildProcess;
  /** A signal, or an exit code. */
  readonly ended: Promise<unknown>;
  text = "";

  constructor(words: readonly string[]) {
    const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
    this.child = spawn(process.execPath, words, { cwd: projectRoot, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on("data", (data: Buffer) => {
        this.text += data.toString();
      });
    }
    this.ended = once(this.child, "close").then(([code, signal]) => signal ?? code);
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }
}
