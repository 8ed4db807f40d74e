import { defineCommand } from "../../command.ts";
import { openSources } from "../../openSources.ts";
import { formatManifest } from "../import.ts";

/** Contents of a recording, and the faults of its files. */
export const tapeInfoCommand = defineCommand<object>({
  name: "info",
  summary: "Show the contents of recorded data",
  description: "Markets, kinds and counts of events, the span of time, the files, and every finding in them.",
  examples: [{ args: "tape info btc-2024.tape", does: "Markets, events and findings of a tape" }],
  configure(command) {
    command.argument("<data...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH");
  },
  async run(context, data) {
    const { terminal, json } = context;
    const source = await openSources(context, { data, silent: json });
    try {
      const { manifest } = source;
      terminal.out(json ? JSON.stringify(manifest) : formatManifest(data.join(" "), manifest));
    } finally {
      await source.close();
    }
  },
});
