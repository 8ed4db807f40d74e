/** Steps of one account that concern no single market: funds, cancellations, grants and their agents. */
import { NONE } from "../../../../ground/collections/table.ts";
import { AccountKey } from "../../../../protocol/accountKey.ts";
import { AUTHORIZATION_STATUSES, SIDE } from "../../../../protocol/words.ts";
import { idOfGrant } from "../../../../venue/engine/authorization/addGrant.ts";
import { addressOfAgent } from "../../../../venue/engine/authorization/agents.ts";
import type { AccountRow, AuthorizationRow, IntentRow } from "../../../../venue/engine/state/schema.ts";
import { addressOfName } from "../../../../venue/simulation/accountNames.ts";
import type { Scene } from "./scene.ts";
import { draft, makeStep, type Step } from "./step.ts";
import { orderOf } from "./tradingSteps.ts";

/** Agent of the grants that steps make. */
const AGENT = addressOfName("generic-agent");

export function listAccountSteps(scene: Scene, account: AccountRow): Step[] {
  const { state } = scene;
  const key = scene.keyOf(account);
  const who = scene.nameOf(account);
  const steps: Step[] = [];
  const add = (words: string, ...drafts: Parameters<typeof draft>) =>
    steps.push(makeStep(`${who}: ${words}`, draft(...drafts)));
  const free = scene.freeOf(account);
  for (const amount of new Set([1, Math.floor(free / 3), free, free + 1])) {
    if (amount > 0) add(`withdraw ${amount} units`, "withdraw", key, { amount });
  }
  const others = [new AccountKey(key.address, key.subaccount + 1)];
  const [other] = scene.listAccounts("normal").filter((row) => row !== account);
  if (other !== undefined) others.push(scene.keyOf(other));
  for (const to of others) {
    for (const amount of new Set([Math.floor(free / 7), free])) {
      if (amount === 0) continue;
      const payload = { to: to.address, toSubaccount: to.subaccount, amount };
      add(`transfer ${amount} units to ${to.address}/${to.subaccount}`, "transfer", key, payload);
    }
  }
  add("cancel all orders", "cancelAll", key, { market: "", intents: false });
  add("cancel all orders and intents", "cancelAll", key, { market: "", intents: true });
  add("a dead-man's switch in five seconds", "scheduleCancel", key, { time: state.timeMs + 6_000 });
  add("no dead-man's switch", "scheduleCancel", key, { time: 0 });
  add("nothing", "noop", key, {});
  const { intents } = state;
  for (let at: IntentRow = state.accounts.intents[account]!; at !== NONE; at = intents.older[at]!) {
    const payload = { intent: intents.id[at], clientIntentId: "" };
    add(`cancel intent ${payload.intent}`, "cancelIntent", key, payload);
  }
  steps.push(...listGrantSteps(scene, account));
  return steps;
}

const PLAIN_GRANT = {
  label: "",
  scopes: "*",
  markets: "*",
  subaccounts: "*",
  maxOrderNotional: "*",
  maxPositionNotional: "*",
  maxDailyNotional: "*",
  maxOpenOrders: "*",
  validFrom: 0,
};

/** Grants, their ends, and orders of agents under grants that exist. */
function listGrantSteps(scene: Scene, account: AccountRow): Step[] {
  const { state } = scene;
  const { authorizations, accounts } = state;
  const key = scene.keyOf(account);
  const who = scene.nameOf(account);
  const steps: Step[] = [];
  const grant = { ...PLAIN_GRANT, agent: AGENT, expiresAt: state.timeMs + 3_600_000 };
  steps.push(makeStep(`${who}: a grant without limits`, draft("grantAuthorization", key, grant)));
  for (let at = 0; at < authorizations.rows.high; at++) {
    const row = at as AuthorizationRow;
    if (accounts.owner[authorizations.account[row]!] !== accounts.owner[account]) continue;
    if (AUTHORIZATION_STATUSES[authorizations.status[row]!] !== "active") continue;
    const id = idOfGrant(state, row);
    const agent = { address: addressOfAgent(state, authorizations.agent[row]!), grant: id };
    for (const market of scene.listMarkets()) {
      const tick = scene.tickAt(market, 0.99);
      if (tick === undefined) continue;
      const payload = orderOf(scene, market, SIDE.buy, scene.leastLots(market, tick), tick);
      const words = `${who}: an order under grant ${at} in ${state.marketNames[market]}`;
      steps.push(makeStep(words, draft("placeOrder", key, payload, agent)));
    }
    for (const cancelOrders of [false, true]) {
      const payload = { authorization: id, cancelOrders };
      steps.push(makeStep(`${who}: revoke grant ${at}`, draft("revokeAuthorization", key, payload)));
    }
  }
  return steps;
}
