/** A Redis with TLS, whose certificate is of an authority that no machine knows. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, NO_REDIS, TestRedis } from "./redis.ts";

/** Why there is no Redis with TLS to test with; undefined if there is one. */
export const NO_TLS: string | undefined =
  NO_REDIS ?? (spawnSync("openssl", ["version"]).status === 0 ? undefined : "no openssl is installed");

export interface TlsRedis {
  readonly redis: TestRedis;
  /** Host and port with TLS. */
  readonly host: string;
  /** File with the certificate of the authority. */
  readonly authority: string;
  close(): Promise<void>;
}

/**
 * Starts it.
 *
 * @param name what its certificate is for, as `openssl` writes it: `IP:127.0.0.1`
 * @param settings further options of `redis-server`
 */
export async function startTlsRedis(name: string, settings: readonly string[] = []): Promise<TlsRedis> {
  const folder = mkdtempSync(join(tmpdir(), "perplab-tls-"));
  makeCertificates(folder, name);
  const port = await findFreePort();
  const fileOf = (file: string) => join(folder, file);
  const tls = ["--tls-port", `${port}`, "--tls-cert-file", fileOf("redis.crt"), "--tls-key-file", fileOf("redis.key")];
  const clients = ["--tls-ca-cert-file", fileOf("ca.crt"), "--tls-auth-clients", "no"];
  const redis = await TestRedis.start([...tls, ...clients, ...settings]);
  return {
    redis,
    host: `127.0.0.1:${port}`,
    authority: fileOf("ca.crt"),
    async close() {
      await redis.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeCertificates(folder: string, name: string): void {
  const openssl = (...words: string[]) => {
    const { status, stderr } = spawnSync("openssl", words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${words.join(" ")}: ${stderr}`);
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=authority", "-days", "2");
  openssl("req", ...key, "-keyout", "redis.key", "-out", "redis.csr", "-subj", "/CN=redis");
  writeFileSync(join(folder, "names"), `subjectAltName=${name}\n`);
  const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
  openssl("x509", "-req", "-in", "redis.csr", ...by, "-out", "redis.crt", "-days", "2");
}
