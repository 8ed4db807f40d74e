/** A development venue in a process of its own, which may be killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { projectRoot } from "./project.ts";

export interface ServedProcess {
  readonly url: string;
  readonly port: number;
  /** What ended it: a signal, or an exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  /** Asks control under `/devnet`; throws where the answer is not 200. */
  control(path: string, body?: object): Promise<never>;
  kill(signal: NodeJS.Signals): void;
  /** What it wrote to standard error so far. */
  readonly stderr: string;
}

/** @param folder of its store and of its output */
export async function serveProcess(folder: string, port = 0): Promise<ServedProcess> {
  const config = join(folder, "devnet.json");
  const args = ["--store", join(folder, "venue"), "--control", "--port", String(port), "--config-out", config];
  const child: ChildProcess = spawn(
    process.execPath,
    [join(projectRoot, "bin", "perplab.js"), "devnet", ...args, "--limits", "off"],
    { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code)),
  );
  let stderr = "";
  child.stderr!.on("data", (text) => {
    stderr += text;
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await Promise.race([
    new Promise((resolve) => child.stdout!.once("data", resolve)),
    ended.then((end) => Promise.reject(new Error(`the venue ended with ${end} before it was ready`))),
  ]);
  child.stdout!.resume();
  const { restUrl } = JSON.parse(readFileSync(config, "utf8")) as { restUrl: string };
  const { origin, port: given } = new URL(restUrl);
  return {
    url: origin,
    port: Number(given),
    ended,
    async control(path, body) {
      const headers = { "content-type": "application/json" };
      const sent = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${origin}/devnet${path}`, sent);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { data: never }).data;
    },
    kill: (signal) => void child.kill(signal),
    get stderr() {
      return stderr;
    },
  };
}
