import type { Channel } from "../../../product/strategy-host/channel.ts";
import { createRemoteStrategy } from "../../../product/strategy-host/remoteStrategy.ts";
import { describeFailure } from "../../fail.ts";
import type { Terminal } from "../../terminal.ts";
import { type MadeBacktest, makeBacktest } from "../backtest/makeBacktest.ts";
import type { BacktestWords } from "../backtest/readRun.ts";
import { backtestCommand } from "../backtest.ts";
import { createHostContext, readHostRequest, readWords } from "./request.ts";

/** Makes a backtest, of a strategy of the client or of any other. */
export async function hostBacktest(channel: Channel, given: unknown, terminal: Terminal): Promise<void> {
  const request = readHostRequest(given);
  const { strategy } = request;
  const options = readWords<BacktestWords>(backtestCommand, request, {
    always: ["checkLookahead"],
    ofClient: ["bundle"],
  });
  const context = createHostContext(channel, request, terminal);
  const made =
    typeof strategy === "string"
      ? await makeBacktest(context, strategy, options)
      : await makeBacktest(context, strategy.id, options, async () => ({
          strategy: createRemoteStrategy(strategy, channel, request.batch),
        }));
  if (made.failure === undefined) channel.send(["result", describe(made)]);
  else {
    const { code, message, place, hint } = describeFailure(made.failure);
    channel.send(["failed", { code, message, place, hint }, describe(made)]);
  }
}

/** The result of a run that a client gets besides its files. */
function describe({ result, written }: MadeBacktest) {
  const { root, head, blocks, transactions, events, wallMs, metrics, logs, stopped } = result;
  return {
    root,
    head,
    blocks,
    transactions,
    events,
    wallMs,
    metrics,
    logs: logs.map(({ timeMs, text }) => [timeMs, text]),
    stopped: stopped?.reason ?? null,
    written,
  };
}
