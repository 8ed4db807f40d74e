import type { Payloads } from "../../../protocol/actions/index.ts";
import { readDecimal } from "../arithmetic.ts";
import type { Account, Grant, ModelState } from "../state.ts";
import { LIMIT } from "../words.ts";

const SCOPES: readonly string[] = ["trade", "reduce", "cancel", "margin", "transfer"];
const SUBACCOUNT_MOST = 4_294_967_295;

/** The grant of a payload, or undefined if one of its fields is refused (AUT). */
export function readGrant(
  state: ModelState,
  { owner }: Account,
  payload: Payloads["grantAuthorization"],
): Omit<Grant, "id" | "ordinal" | "owner" | "status" | "day" | "used"> | undefined {
  const scopes = readList(payload.scopes, (text) => SCOPES.includes(text));
  const markets = readList(payload.markets, (text) => state.markets.some(({ name }) => name === text));
  const subaccounts = readList(payload.subaccounts, isSubaccount);
  const maxOrderNotional = readLimit(payload.maxOrderNotional, 6);
  const maxPositionNotional = readLimit(payload.maxPositionNotional, 6);
  const maxDailyNotional = readLimit(payload.maxDailyNotional, 6);
  const maxOpenOrders = readLimit(payload.maxOpenOrders, 0);
  const { agent, validFrom, expiresAt } = payload;
  if (scopes === undefined || markets === undefined || subaccounts === undefined || agent === owner) return undefined;
  if (maxOrderNotional === undefined || maxPositionNotional === undefined) return undefined;
  if (maxDailyNotional === undefined || maxOpenOrders === undefined) return undefined;
  if (expiresAt <= state.timeMs || expiresAt <= validFrom) return undefined;
  return {
    agent,
    scopes: new Set(scopes === "all" ? SCOPES : scopes),
    markets: markets === "all" ? undefined : new Set(markets),
    subaccounts: subaccounts === "all" ? undefined : new Set(subaccounts.map(Number)),
    maxOrderNotional,
    maxPositionNotional,
    maxDailyNotional,
    maxOpenOrders,
    validFrom,
    expiresAt,
  };
}

/** Distinct words separated by single spaces; empty for none, `*` for all. */
function readList(text: string, isKnown: (word: string) => boolean): readonly string[] | "all" | undefined {
  if (text === "*") return "all";
  const words = text === "" ? [] : text.split(" ");
  return words.every(isKnown) && new Set(words).size === words.length ? words : undefined;
}

function isSubaccount(text: string): boolean {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) && Number(text) <= SUBACCOUNT_MOST;
}

/** A canonical number that is not negative, or `*` for no limit. */
function readLimit(text: string, decimals: number): bigint | undefined {
  if (text === "*") return -1n;
  const limit = readDecimal(text, decimals);
  return limit === undefined || limit < 0n || limit > LIMIT ? undefined : limit;
}
