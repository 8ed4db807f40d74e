/** Why a definition is refused. */
export interface ParameterFault {
  readonly parameter: string;
  readonly reason: string;
}

/** True if a definition, or a part of it, was refused. */
export function isParameterFault(value: object): value is ParameterFault {
  return "reason" in value;
}
