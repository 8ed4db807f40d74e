import { EngineError } from "../../protocol/engineError.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import { PROTOCOL_VERSION } from "../../protocol/transaction.ts";

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
