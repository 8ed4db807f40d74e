/**
 * A client in another language, from the served contract alone: a Python script reads the OpenAPI document of a venue,
 * and signs and submits one action of each kind. Without Python or its package `eth-account` it prints the reason and
 * skips the check.
 *
 *     npm run check:contract-client         PYTHON=venv/bin/python npm run check:contract-client
 */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createDevnet } from "../src/server/devnet/createDevnet.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../src/server/host/development.ts";

const python = process.env["PYTHON"] ?? "python3";
const found = spawnSync(python, ["-c", "import eth_account"], { encoding: "utf8" });
if (found.error !== undefined || found.status !== 0) {
  const why =
    found.error === undefined ? "it has no package eth-account (pip install eth-account)" : "it is not installed";
  console.log(`skipped: ${python}: ${why}`);
} else {
  const devnet = await createDevnet();
  const { restUrl } = await devnet.listen();
  const keys = { user: devnet.accounts[0]!.privateKey, ...DEVELOPMENT_AUTHORITY_KEYS };
  const script = join(import.meta.dirname, "python", "sign_from_contract.py");
  const child = spawn(python, [script, restUrl], {
    env: { ...process.env, KEYS: JSON.stringify(keys) },
    stdio: "inherit",
  });
  process.exitCode = await new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  await devnet.close();
}
