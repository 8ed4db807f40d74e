import { expect, test } from "vitest";
import { readAudit } from "../../scripts/audit.ts";

const report = (vulnerabilities: Record<string, number>, names: string[] = []) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(names.map((name) => [name, {}])),
    metadata: { vulnerabilities },
  });

test.each([
  ["clean", report({ low: 0, high: 0, total: 0 }), "no known vulnerability"],
  ["vulnerable", report({ low: 0, high: 2, total: 2 }, ["ws", "fastify"]), "2 high (ws, fastify)"],
  [
    "unanswered",
    JSON.stringify({ message: "request to https://r.example/x failed, reason: getaddrinfo" }),
    "no registry answered (request to its address failed",
  ],
  ["unanswered", JSON.stringify({ error: { summary: "not implemented\nmore" } }), "(not implemented)"],
  ["unanswered", "", "the output is not readable"],
] as const)("an audit is %s, judged by the output of npm", (kind, text, says) => {
  const audited = readAudit(text);
  expect(audited.kind).toBe(kind);
  expect(audited.says).toContain(says);
});
