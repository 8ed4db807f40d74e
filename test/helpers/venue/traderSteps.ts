/** What traders do, one transaction each. */

import type { ActionName, JsonPayloads, Payloads } from "../../../src/protocol/actions/index.ts";
import { decodePayload } from "../../../src/protocol/codec.ts";
import type { TransactionInit } from "../../../src/protocol/createTransaction.ts";
import type { Bytes32 } from "../../../src/protocol/fields.ts";
import {
  BATCH_MODE,
  MARGIN_DIRECTION,
  MARGIN_MODE,
  ORDER_TYPE,
  POST_ONLY,
  SELF_TRADE,
  SELF_TRADE_SCOPE,
  SIDE,
  TIME_IN_FORCE,
} from "../../../src/protocol/words.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { WHOLE_GRANT } from "../words.ts";
import { addressOf, amount, keyOf, price, rate, size } from "./values.ts";

/** A transaction that does not have its nonce yet. */
export interface Step {
  readonly action: ActionName;
  /** Name of the account, or of an authority. */
  readonly who: string;
  readonly payload: Payloads[ActionName];
  readonly header: Partial<TransactionInit<ActionName>>;
}

type IntentJson = JsonPayloads["placeIntent"];

/** Fields of an intent that a test says something about, as in JSON. */
export type IntentOptions = Partial<Omit<IntentJson, "legs" | "kind">> & {
  readonly legs?: readonly (Partial<IntentJson["legs"][number]> & Pick<IntentJson["legs"][number], "kind">)[];
};

export interface OrderOptions {
  readonly type?: keyof typeof ORDER_TYPE;
  readonly slippage?: string;
  readonly tif?: keyof typeof TIME_IN_FORCE;
  readonly postOnly?: boolean | "slide";
  /** Last height and block time of a GTT order. */
  readonly height?: number;
  readonly time?: number;
  readonly reduceOnly?: boolean;
  readonly selfTrade?: keyof typeof SELF_TRADE;
  readonly scope?: keyof typeof SELF_TRADE_SCOPE;
  readonly client?: string;
  readonly market?: string;
}

const LEG = {
  kind: "stop",
  source: "mark",
  trigger: "",
  trail: "",
  trailRate: "",
  orderType: "market",
  price: "",
  slippage: "",
  timeInForce: "GTC",
  postOnly: "no",
} as const;

const orderSlippage = ({ price, orderType }: { readonly price?: string; readonly orderType?: string }) =>
  price === undefined && orderType !== "limit" ? "0.05" : "";

/** Steps of traders, in their words. */
export abstract class TraderSteps {
  abstract state: State;
  /** Market of orders that name none. */
  abstract readonly market: string;

  /** Any action of anybody. */
  act<A extends ActionName>(who: string, action: A, payload: Payloads[A], header: Step["header"] = {}): Step {
    return { action, who, payload, header };
  }

  order(who: string, side: "buy" | "sell", lots: string, at: string | undefined, options: OrderOptions = {}): Step {
    const { type = "limit", slippage, tif = "GTC", selfTrade = "cancelTaker", scope = "account" } = options;
    return this.act(who, "placeOrder", {
      market: options.market ?? this.market,
      side: SIDE[side],
      orderType: ORDER_TYPE[type],
      size: size(lots),
      price: at === undefined ? 0 : price(at),
      slippage: slippage === undefined ? 0 : rate(slippage),
      timeInForce: TIME_IN_FORCE[tif],
      goodTilHeight: options.height ?? 0,
      goodTilTime: options.time ?? 0,
      postOnly:
        options.postOnly === "slide" ? POST_ONLY.slide : options.postOnly === true ? POST_ONLY.reject : POST_ONLY.no,
      reduceOnly: options.reduceOnly ?? false,
      selfTrade: SELF_TRADE[selfTrade],
      selfTradeScope: SELF_TRADE_SCOPE[scope],
      clientOrderId: options.client ?? "",
    } as Payloads["placeOrder"]);
  }

  buy(who: string, lots: string, at: string, options?: OrderOptions): Step {
    return this.order(who, "buy", lots, at, options);
  }

  sell(who: string, lots: string, at: string, options?: OrderOptions): Step {
    return this.order(who, "sell", lots, at, options);
  }

  /** Several orders of one account; each is a step of `buy`, `sell` or `order`. */
  batch(who: string, mode: keyof typeof BATCH_MODE, ...orders: Step[]): Step {
    const payload = { mode: BATCH_MODE[mode], orders: orders.map((step) => step.payload as Payloads["placeOrder"]) };
    return this.act(who, "placeOrders", payload);
  }

  schedule(who: string, time: number): Step {
    return this.act(who, "scheduleCancel", { time });
  }

  cancel(who: string, orderId: number): Step {
    return this.act(who, "cancelOrder", { orderId, clientOrderId: "" } as Payloads["cancelOrder"]);
  }

  cancelAll(who: string, market = "", intents = false): Step {
    return this.act(who, "cancelAll", { market, intents });
  }

  amend(
    who: string,
    orderId: number,
    change: { size?: string; price?: string; client?: string; height?: number; time?: number },
  ): Step {
    return this.act(who, "amendOrder", {
      orderId,
      clientOrderId: change.client ?? "",
      size: change.size === undefined ? 0 : size(change.size),
      price: change.price === undefined ? 0 : price(change.price),
      goodTilHeight: change.height ?? 0,
      goodTilTime: change.time ?? 0,
    } as Payloads["amendOrder"]);
  }

  /** An intent as its owner writes it; what is not given is empty. A market order may slip by 5 %. */
  intent(who: string, kind: JsonPayloads["placeIntent"]["kind"], given: IntentOptions): Step {
    const { legs = [], ...fields } = given;
    const json = {
      ...LEG,
      orderType: kind === "oco" ? "limit" : LEG.orderType,
      slippage: kind === "oco" ? "" : orderSlippage(given),
      market: this.market,
      kind,
      side: "sell",
      size: "",
      fraction: "",
      reduceOnly: false,
      selfTrade: "cancelMaker",
      selfTradeScope: "account",
      duration: 0,
      interval: 0,
      goodTilHeight: 0,
      goodTilTime: 0,
      clientIntentId: "",
      ...fields,
      legs: legs.map((leg) => ({ ...LEG, slippage: orderSlippage(leg), ...leg })),
    };
    return this.act(who, "placeIntent", decodePayload("placeIntent", json));
  }

  cancelIntent(who: string, intent: number, clientIntentId = ""): Step {
    return this.act(who, "cancelIntent", { intent, clientIntentId } as Payloads["cancelIntent"]);
  }

  close(
    who: string,
    options: { size?: string; price?: string; slippage?: string; market?: string; client?: string },
  ): Step {
    return this.act(who, "closePosition", {
      market: options.market ?? this.market,
      size: options.size === undefined ? 0 : size(options.size),
      price: options.price === undefined ? 0 : price(options.price),
      slippage: options.slippage === undefined ? 0 : rate(options.slippage),
      clientOrderId: options.client ?? "",
    } as Payloads["closePosition"]);
  }

  leverage(who: string, leverage: number, market = this.market): Step {
    return this.act(who, "setLeverage", { market, leverage });
  }

  mode(who: string, mode: keyof typeof MARGIN_MODE, market = this.market): Step {
    return this.act(who, "setMarginMode", { market, mode: MARGIN_MODE[mode] });
  }

  /** Moves collateral to an isolated position, or back. */
  adjust(who: string, direction: keyof typeof MARGIN_DIRECTION, text: string, market = this.market): Step {
    return this.act(who, "adjustIsolatedMargin", {
      market,
      direction: MARGIN_DIRECTION[direction],
      amount: amount(text),
    } as Payloads["adjustIsolatedMargin"]);
  }

  withdraw(who: string, text: string): Step {
    return this.act(who, "withdraw", { amount: amount(text) } as Payloads["withdraw"]);
  }

  transfer(who: string, to: string, text: string): Step {
    const { address, subaccount } = keyOf(to);
    return this.act(who, "transfer", {
      to: address,
      toSubaccount: subaccount,
      amount: amount(text),
    } as Payloads["transfer"]);
  }

  /** A grant to an agent for everything, without limits, for a day; `terms` override these. */
  grant(who: string, agent: string, terms: Partial<Payloads["grantAuthorization"]> = {}): Step {
    return this.act(who, "grantAuthorization", {
      ...WHOLE_GRANT,
      agent: addressOf(agent),
      expiresAt: this.state.timeMs + 86_400_000,
      ...terms,
    });
  }

  revoke(who: string, authorization: Bytes32, cancelOrders = false): Step {
    return this.act(who, "revokeAuthorization", { authorization, cancelOrders });
  }

  /** The step, signed by an agent under a grant. */
  by(agent: string, authorization: Bytes32, step: Step): Step {
    return { ...step, header: { ...step.header, signer: addressOf(agent), authorization } };
  }
}
