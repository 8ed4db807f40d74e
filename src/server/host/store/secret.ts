import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folder.ts";

export const SECRET_NAME = "secret";
const SECRET_FORM = /^[\w-]{43}$/;

/** A random secret that cannot be guessed. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The secret of a store, created on first use and stable afterwards, so that cursors of the service outlive the
 * process. Only the folder's owner may read it. A damaged secret is replaced. Open the host first: a secret without a
 * log shows that a log was lost.
 *
 * @param onReplaced called with the reason if a secret is created, also at a first start
 */
export function openSecret(directory: string, onReplaced: (reason: "missing" | "damaged") => void = () => {}): string {
  const path = join(directory, SECRET_NAME);
  if (existsSync(path)) {
    const known = readFileSync(path, "utf8").trim();
    if (SECRET_FORM.test(known)) return known;
    onReplaced("damaged");
  } else onReplaced("missing");
  makeFolder(directory);
  const secret = createSecret();
  const draft = `${path}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  return secret;
}
