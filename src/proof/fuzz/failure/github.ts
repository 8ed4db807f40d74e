import type { FailureReport } from "./model.ts";

/** One workflow command per failure, at the file of its scenario. */
export function renderGithub(reports: readonly FailureReport[]): string {
  return reports
    .map(({ invariant, headline, sentence, scenario, command }) => {
      const file = property(`scenarios/regressions/${scenario.name}`);
      const text = message(`${headline}\n${sentence}\nagain: ${command}`);
      return `::error file=${file},line=1,title=${property(`${invariant} is broken`)}::${text}\n`;
    })
    .join("");
}

const message = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
