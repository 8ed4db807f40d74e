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
 * The first text of a byte form is its name and the version of its layout, such as `perplab image 2`. Another version
 * is refused by its number. Any other text is not that form.
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
