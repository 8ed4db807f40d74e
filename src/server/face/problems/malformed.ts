import type { ValidationError } from "../../../protocol/errors.ts";
import { ProblemError } from "./problems.ts";

/** The error for a body that is JSON and no transaction (TX-4). */
export function malformedTransaction({ fault, path, reason, hint }: ValidationError): ProblemError {
  const pointer = path === "" ? "body" : `body.${path}`;
  const errors = [{ pointer, rule: fault, message: `${reason}; ${hint}` }];
  return new ProblemError("VALIDATION_ERROR", `\`${pointer}\`: ${reason}; ${hint}.`, { errors });
}
