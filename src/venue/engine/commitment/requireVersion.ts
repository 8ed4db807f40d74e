import { EngineError } from "../../../protocol/engineError.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";

/**
 * A state of another protocol version is not read: its rules, and so its columns, were others.
 *
 * @throws EngineError INVALID_SNAPSHOT with both numbers
 */
export function requireVersion({ protocolVersion }: Genesis): void {
  if (protocolVersion === PROTOCOL_VERSION) return;
  const fault = `is of protocol version ${protocolVersion}, this is version ${PROTOCOL_VERSION}`;
  throw new EngineError("INVALID_SNAPSHOT", fault, { fault });
}

/**
 * The first text of a byte form is its name and how it lies, as `perplab image 2`. One that lies otherwise is refused by
 * its number; anything else is not that form at all.
 *
 * @throws EngineError INVALID_SNAPSHOT
 */
export function requireForm(text: string, name: string, version: number): void {
  if (text === `${name} ${version}`) return;
  const [, found] = text.startsWith(`${name} `) ? (/ (\d+)$/.exec(text) ?? []) : [];
  const fault =
    found === undefined ? `does not start with "${name} ${version}"` : `is "${name}" ${found}, this reads ${version}`;
  throw new EngineError("INVALID_SNAPSHOT", fault, { fault });
}
