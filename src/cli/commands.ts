import type { CommandDefinition } from "./command.ts";

/** Every command, in the order of the help. */
export const commands: readonly CommandDefinition[] = [];
