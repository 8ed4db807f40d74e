import type { CommandDefinition } from "./command.ts";
import { importCommand } from "./commands/import.ts";
import { reportCommand } from "./commands/report.ts";
import { strategiesCommand } from "./commands/strategies.ts";

/** Every command, in the order of the help. */
export const commands: readonly CommandDefinition[] = [importCommand, reportCommand, strategiesCommand];
