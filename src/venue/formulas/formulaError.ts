/** Why a formula refused an argument. */
export type FormulaErrorCode =
  | "FORMULA_DECIMAL" // a text that is not a canonical decimal, or has more decimals than its unit
  | "FORMULA_RANGE" // a number that the formula does not accept, or a result beyond the storable range
  | "FORMULA_GRID" // a size that is not a whole number of lots, or a price that is not a whole number of ticks
  | "FORMULA_TYPE" // a value of another type, such as a number in place of text, or a field that is missing
  | "FORMULA_MARKET"; // a market definition that breaks a rule

/** The error that a formula throws, with the argument at fault. */
export class FormulaError extends Error {
  override readonly name = "FormulaError";
  readonly code: FormulaErrorCode;
  /** Name of the argument or of the parameter; of the result, if that is out of range. */
  readonly argument: string;

  constructor(code: FormulaErrorCode, argument: string, reason: string) {
    super(`${argument}: ${reason}`);
    this.code = code;
    this.argument = argument;
  }
}

/** It works also where two copies of the package are loaded, and `instanceof` fails. */
export function isFormulaError(error: unknown): error is FormulaError {
  return error instanceof Error && error.name === "FormulaError";
}
