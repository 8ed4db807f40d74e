/**
 * `npm audit` of the production dependencies. Fails if the registry reports a vulnerability. If no registry answers, it
 * prints that nothing was checked.
 */
import { spawnSync } from "node:child_process";

/** The output of `npm audit --json`, in one sentence. */
export interface Audited {
  readonly kind: "clean" | "vulnerable" | "unanswered";
  readonly says: string;
}

/** @param text standard output of `npm audit --json` */
export function readAudit(text: string): Audited {
  const report = parse(text);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined) {
    const reason = report?.message ?? report?.error?.summary ?? "the output is not readable";
    return {
      kind: "unanswered",
      says: `production dependencies were not checked: no registry answered (${oneLine(reason)})`,
    };
  }
  const found = Object.entries(counts).filter(([severity, count]) => severity !== "total" && count > 0);
  if (found.length === 0) {
    return { kind: "clean", says: "production dependencies: no known vulnerability" };
  }
  const names = Object.keys(report?.vulnerabilities ?? {}).join(", ");
  const list = found.map(([severity, count]) => `${count} ${severity}`).join(", ");
  return {
    kind: "vulnerable",
    says: `production dependencies: ${list} (${names}); details: \`npm audit --omit=dev\``,
  };
}

interface AuditReport {
  readonly message?: string;
  readonly error?: { readonly summary?: string };
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, unknown>>;
}

function parse(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return undefined;
  }
}

/** Without addresses: they name the registry of one machine. */
function oneLine(reason: string): string {
  return reason
    .replace(/https?:\/\/\S+/g, "its address")
    .split("\n")[0]!
    .slice(0, 160);
}

if (import.meta.main) {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json", "--fetch-timeout=20000", "--fetch-retries=1"], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const { kind, says } = readAudit(stdout ?? "");
  console.log(says);
  if (kind === "vulnerable") process.exitCode = 1;
}
