/** A service with many events: every block has orders, fills and cancellations, whose signatures are elided. */
import { Random } from "../../src/ground/math/random.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { type ActionName, actions, type Payloads } from "../../src/protocol/actions/index.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import type { Address } from "../../src/protocol/fields.ts";
import type { Transaction } from "../../src/protocol/transaction.ts";
import { listen } from "../../src/server/face/http/listen.ts";
import { carryWebSockets, type WebSocketOptions } from "../../src/server/face/http/webSocket.ts";
import { createService } from "../../src/server/face/service.ts";
import type { HubOptions } from "../../src/server/face/socket/hub.ts";
import { developmentGenesis } from "../../src/server/host/development.ts";
import { FlowHost } from "../server/helpers/flowHost.ts";
import { oraclePrice, orderOf } from "./host.ts";

const TRADERS = 20;
const START_MS = 1_700_000_000_000;

const traders = Array.from(
  { length: TRADERS },
  (_, place) => new AccountKey(`0x${(0xbeef00 + place).toString(16).padStart(40, "0")}` as Address, 0),
);

/** A venue whose blocks are made one by one. */
export class BusyVenue {
  readonly host = new FlowHost(
    developmentGenesis({
      timeMs: START_MS,
      accounts: traders.map(({ address }) => ({ address, subaccount: 0, role: "normal", balance: "100000000" })),
    }),
  );
  readonly #random = Random.ofSeed([7]);
  readonly #nonces = new Map<string, number>();

  /** Makes a block of so many orders around one price, and a few cancellations. */
  step(orders = 20): void {
    const { state } = this.host;
    const height = state.height + 1;
    const random = this.#random;
    const oracle = new AccountKey(state.genesis.authorities.oracle, 0);
    const transactions: Transaction[] = [this.#make("oracleUpdate", oracle, oraclePrice("50000"), height)];
    for (let count = 0; count < orders; count++) {
      const side = random.below(2) === 0 ? "buy" : "sell";
      const price = String(50_000 + random.below(101) - 50);
      const order = orderOf(side, `0.0${1 + random.below(9)}`, price);
      transactions.push(this.#make("placeOrder", traders[random.below(TRADERS)]!, order, height));
    }
    const leaving = traders[random.below(TRADERS)]!;
    transactions.push(this.#make("cancelAll", leaving, { market: "", intents: false }, height));
    const { receipts } = this.host.apply({ height, timeMs: START_MS + height * 1_000, transactions });
    for (const [place, { nonceConsumed }] of receipts.entries()) {
      if (nonceConsumed) continue;
      const { header } = transactions[place]!;
      const lane = laneOf(header.nonceDomain, header.account.address);
      this.#nonces.set(lane, Math.min(this.#nonces.get(lane)!, header.nonce));
    }
  }

  #make<A extends ActionName>(action: A, account: AccountKey, payload: Payloads[A], height: number): Transaction {
    const lane = laneOf(actions[action].domain, account.address);
    const nonce = this.#nonces.get(lane) ?? 0;
    this.#nonces.set(lane, nonce + 1);
    const { network } = this.host.genesis;
    return createTransaction({ action, account, payload, nonce, network, validFrom: height });
  }
}

const laneOf = (domain: string, address: string): string => `${domain} ${address}`;

/** A busy venue with a real listener. */
export async function listenBusy(streams: HubOptions & WebSocketOptions = {}) {
  const venue = new BusyVenue();
  const service = createService(venue.host.asHost, { limits: "off", streams });
  const carrier = carryWebSockets(service.hub, streams);
  const listener = await listen(service.dispatcher, { onUpgrade: carrier.onUpgrade });
  return {
    venue,
    hub: service.hub,
    socketUrl: `${listener.url.replace("http", "ws")}/ws/v1`,
    async close() {
      carrier.close();
      await listener.close(100);
    },
  };
}
