import { isatty } from "node:tty";
import { defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";

/** The interface for strategies in other languages. */
export const strategyHostCommand = defineCommand<object>({
  name: "strategy-host",
  summary: "Run strategies of another program, which speaks to this one over stdin and stdout",
  description:
    "Runs backtests and sweeps for another program that contains the strategy: the Python package starts it by itself. " +
    "Messages are MessagePack over stdin and stdout; docs/reference/strategy-protocol.md has all of them, so that other " +
    "languages can do the same. It ends when the other program closes its end.",
  examples: [{ args: "strategy-host", does: "Wait for messages; a shell has none, so it ends at once" }],
  configure() {},
  async run({ terminal }) {
    if (isatty(0) || isatty(1)) {
      throw usageError("USAGE", "this command speaks to a program, not to a terminal", {
        place: "strategy-host",
        hint: "in Python: import perplab; perplab.backtest(…) starts it",
      });
    }
    const { StdioChannel } = await import("../../product/strategy-host/stdioChannel.ts");
    const { serveClient } = await import("./strategyHost/serveClient.ts");
    // Text that a strategy prints must not come between two messages.
    process.stdout.write = process.stderr.write.bind(process.stderr);
    await serveClient(new StdioChannel(0, 1), terminal);
  },
});
