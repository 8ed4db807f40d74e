import { countOf, formatCount } from "../../ground/math/counts.ts";
import { defineCommand } from "../command.ts";
import { failure } from "../fail.ts";
import { formatColumns, formatTime } from "../format.ts";
import { startProgress } from "../progress.ts";
import { readWord } from "../values.ts";

interface Options {
  readonly signatures?: "verify" | "elide";
  readonly torn?: boolean;
}

/** A block log, replayed and compared. */
export const verifyCommand = defineCommand<Options>({
  name: "verify",
  summary: "Replay a block log and compare every block with what it recorded",
  description:
    "Replays a block log from its genesis and compares the events of every block, every recorded head of the effects " +
    "chain and every recorded state root with what this perplab computes. The first difference is named by its block. " +
    "A log that ends inside a record (its writer was stopped) is refused, unless --torn is given.",
  examples: [
    { args: "verify crash.log", does: "Verify the log that a backtest wrote" },
    { args: "verify crash.log --json", does: "With the result for a program" },
  ],
  configure(command) {
    command
      .argument("<log>", "the block log")
      .option("--signatures <mode>", "verify those that the log keeps, or elide (default: verify)", readSignatures)
      .option("--torn", "accept a log that ends inside a record, up to its last complete record");
  },
  async run({ terminal, json }, [path = ""], { signatures, torn: isTornTaken }) {
    const { verifyLog } = await import("../../venue/simulation/log/verifyLog.ts");
    const { sizeOf } = await import("../policy.ts");
    const progress = await startProgress(terminal, { label: "verifying", total: await sizeOf([path]), unit: "bytes" });
    try {
      const { torn, ...found } = await verifyLog(path, {
        ...(signatures === undefined ? {} : { signatures }),
        onProgress: ({ bytesDone, height }) => progress.update(bytesDone, `block ${formatCount(height)}`),
      });
      if (torn !== undefined && isTornTaken !== true) {
        throw failure("LOG_TORN", `the log ends inside a record, after ${torn.bytes} bytes of it`, {
          place: `${path}, byte ${torn.offset}`,
          hint: `everything up to block ${found.height} verifies; --torn accepts the log up to there`,
        });
      }
      progress.finish(countOf(found.blocks, "block"));
      if (json) terminal.out(JSON.stringify({ log: path, verified: true, ...found, torn: torn ?? null }));
      else terminal.out(formatVerified(path, found));
    } catch (error) {
      progress.stop();
      throw error;
    }
  },
});

const readSignatures = readWord("--signatures", ["verify", "elide"]);

type Verified = Awaited<ReturnType<typeof import("../../venue/simulation/log/verifyLog.ts").verifyLog>>;

function formatVerified(path: string, found: Omit<Verified, "torn">): string {
  const { height, timeMs, blocks, transactions, heads, roots, signatures, root, head } = found;
  const rows = [
    ["blocks", `${formatCount(blocks)}, to height ${formatCount(height)} at ${formatTime(timeMs)} UTC`],
    ["transactions", formatCount(transactions)],
    ["compared", `events of every block, ${countOf(heads, "head")}, ${countOf(roots, "state root")}`],
    ["signatures", signatures === 0 ? "none in the log" : `${formatCount(signatures)} checked`],
    ["effects head", head],
    ["state root", root],
  ];
  return `${path} replays to the same venue.\n${formatColumns(rows.map(([name, text]) => [`  ${name}`, `${text}`]))}`;
}
