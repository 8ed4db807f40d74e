import type { SearchReport } from "../campaign/report.ts";
import { formatViolation } from "./violationText.ts";

/** Workflow commands for each failure, and a last line for the log. */
export function renderGithub({ seed, transactions, failures, missing, blind, verdict }: SearchReport): string {
  const lines = failures.map(({ violation, again }) => {
    const end = again === undefined ? "" : `\nagain: ${again}`;
    return command("error", `${violation.invariant} is broken`, formatViolation(violation) + end);
  });
  if (missing.length > 0)
    lines.push(command("error", "the search proves nothing", `never reached: ${missing.join(", ")}`));
  if (blind.length > 0)
    lines.push(command("error", "the search missed planted faults", `planted and not found: ${blind.join(", ")}`));
  return [...lines, `seed ${seed}: ${transactions} transactions, ${verdict}`].join("\n");
}

const escapeData = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const command = (level: string, title: string, text: string) =>
  `::${level} title=${escapeData(title).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${escapeData(text)}`;
