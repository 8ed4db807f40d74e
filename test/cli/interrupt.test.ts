import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createFolder, projectRoot } from "../helpers/project.ts";

const module = pathToFileURL(join(projectRoot, "src/cli/interrupt.ts")).href;

// Two works under way at once, one that is over, and one draft of each.
const program = `
  import { rmSync, writeFileSync } from "node:fs";
  import { onInterrupt } from ${JSON.stringify(module)};
  for (const name of ["one", "two", "over"]) writeFileSync(name, "");
  onInterrupt(() => rmSync("one"));
  onInterrupt(() => rmSync("two"));
  onInterrupt(() => rmSync("over"))();
  setInterval(() => undefined, 1000);
  process.stdout.write("ready");
`;

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s cleans up after all running work, and ends the process",
  async (signal) => {
    const folder = createFolder({ "work.ts": program });
    const child = spawn(process.execPath, ["work.ts"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill(signal);
    const [code, by] = (await once(child, "exit")) as [number | null, string | null];
    expect({ code, by }).toEqual({ code: null, by: signal });
    expect(readdirSync(folder).sort()).toEqual(["over", "work.ts"]);
  },
);
