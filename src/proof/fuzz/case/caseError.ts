/** Why bytes are not a case that can run here. */
export type CaseFault =
  | "CASE_MALFORMED" // not what `writeCase` writes
  | "CASE_VERSION"; // made for another protocol version; its failure lives on as a scenario

export class CaseError extends Error {
  override readonly name = "CaseError";
  readonly code: CaseFault;

  constructor(code: CaseFault, message: string) {
    super(message);
    this.code = code;
  }
}
