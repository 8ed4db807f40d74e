import type { CommandGroup } from "../command.ts";
import { tapeCheckCommand } from "./tape/check.ts";
import { tapeExportCommand } from "./tape/export.ts";
import { tapeHeadCommand } from "./tape/head.ts";
import { tapeInfoCommand } from "./tape/info.ts";
import { tapeMergeCommand } from "./tape/merge.ts";
import { tapeSliceCommand } from "./tape/slice.ts";

/** Recorded data, shown, checked, cut and joined. */
export const tapeCommands: CommandGroup = {
  name: "tape",
  summary: "Look at recorded data, check it, cut it, join it, export it",
  description:
    "Works on a tape that import wrote. Where data is only read, files as [MARKET[:LAYOUT]=]PATH do as well. A bar counts by " +
    "its open wherever a time is given, as in backtest.",
  commands: [tapeInfoCommand, tapeHeadCommand, tapeCheckCommand, tapeSliceCommand, tapeMergeCommand, tapeExportCommand],
};
