/** Renders `docs/compatibility.md`: compatible versions of client, interface, rules and envelope. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SDK_VERSION, SUPPORTED } from "../../src/client/sdk/versions.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION } from "../../src/protocol/transaction.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/compatibility.md";

export function render(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
    version: string;
  };
  if (version !== SDK_VERSION)
    throw new Error(`src/client/sdk/versions.ts says ${SDK_VERSION}, package.json ${version}`);
  const list = (versions: readonly (string | number)[]) => versions.map((one) => code(String(one))).join(", ");
  return `# Compatibility

${generatedFrom("src/client/sdk/versions.ts")}

A client reads \`GET /api/v1/status\` before it signs for the first time. It refuses a venue

- with which it has no version in common (\`VERSION_UNSUPPORTED\`),
- whose network is not the intended one (\`NETWORK_MISMATCH\`),
- whose genesis or epoch differs from the one that it knows (\`NETWORK_CHANGED\`).

| perplab | accepts protocol | accepts envelope |
| --- | --- | --- |
| ${code(version)} | ${list([PROTOCOL_VERSION])} | ${list([ENVELOPE_VERSION])} |

${table(
  ["client", "interface", "protocol", "envelope"],
  ["TypeScript", "Python"].map((client) => [
    `${client} ${code(SDK_VERSION)}`,
    list(SUPPORTED.api),
    list(SUPPORTED.protocol),
    list(SUPPORTED.envelope),
  ]),
)}

The oldest client that a venue works with is in its status, \`versions.sdk.typescript.minimum\` and \`versions.sdk.python.minimum\`.
`;
}
