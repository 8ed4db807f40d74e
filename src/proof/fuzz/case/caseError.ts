/** Reason why bytes are not a case that can run here. */
export type CaseFault =
  | "CASE_MALFORMED" // not in the format of `writeCase`
  | "CASE_VERSION"; // for another protocol version; its failure remains as a scenario

export class CaseError extends Error {
  override readonly name = "CaseError";
  readonly code: CaseFault;

  constructor(code: CaseFault, message: string) {
    super(message);
    this.code = code;
  }
}
