import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folder.ts";

export const SECRET_NAME = "secret";
const SECRET_FORM = /^[\w-]{43}$/;

/** A secret that nobody can guess. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The secret of a store: made when it is first asked for, and the same ever after, so that what the service marks with it
 * outlives the process. Only the owner of the folder reads it. One that is damaged is replaced. Open the host first: a secret
 * without a log shows that a log was lost.
 *
 * @param onReplaced hears why a secret is made; of a first start, too
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
