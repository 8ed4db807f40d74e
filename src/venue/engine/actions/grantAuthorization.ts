import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORIZATION_STATUS } from "../../../protocol/words.ts";
import { addGrant, type NewGrant } from "../authorization/addGrant.ts";
import { noteDue } from "../authorization/expireGrants.ts";
import { readLimit, readMarkets, readScopes, readSubaccounts } from "../authorization/readGrant.ts";
import { defineHandler, type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { digestOf } from "../state/digest.ts";

const invalid = (field: string): Rejection => reject("GRANT_INVALID", { field });
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/** Lets an agent act for the owner (AUT). The grant's id is the id of the transaction, whose nonce makes it new. */
export const handleGrantAuthorization = defineHandler<"grantAuthorization">("grantAuthorization")<Plan & NewGrant>({
  check(state, { account, transaction }, grant) {
    if (transaction === undefined) throw new Error("a grant is made by a transaction");
    if (!state.genesis.features.agents) return reject("FEATURE_DISABLED", { feature: "agents" });
    const { agent, label, markets, subaccounts } = grant;
    if (agent === ZERO_ADDRESS || agent === transaction.header.account.address) return invalid("agent");
    const scopes = readScopes(grant.scopes);
    if (scopes === undefined) return invalid("scopes");
    const coveredMarkets = readMarkets(markets, state.marketRows);
    if (coveredMarkets === undefined) return invalid("markets");
    const coveredSubaccounts = readSubaccounts(subaccounts);
    if (coveredSubaccounts === undefined) return invalid("subaccounts");
    const maxOrderNotional = readLimit(grant.maxOrderNotional, AMOUNT_DECIMALS);
    if (maxOrderNotional === undefined) return invalid("maxOrderNotional");
    const maxPositionNotional = readLimit(grant.maxPositionNotional, AMOUNT_DECIMALS);
    if (maxPositionNotional === undefined) return invalid("maxPositionNotional");
    const maxDailyNotional = readLimit(grant.maxDailyNotional, AMOUNT_DECIMALS);
    if (maxDailyNotional === undefined) return invalid("maxDailyNotional");
    const maxOpenOrders = readLimit(grant.maxOpenOrders, 0);
    if (maxOpenOrders === undefined) return invalid("maxOpenOrders");
    const { validFrom, expiresAt } = grant;
    if (expiresAt <= state.timeMs || expiresAt <= validFrom) return invalid("expiresAt");
    return {
      rejected: false,
      id: digestOf(state, transaction),
      account,
      agent: new AccountKey(agent, 0),
      status: validFrom > state.timeMs ? AUTHORIZATION_STATUS.scheduled : AUTHORIZATION_STATUS.active,
      label,
      markets,
      subaccounts,
      coveredMarkets,
      coveredSubaccounts,
      terms: { scopes, maxOrderNotional, maxPositionNotional, maxDailyNotional, maxOpenOrders, validFrom, expiresAt },
    };
  },

  apply(state, _context, grant) {
    const authorization = addGrant(state, grant);
    noteDue(state, authorization);
    const { authorizations: table, events } = state;
    const { w0: a0, w1: a1, w2: a2, w3: a3, w4: a4 } = grant.agent;
    const [i0, i1, i2, i3] = [table.i0, table.i1, table.i2, table.i3].map((column) => column[authorization]!);
    const [i4, i5, i6, i7] = [table.i4, table.i5, table.i6, table.i7].map((column) => column[authorization]!);
    const { account, status, terms } = grant;
    events.authorizationGranted({
      authorization,
      account,
      ...{ i0: i0!, i1: i1!, i2: i2!, i3: i3!, i4: i4!, i5: i5!, i6: i6!, i7: i7! },
      ...{ a0, a1, a2, a3, a4 },
      status,
      label: events.text(grant.label),
      markets: events.text(grant.markets),
      subaccounts: events.text(grant.subaccounts),
      ...terms,
    });
  },
});
