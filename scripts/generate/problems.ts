/** Renders `docs/reference/problems.md`: the errors of the REST interface, with their reasons. */
import { PROBLEM_CODES, PROBLEMS } from "../../src/client/api/problem.ts";
import { DEVNET_REASONS, REASONS, type ReasonKind } from "../../src/client/api/reasons.ts";
import { SIGNATURE_FAULTS } from "../../src/client/signing/recover.ts";
import { INVALID_CODES, INVALID_NAMES } from "../../src/protocol/rejections.ts";
import { problemOfRefusal } from "../../src/server/face/handlers/refusals.ts";
import {
  EVICTION_CODES,
  type EvictionCode,
  POOL_CODES,
  type PoolCode,
} from "../../src/venue/simulation/pool/errors.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/problems.md";

const id = `0x${"0".repeat(64)}` as const;
const poolRows = (Object.keys(POOL_CODES) as PoolCode[]).map((name) => {
  const problem = problemOfRefusal({ accepted: false, id, refusal: { kind: "pool", code: name } });
  return [code(name), `${problem.status}`, code(problem.code), POOL_CODES[name]];
});
const admissionRows = INVALID_NAMES.map((name) => {
  const problem = problemOfRefusal({ accepted: false, id, refusal: { kind: "admission", code: name } });
  return [code(name), `${problem.status}`, code(problem.code), INVALID_CODES[name]];
});
const reasonRows = (reasons: Readonly<Record<string, ReasonKind>>) =>
  Object.entries(reasons).map(([name, reason]) => {
    const status = reason.status ?? PROBLEMS[reason.code].status;
    return [code(name), `${status}`, code(reason.code), reason.description];
  });
const head = ["reason", "status", "code", "when"];

export function render(): string {
  return `${generatedFrom("src/client/api/problem.ts, src/client/api/reasons.ts")}
# Errors of the REST interface

Every answer that is an error has a body of the type \`application/problem+json\` (RFC 9457) with \`code\`, and usually a
\`reason\`. Both are stable: match on them, never on sentences, and treat unknown ones by their status. \`retryable\` is true
if the same request may be sent again unchanged, after \`retryAfterMs\`. On submission, \`maybeSubmitted\` of a 503 is true
if the venue may have accepted the transaction: look it up by its id first.

Rejections by trading rules are not among these errors. They commit, and the receipt carries them ([rejections](rejections.md)).

## Codes

${table(
  ["code", "status", "again?", "when"],
  PROBLEM_CODES.map((name) => {
    const { status, title, retryable } = PROBLEMS[name];
    return [code(name), `${status}`, retryable ? "yes" : "no", title];
  }),
)}

## Reasons of the service

${table(head, reasonRows(REASONS))}

## Reasons of submission

Invalid signatures are 422 \`UNAUTHORIZED\` with one of ${SIGNATURE_FAULTS.map(code).join(", ")}.

${table(head, [...admissionRows, ...poolRows])}

An accepted transaction may later end as \`dropped\`. Its confirmation then has a code of admission, or:

${table(
  ["code", "when"],
  (Object.keys(EVICTION_CODES) as EvictionCode[]).map((name) => [code(name), EVICTION_CODES[name]]),
)}

## Reasons of development venues

${table(head, reasonRows(DEVNET_REASONS))}
`;
}
