import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT, type PriceE8, type SizeE8 } from "../../../ground/math/fixed.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Block, Transaction } from "../../../protocol/transaction.ts";
import { INTENT_KIND } from "../../../protocol/words.ts";
import { findActor, getNextNonce, isSystem } from "../../../venue/engine/authorization/admission.ts";
import type { AccountRow, IntentRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { readKey } from "./indexes.ts";

/** At most this many accounts are cleared by a stray block. */
const CLEARED = 32;

/** Defaults for the fields of an intent. */
const PLAIN_INTENT = {
  ...{ kind: INTENT_KIND.stop, market: "", side: 0, size: 0, fraction: 0, reduceOnly: false, source: 0, trigger: 0 },
  ...{ trail: 0, trailRate: 0, orderType: 0, price: 0, slippage: 0, timeInForce: 0, postOnly: 0, selfTrade: 0 },
  ...{ selfTradeScope: 0, duration: 0, interval: 0, legs: [], goodTilHeight: 0, goodTilTime: 0, clientIntentId: "" },
};

/**
 * A block that the venue never gets: the last block's committed transactions, users in reverse order and with their
 * next nonces. Then every account with intents or orders cancels them all and replaces an intent by one with another
 * name.
 */
export function createStrayBlock(state: State, last: Block, codes: ArrayLike<number>): Block {
  const committed = last.transactions.filter((_transaction, index) => codes[index]! >= 0);
  const system = committed.filter(({ code }) => isSystem(code));
  const users = committed.filter(({ code }) => !isSystem(code)).reverse();
  const listed = [...system, ...users, ...createCancels(state), ...createIntents(state)];
  const next = new Map<string, number>();
  const transactions = listed.map((transaction) => renew(state, transaction, next));
  return { height: state.height + 1, timeMs: state.timeMs + 1, transactions };
}

/** The same transaction with the next nonce of its lane. */
function renew(state: State, transaction: Transaction, lanes: Map<string, number>): Transaction {
  const { header } = transaction;
  const { signer, account, authorization, nonceDomain } = header;
  const lane = [signer, account.address, account.subaccount, authorization, nonceDomain].join(" ");
  const nonce = lanes.get(lane) ?? getNextNonce(state, transaction, findActor(state, transaction));
  lanes.set(lane, nonce + 1);
  const height = state.height + 1;
  return { ...transaction, header: { ...header, nonce, validFrom: height, validUntil: height } };
}

function createCancels(state: State): Transaction[] {
  const { accounts } = state;
  const list: Transaction[] = [];
  for (let row = 0 as AccountRow; row < accounts.rows.high && list.length < CLEARED; row++) {
    if (accounts.intentCount[row] === 0 && accounts.position[row] === NONE) continue;
    const payload = { market: "", intents: true };
    list.push(sign(state, createTransaction({ action: "cancelAll", account: readKey(state, row), nonce: 0, payload })));
  }
  return list;
}

/** For the newest intent of each account, a stop of one lot at twice the mark, under an unused name. */
function createIntents(state: State): Transaction[] {
  const { accounts, intents, markets, marketNames, parameters } = state;
  const list: Transaction[] = [];
  for (let row = 0 as AccountRow; row < accounts.rows.high && list.length < CLEARED; row++) {
    const at: IntentRow = accounts.intents[row]!;
    if (at === NONE) continue;
    const market = intents.market[at]!;
    const { tickSize, lotSize, minLots } = parameters[market]!;
    const double = Math.min(markets.mark[market]! * 2, LIMIT - tickSize);
    const trigger = Math.ceil(double / tickSize) * tickSize;
    const payload = {
      ...PLAIN_INTENT,
      market: marketNames[market]!,
      size: (lotSize * Math.max(1, minLots)) as SizeE8,
      trigger: trigger as PriceE8,
      price: trigger as PriceE8,
      clientIntentId: `stray ${row}`,
    } as unknown as Payloads["placeIntent"];
    const account: AccountKey = readKey(state, row);
    list.push(sign(state, createTransaction({ action: "placeIntent", account, nonce: 0, payload })));
  }
  return list;
}

/** Signed for a venue's network and version. */
function sign({ genesis }: State, transaction: Transaction): Transaction {
  const { network, protocolVersion } = genesis;
  return { ...transaction, header: { ...transaction.header, network, protocolVersion } };
}
