import type { Claim } from "../../../client/api/schemas/faucet.ts";
import { formatDecimal, parseDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, type Amount } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { withAsOf } from "../../host/asOf.ts";
import { invalidField, notFound, ProblemError } from "../problems/problems.ts";
import { readAddress, readReader, requireSeen } from "../services/access.ts";
import type { Services } from "../services/services.ts";
import { ASSET, hasFaucet } from "../views/status.ts";
import type { HandlersOf } from "./handler.ts";
import { checkTaking, problemOfRefusal } from "./refusals.ts";
import { readKey } from "./submission.ts";

const NOTICE = "Simulated test assets: they have no value outside and cannot be redeemed.";

export const faucetHandlers = {
  getFaucet: (services) => {
    checkFaucet(services);
    const { faucetAccount } = services.limiter.limits;
    const body = {
      enabled: true,
      simulated: true,
      notice: NOTICE,
      asset: ASSET,
      maxPerClaim: services.claims.most,
      claimsOfAccount: faucetAccount?.quota ?? null,
      windowSeconds: faucetAccount === undefined ? null : faucetAccount.windowMs / 1_000,
    };
    return { status: 200, body: withAsOf(services.host, body), volatile: true };
  },

  claimFaucet: async (services, { body, headers, client }) => {
    checkFaucet(services);
    checkTaking(services);
    const { claims, limiter } = services;
    const to = readAddress(body.address, "body.address");
    const { subaccount: toSubaccount = 0, amount: text = claims.most } = body;
    // The schema accepts more digits than an amount can hold.
    const isFar = Number(text) > Number(claims.most);
    const amount = parseDecimal(isFar ? "0" : text, AMOUNT_DECIMALS) as Amount;
    if (isFar || amount > parseDecimal(claims.most, AMOUNT_DECIMALS)) {
      throw invalidField("body.amount", "maximum", `must be at most ${claims.most}`);
    }
    if (amount === 0) throw invalidField("body.amount", "minimum", "must be above 0");
    const mint = { to, toSubaccount, amount };
    const header = headers["idempotency-key"];
    const key = header === undefined ? undefined : `${to}/${readKey(header)}`;
    const of = `${toSubaccount}/${text}`;
    const known = key === undefined ? undefined : claims.get(key);
    if (known !== undefined) {
      if (known.of !== of) throw claimKeyReused();
      const id = await known.id;
      return { status: 202, body: claimOf(services, id, mint), headers: { "idempotency-replayed": "true" } };
    }
    limiter.admitClaim(client, to);
    const minted = submitMint(services, mint);
    if (key !== undefined) claims.add(key, { of, id: minted });
    return { status: 202, body: claimOf(services, await minted, mint) };
  },

  getClaim: (services, { params, headers }) => {
    checkFaucet(services);
    const id = params.txId as Bytes32;
    const entry = services.host.transaction(id);
    const transaction =
      entry?.status === "committed" ? entry.block.transactions[entry.index] : entry?.signed.transaction;
    const mint = transaction?.action === "faucetMint" ? (transaction.payload as Payloads["faucetMint"]) : undefined;
    requireSeen(readReader(services, headers), mint && [mint.to], () =>
      notFound("The faucet made no such claim, or it is no longer kept."),
    );
    const claim = claimOf(services, id, mint!);
    return { status: 200, body: withAsOf(services.host, claim), volatile: true };
  },
} satisfies HandlersOf<"getFaucet" | "claimFaucet" | "getClaim">;

function checkFaucet({ host, config }: Services): void {
  if (!hasFaucet(host.genesis, config)) throw notFound("This network has no faucet.", "NOT_EXPOSED");
}

async function submitMint({ host }: Services, mint: Payloads["faucetMint"]): Promise<Bytes32> {
  const submitted = await host.submitSystem("faucetMint", mint);
  if (!submitted.accepted) throw problemOfRefusal(submitted);
  return submitted.id;
}

function claimOf({ host }: Services, txId: Bytes32, { to, toSubaccount, amount }: Payloads["faucetMint"]): Claim {
  const entry = host.transaction(txId);
  const status = entry?.status ?? "pending";
  const outcome = entry?.status === "committed" ? entry.receipt.status : null;
  return {
    txId,
    address: to,
    subaccount: toSubaccount,
    amount: formatDecimal(amount, AMOUNT_DECIMALS),
    simulated: true,
    status,
    outcome: outcome === "invalid" ? null : outcome,
  };
}

function claimKeyReused(): ProblemError {
  const detail = "The key belongs to another claim; a different claim needs a key of its own.";
  return new ProblemError("IDEMPOTENCY_CONFLICT", detail, { reason: "KEY_REUSED" });
}
