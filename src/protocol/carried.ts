import { ACTION_NAMES, type ActionName, actions, type Payloads } from "./actions/index.ts";
import { decodePayload } from "./codec.ts";
import { parseStrictJson, TRANSACTION_TEXT_MOST } from "./codecText.ts";
import { isValidationError } from "./errors.ts";

/** An action of a user that another transaction carries, decoded. */
export interface Carried {
  readonly action: ActionName;
  readonly payload: Payloads[ActionName];
}

/** Why a carried transaction is refused: the place, and its fault (a `ValidationFault`). */
export interface CarriedFault {
  readonly path: string;
  readonly fault: string;
}

export function isCarriedFault(read: Carried | CarriedFault): read is CarriedFault {
  return "fault" in read;
}

/**
 * Reads an action that another transaction carries, as strictly as an action of its own transaction (TX-4). Never
 * throws.
 *
 * @param name  action; one that users sign
 * @param bytes JSON of its payload, printable ASCII
 */
export function readCarried(name: string, bytes: Uint8Array): Carried | CarriedFault {
  const action = ACTION_NAMES.find((known) => known === name);
  if (action === undefined || "authority" in actions[action]) return { path: "action", fault: "unknownWord" };
  if (bytes.length > TRANSACTION_TEXT_MOST) return { path: "payload", fault: "tooLarge" };
  let text = "";
  for (const byte of bytes) {
    if (byte < 32 || byte > 126) return { path: "payload", fault: "malformed" };
    text += String.fromCharCode(byte);
  }
  try {
    return { action, payload: decodePayload(action, parseStrictJson(text)) };
  } catch (error) {
    if (!isValidationError(error)) throw error;
    return { path: error.path === "" ? "payload" : error.path, fault: error.fault };
  }
}
