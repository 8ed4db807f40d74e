import { Compile, type Validator } from "typebox/compile";
import {
  CLIENT_MESSAGE_MOST,
  type ClientMessage,
  clientOperations,
  type Operation,
  type SocketErrorCode,
} from "../../api/socket/messages.ts";
import { parseStrictJson } from "../../protocol/codecText.ts";
import { isValidationError } from "../../protocol/errors.ts";

const validators = new Map<Operation, Validator>();

/** Why an operation is refused. */
export class SocketRefusal extends Error {
  readonly code: SocketErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: SocketErrorCode, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
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
  const op = typeof json === "object" && json !== null && "op" in json ? json.op : undefined;
  if (typeof op !== "string" || !Object.hasOwn(clientOperations, op)) {
    const known = Object.keys(clientOperations).join(", ");
    throw new SocketRefusal("INVALID_MESSAGE", `\`op\` must be one of ${known}.`);
  }
  let validator = validators.get(op as Operation);
  if (validator === undefined) {
    validator = Compile(clientOperations[op as Operation]);
    validators.set(op as Operation, validator);
  }
  if (validator.Check(json)) return json as ClientMessage;
  const [first] = validator.Errors(json);
  const place = first?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  throw new SocketRefusal("INVALID_MESSAGE", `\`${op}\`${place === "" ? "" : `, \`${place}\``}: ${first?.message}.`);
}
