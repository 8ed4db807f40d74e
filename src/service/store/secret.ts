import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

const NAME = "secret";
const SECRET_FORM = /^[\w-]{43}$/;

/** A secret that nobody can guess. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The secret of a store: made when it is first asked for, and the same ever after, so that what the service marks with it
 * outlives the process. Only the owner of the folder reads it. One that is damaged is replaced.
 */
export function openSecret(directory: string): string {
  const path = join(directory, NAME);
  if (existsSync(path)) {
    const known = readFileSync(path, "utf8").trim();
    if (SECRET_FORM.test(known)) return known;
  }
  mkdirSync(directory, { recursive: true });
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
