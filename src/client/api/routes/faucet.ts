import { Type } from "typebox";
import { defineRoute } from "../route.ts";
import { hashParam, single } from "../schemas/common.ts";
import { Claim, ClaimRequest, Faucet } from "../schemas/faucet.ts";
import { ClaimHeaders } from "../schemas/submission.ts";

/** Also served outside the prefix. */
export const faucetRoutes = {
  getFaucet: defineRoute({
    method: "GET",
    path: "/faucet",
    tag: "faucet",
    summary: "What the faucet gives",
    description: "404 where there is none. Also at `/faucet`, outside the prefix.",
    responses: { 200: single(Faucet) },
    problems: ["NOT_FOUND"],
    weight: 1,
  }),
  claimFaucet: defineRoute({
    method: "POST",
    path: "/faucet/claims",
    tag: "faucet",
    summary: "Claim simulated collateral",
    description: "A system transaction mints it. Also at `/faucet/claims`, outside the prefix.",
    headers: ClaimHeaders,
    body: ClaimRequest,
    responses: { 202: Claim },
    problems: ["NOT_FOUND", "IDEMPOTENCY_CONFLICT"],
    weight: 5,
  }),
  getClaim: defineRoute({
    method: "GET",
    path: "/faucet/claims/{txId}",
    tag: "faucet",
    summary: "Status of a claim",
    description:
      "Also at `/faucet/claims/{txId}`, outside the prefix. Where accounts are read by session: for the receiving address.",
    params: Type.Object({ txId: hashParam("Id of the transaction that mints.") }),
    responses: { 200: single(Claim) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND"],
    weight: 2,
  }),
} as const;
