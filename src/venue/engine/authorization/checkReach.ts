import { NONE } from "../../../ground/collections/table.ts";
import { addressOfWords } from "../../../protocol/accountKey.ts";
import { ACTION_NAMES, actions } from "../../../protocol/actions/index.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { AUTHORIZATION_STATUS, INTENT_KIND } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { findOwnOrder } from "../handler/findOrder.ts";
import type { AccountRow, AuthorizationRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { scopeBit } from "./readGrant.ts";

const SCOPE_OF = ACTION_NAMES.map((name) => actions[name].scope);

/** Members of payloads that name markets and orders. */
interface Named {
  readonly market?: string;
  readonly orders?: readonly { readonly market: string; readonly reduceOnly: boolean }[];
  readonly orderId?: number;
  readonly clientOrderId?: string;
  readonly orderIds?: readonly number[];
  readonly clientOrderIds?: readonly string[];
  readonly reduceOnly?: boolean;
  readonly to?: string;
  readonly toSubaccount?: number;
  readonly intent?: number;
  readonly kind?: number;
  readonly legs?: readonly unknown[];
  readonly clientIntentId?: string;
}

/**
 * Whether a grant covers an action: its scope, the subaccount, and every market that it touches (AUT). The check reads
 * what a payload names, not which action it is. An action that trades, reduces, cancels or margins and names no market
 * and no order touches all markets.
 */
export function checkReach(
  state: State,
  grant: AuthorizationRow,
  account: AccountRow,
  code: number,
  payload: unknown,
): Rejection | undefined {
  const named = payload as Named;
  const scope = SCOPE_OF[code]!;
  if (scope === "any") return undefined;
  const { accounts, grants, authorizations } = state;
  const granted = authorizations.scopes[grant];
  const bit = scopeBit(scope);
  // An order that only reduces needs no more than the scope to reduce. The scope to trade includes it.
  const reduces = scope === "trade" && onlyReduces(named);
  const wanted = reduces ? bit | scopeBit("reduce") : scope === "reduce" ? bit | scopeBit("trade") : bit;
  if ((granted & wanted) === 0) return reject("AUTHORIZATION_SCOPE", { scope });
  if (scope === "transfer" && !isOwn(state, account, named)) return reject("AUTHORIZATION_SCOPE", { scope: "owner" });
  const subaccounts = grants.coveredSubaccounts[grant]!;
  const covers = (subaccount: number) => subaccounts === "all" || subaccounts.has(subaccount);
  const subaccount = accounts.subaccount[account] >>> 0;
  if (!covers(subaccount)) return reject("AUTHORIZATION_SUBACCOUNT", { subaccount });
  if (scope === "transfer") {
    const target = named.toSubaccount ?? 0;
    return covers(target) ? undefined : reject("AUTHORIZATION_SUBACCOUNT", { subaccount: target });
  }
  return checkMarkets(state, grant, account, named);
}

/** Intents of an account, as a payload names them. */
function listIntents({ accounts, intents, intentTexts }: State, account: AccountRow) {
  const found: { id: number; name: string; market: MarketRow }[] = [];
  for (let row = accounts.intents[account]; row !== NONE; row = intents.older[row]) {
    found.push({ id: intents.id[row], name: intentTexts[row]!, market: intents.market[row] });
  }
  return found;
}

/** How a grant has ended, by its status. */
const ENDS: Readonly<Record<number, RejectionCode>> = {
  [AUTHORIZATION_STATUS.expired]: "AUTHORIZATION_EXPIRED",
  [AUTHORIZATION_STATUS.revoked]: "AUTHORIZATION_REVOKED",
  [AUTHORIZATION_STATUS.exhausted]: "AUTHORIZATION_EXHAUSTED",
};

/**
 * Why the grant of an intent that fires refuses its order: the grant has ended (INT). The reach of a grant never
 * changes, nor do the subaccount and the market of an intent. So reach was checked at placement; limits are checked
 * with the order.
 *
 * @param protects it protects a position, so that only a revocation stops it (INT-6)
 */
export function checkAgentIntent(
  { authorizations }: State,
  grant: AuthorizationRow,
  protects: boolean,
): Rejection | undefined {
  const status = authorizations.status[grant];
  if (status === AUTHORIZATION_STATUS.active) return undefined;
  return protects && status !== AUTHORIZATION_STATUS.revoked ? undefined : reject(ENDS[status]!);
}

/** The entry order of a group adds, whatever its legs do. */
function onlyReduces({ reduceOnly, orders, legs, kind }: Named): boolean {
  if (legs !== undefined && (kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco)) return false;
  return orders === undefined ? reduceOnly === true : orders.every((order) => order.reduceOnly);
}

/** Agents move collateral between listed subaccounts of the owner alone. */
function isOwn({ accounts, owners }: State, account: AccountRow, named: Named): boolean {
  const owner = accounts.owner[account];
  const { w0, w1, w2, w3, w4 } = owners;
  return named.to === addressOfWords(w0[owner], w1[owner], w2[owner], w3[owner], w4[owner]);
}

function checkMarkets(state: State, grant: AuthorizationRow, account: AccountRow, named: Named): Rejection | undefined {
  const markets = state.grants.coveredMarkets[grant]!;
  if (markets === "all") return undefined;
  const touched = listMarkets(state, account, named);
  if (touched === "all") return reject("AUTHORIZATION_MARKET", { market: "*" });
  for (const market of touched) {
    if (!markets.has(market)) return reject("AUTHORIZATION_MARKET", { market: state.marketNames[market]! });
  }
  return undefined;
}

/** Markets that a payload touches; a market or an order that is not there is for the action to refuse. */
function listMarkets(state: State, account: AccountRow, named: Named): readonly MarketRow[] | "all" {
  const { marketRows, orders, positions } = state;
  const byName = (names: readonly string[]) =>
    names.map((name) => marketRows.get(name)).filter((row): row is MarketRow => row !== undefined);
  if (named.market !== undefined) return named.market === "" ? "all" : byName([named.market]);
  if (named.intent !== undefined) {
    const rows = listIntents(state, account).filter(({ id, name }) =>
      named.intent === 0
        ? name !== "" && name === named.clientIntentId
        : id === named.intent && (named.clientIntentId === "" || name === named.clientIntentId),
    );
    return rows.map(({ market }) => market);
  }
  if (named.orders !== undefined) return byName(named.orders.map(({ market }) => market));
  const { orderId, clientOrderId = "", orderIds = [], clientOrderIds = [] } = named;
  if (orderId === undefined && named.orderIds === undefined && named.clientOrderIds === undefined) return "all";
  const found = [
    ...(orderId === undefined ? [] : [findOwnOrder(state, account, orderId, clientOrderId)]),
    ...orderIds.map((id) => findOwnOrder(state, account, id, "")),
    ...clientOrderIds.map((client) => findOwnOrder(state, account, 0, client)),
  ];
  return found.flatMap((order) =>
    typeof order === "number" && order !== NONE ? [positions.market[orders.position[order]]] : [],
  );
}
