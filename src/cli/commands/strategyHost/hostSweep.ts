import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Channel } from "../../../product/strategy-host/channel.ts";
import type { Definition } from "../../../product/strategy-host/definition.ts";
import { createRemoteStrategy } from "../../../product/strategy-host/remoteStrategy.ts";
import type { Context } from "../../command.ts";
import type { Terminal } from "../../terminal.ts";
import type { SweepOptions } from "../sweep/readRequest.ts";
import { makeSweepOf, sweepCommand } from "../sweep.ts";
import { createHostContext, type HostRequest, readHostRequest, readWords } from "./request.ts";

/** Options of a sweep that need the strategy's file: results are kept under its hash, and threads load it. */
const OF_FILES = ["store", "workers", "runLimit", "redis", "redisPrefix"];

/** Makes a sweep, of a strategy of the client or of any other. A cell that fails is part of it. */
export async function hostSweep(channel: Channel, given: unknown, terminal: Terminal): Promise<void> {
  const request = readHostRequest(given);
  const { strategy } = request;
  const options = readWords<SweepOptions>(sweepCommand, request, { always: ["top"], ofClient: OF_FILES });
  const context = createHostContext(channel, request, terminal);
  const { sweep } =
    typeof strategy === "string"
      ? await makeSweepOf(context, strategy, options, { commandOf: nameCell(request) })
      : await sweepClient(context, request, strategy, options, channel);
  const { toSweepJson } = await import("../../../product/research/sweep/sweepDocument.ts");
  const { rankCells } = await import("../../../product/research/sweep/rankCells.ts");
  channel.send([
    "result",
    { sweep: toSweepJson(sweep), ranked: rankCells(sweep.cells, sweep.sort).map(({ hash }) => hash) },
  ]);
}

/** One run after the other, each with the client: perplab knows no file of the strategy, so nothing is kept. */
async function sweepClient(
  context: Context,
  request: HostRequest,
  definition: Definition,
  options: SweepOptions,
  channel: Channel,
) {
  const { openClientRuns } = await import("./clientRuns.ts");
  const strategy = createRemoteStrategy(definition, channel, request.batch);
  const folder = mkdtempSync(join(tmpdir(), "perplab-sweep-"));
  try {
    return await makeSweepOf(context, definition.id, options, {
      load: async () => ({ strategy, path: "" }),
      commandOf: nameCell(request),
      open: (asked) => openClientRuns(context, asked, definition, folder),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The call of the sweep, with the point of the cell as a comment. */
function nameCell({ command }: HostRequest): (point: string) => string {
  return (point) => `${command}  # ${point}`;
}
