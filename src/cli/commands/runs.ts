import type { CommandGroup } from "../command.ts";
import { runsListCommand } from "./runs/list.ts";
import { runsPruneCommand } from "./runs/prune.ts";

/** The store of sweeps and walk-forwards. */
export const runsCommands: CommandGroup = {
  name: "runs",
  summary: "List or remove what sweeps and walk-forwards have stored",
  description:
    "Sweeps and walk-forwards store the result of each run, and a tape of the data if it was given as source files. " +
    "A result or tape that was removed is made again when it is needed.",
  commands: [runsListCommand, runsPruneCommand],
};
