import { Compile, type Validator } from "typebox/compile";
import {
  CLIENT_MESSAGE_MOST,
  type ClientMessage,
  clientOperations,
  type Operation,
  requestId,
  type SocketErrorCode,
} from "../../../client/api/socket/messages.ts";
import { parseStrictJson } from "../../../protocol/codecText.ts";
import { isValidationError } from "../../../protocol/errors.ts";
import { findSchemaFaults } from "../problems/schemaFaults.ts";

const validators = new Map<Operation, Validator>();

interface RefusalFields {
  readonly retryAfterMs?: number | undefined;
  readonly id?: string | number | undefined;
}

/** Why an operation is refused. */
export class SocketRefusal extends Error {
  readonly code: SocketErrorCode;
  readonly retryAfterMs: number | undefined;
  /** The client's name for the operation, if the message has a valid one. */
  readonly id: string | number | undefined;

  constructor(code: SocketErrorCode, message: string, { retryAfterMs, id }: RefusalFields = {}) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.id = id;
  }
}

/**
 * A message of a client, checked against its schema.
 *
 * @throws {SocketRefusal} INVALID_MESSAGE
 */
export function readMessage(text: string): ClientMessage {
  let json: unknown;
  try {
    json = parseStrictJson(text, CLIENT_MESSAGE_MOST);
  } catch (error) {
    if (!isValidationError(error)) throw error;
    throw new SocketRefusal("INVALID_MESSAGE", `The message cannot be read: ${error.reason}; ${error.hint}.`);
  }
  const id = readId(json);
  const op = typeof json === "object" && json !== null && "op" in json ? json.op : undefined;
  if (typeof op !== "string" || !Object.hasOwn(clientOperations, op)) {
    const known = Object.keys(clientOperations).join(", ");
    throw new SocketRefusal("INVALID_MESSAGE", `\`op\` must be one of ${known}.`, { id });
  }
  let validator = validators.get(op as Operation);
  if (validator === undefined) {
    validator = Compile(clientOperations[op as Operation]);
    validators.set(op as Operation, validator);
  }
  if (validator.Check(json)) return json as ClientMessage;
  const [fault] = findSchemaFaults(validator, json);
  const place = fault === undefined || fault.path.length === 0 ? "" : `, \`${fault.path.join(".").slice(0, 48)}\``;
  const message = `\`${op}\`${place}: ${fault?.message ?? "does not fit its schema"}.`;
  throw new SocketRefusal("INVALID_MESSAGE", message, { id });
}

const isId = Compile(requestId);

/** The `id` of a message, even of a refused one; undefined if it has none that an answer may carry. */
function readId(json: unknown): string | number | undefined {
  const id = typeof json === "object" && json !== null && "id" in json ? json.id : undefined;
  return isId.Check(id) ? id : undefined;
}
