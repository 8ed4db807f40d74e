import { Type } from "typebox";
import { DOMAINS } from "../../../protocol/action.ts";
import { SIDES } from "../../../protocol/words.ts";
import { defineRoute, GUARDED } from "../route.ts";
import { AccountRisk, Balance, NonceState, Position } from "../schemas/accounts.ts";
import {
  addressParam,
  listed,
  marketParam,
  paged,
  pageQuery,
  single,
  subaccount,
  subaccountQuery,
  word,
} from "../schemas/common.ts";
import { Liquidation } from "../schemas/liquidations.ts";
import { Fill } from "../schemas/markets.ts";
import { INTENT_STATUSES, Intent, ORDER_STATUSES, Order } from "../schemas/orders.ts";
import { Preview, PreviewRequest } from "../schemas/preview.ts";

const params = Type.Object({ address: addressParam("Address of the account's owner.") });
const market = Type.Optional(marketParam);
/** Some of the words, with commas between. */
const anyOf = (words: readonly string[], description: string) =>
  Type.Optional(
    Type.String({
      pattern: `^(${words.join("|")})(,(${words.join("|")}))*$`,
      maxLength: 128,
      description: `${description} With commas between: ${words.join(", ")}.`,
    }),
  );
const heightQuery = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

export const accountRoutes = {
  listBalances: defineRoute({
    method: "GET",
    path: "/accounts/{address}/balances",
    tag: "accounts",
    summary: "Balance state by subaccount",
    description: "Empty for an address that never held anything.",
    params,
    query: Type.Object({ subaccount: subaccountQuery }),
    responses: { 200: listed(Balance) },
    problems: GUARDED,
    weight: 2,
  }),
  listOrders: defineRoute({
    method: "GET",
    path: "/accounts/{address}/orders",
    tag: "accounts",
    summary: "Orders, newest first",
    description:
      "Open ones, unless `status` or `includeClosed` asks for more; of closed ones the newest are kept. Which orders the pages hold is decided at the height of the first; each is shown as it is at `asOf`.",
    params,
    query: Type.Object({
      subaccount: subaccountQuery,
      market,
      status: anyOf(ORDER_STATUSES, "Only orders in one of these states."),
      side: Type.Optional(word(SIDES, "Only this side.")),
      clientOrderId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: "Only the order with this name." }),
      ),
      includeClosed: Type.Optional(Type.Boolean({ default: false, description: "Closed orders, too." })),
      fromHeight: heightQuery("Only orders entered at this height or above."),
      toHeight: heightQuery("Only orders entered at this height or below."),
      ...pageQuery,
    }),
    responses: { 200: paged(Order) },
    problems: [...GUARDED, "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  listFills: defineRoute({
    method: "GET",
    path: "/accounts/{address}/fills",
    tag: "accounts",
    summary: "Fills, newest first",
    params,
    query: Type.Object({ subaccount: subaccountQuery, market, ...pageQuery }),
    responses: { 200: paged(Fill) },
    problems: [...GUARDED, "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  listPositions: defineRoute({
    method: "GET",
    path: "/accounts/{address}/positions",
    tag: "accounts",
    summary: "Open positions",
    params,
    query: Type.Object({ subaccount: subaccountQuery, market }),
    responses: { 200: listed(Position) },
    problems: [...GUARDED, "NOT_FOUND"],
    weight: 2,
  }),
  getNonce: defineRoute({
    method: "GET",
    path: "/accounts/{address}/nonce",
    tag: "accounts",
    summary: "Nonce for signer, subaccount and domain",
    description:
      "Public: a signer needs the next nonce. Where accounts are read by session, `pending` is empty for other readers than the account and the signer.",
    params,
    query: Type.Object({
      signer: addressParam("Who signs: the owner, an agent, or an authority."),
      subaccount: subaccount("Acting subaccount."),
      domain: word(DOMAINS, "Class of actions."),
    }),
    responses: { 200: single(NonceState) },
    problems: ["SESSION_REQUIRED"],
    weight: 2,
  }),
  listIntents: defineRoute({
    method: "GET",
    path: "/accounts/{address}/conditional-intents",
    tag: "accounts",
    summary: "Conditional intents, newest first",
    description: "Those that may still act, unless `status` or `includeEnded` asks for more.",
    params,
    query: Type.Object({
      subaccount: subaccountQuery,
      market,
      status: anyOf(INTENT_STATUSES, "Only intents in one of these states."),
      includeEnded: Type.Optional(Type.Boolean({ default: false, description: "Ended ones, too." })),
      ...pageQuery,
    }),
    responses: { 200: paged(Intent) },
    problems: [...GUARDED, "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  listRisk: defineRoute({
    method: "GET",
    path: "/accounts/{address}/risk",
    tag: "accounts",
    summary: "Account risk state by subaccount",
    params,
    query: Type.Object({ subaccount: subaccountQuery }),
    responses: { 200: listed(AccountRisk) },
    problems: GUARDED,
    weight: 2,
  }),
  listAccountLiquidations: defineRoute({
    method: "GET",
    path: "/accounts/{address}/liquidations",
    tag: "accounts",
    summary: "Liquidations affecting the account, newest first",
    params,
    query: Type.Object({ subaccount: subaccountQuery, ...pageQuery }),
    responses: { 200: paged(Liquidation) },
    problems: [...GUARDED, "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  previewAction: defineRoute({
    method: "POST",
    path: "/accounts/{address}/preview",
    tag: "accounts",
    summary: "What an action would do",
    description:
      "Tries the action in the next block, alone in it and at unchanged prices, by the venue's own rules. Nothing is signed and nothing changes.",
    params,
    body: PreviewRequest,
    responses: { 200: single(Preview) },
    problems: GUARDED,
    weight: 20,
  }),
} as const;
