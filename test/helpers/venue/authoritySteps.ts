/** What the authorities of a venue do, one transaction each. */

import type { Payloads } from "../../../src/protocol/actions/index.ts";
import { encodePayload } from "../../../src/protocol/codec.ts";
import type { ParameterTexts } from "../../../src/protocol/parameters.ts";
import { ZERO_ADDRESS } from "../../../src/protocol/transaction.ts";
import { DEVNET_TARGET, type MARKET_STATUS } from "../../../src/protocol/words.ts";
import { type Step, TraderSteps } from "./traderSteps.ts";
import { amount, keyOf, price, rate } from "./values.ts";

/** Steps of oracle, faucet and operator. */
export abstract class AuthoritySteps extends TraderSteps {
  /** Oracle price, and mark where it is given or the market takes recorded marks; funding where a rate is given. */
  price(text: string, options: { mark?: string; funding?: string; market?: string } = {}): Step {
    return this.act("oracle", "oracleUpdate", {
      market: options.market ?? this.market,
      sources: [],
      price: price(text),
      mark: options.mark === undefined ? 0 : price(options.mark),
      fundingRate: options.funding === undefined ? 0 : rate(options.funding),
      settleFunding: options.funding !== undefined,
    } as unknown as Payloads["oracleUpdate"]);
  }

  /** Reports of a market's sources: "price", or "price confidence", each as of now unless a time is given. */
  report(prices: Readonly<Record<string, string>>, options: { timeMs?: number; market?: string } = {}): Step {
    return this.act("oracle", "oracleUpdate", {
      market: options.market ?? this.market,
      price: 0,
      sources: Object.entries(prices).map(([source, text]) => {
        const [at, confidence] = text.split(" ");
        const width = confidence === undefined ? 0 : price(confidence);
        return { source, price: price(at!), confidence: width, time: options.timeMs ?? 0 };
      }),
      mark: 0,
      fundingRate: 0,
      settleFunding: false,
    } as unknown as Payloads["oracleUpdate"]);
  }

  deposit(to: string, text: string, reference = ""): Step {
    const { address, subaccount } = keyOf(to);
    return this.act("operator", "deposit", {
      to: address,
      toSubaccount: subaccount,
      amount: amount(text),
      reference,
    } as Payloads["deposit"]);
  }

  mint(to: string, text: string): Step {
    const { address, subaccount } = keyOf(to);
    return this.act("faucet", "faucetMint", {
      to: address,
      toSubaccount: subaccount,
      amount: amount(text),
    } as Payloads["faucetMint"]);
  }

  fund(text: string): Step {
    return this.act("operator", "fundInsurance", { amount: amount(text) } as Payloads["fundInsurance"]);
  }

  create(market: string, preset: string, parameters: ParameterTexts = {}): Step {
    return this.act("operator", "createMarket", {
      market,
      preset,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    });
  }

  update(parameters: ParameterTexts, market = this.market): Step {
    return this.act("operator", "updateMarket", {
      market,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    });
  }

  status(status: keyof typeof MARKET_STATUS, market = this.market): Step {
    return this.update({ status }, market);
  }

  settle(at: string, market = this.market): Step {
    return this.act("operator", "settleMarket", { market, price: price(at) } as Payloads["settleMarket"]);
  }

  /** Actions of a devnet's operator: set the collateral of an account, or the prices of a market. */
  setCollateral(who: string, text: string): Step {
    const { address: account, subaccount } = keyOf(who);
    return this.act("operator", "devnetSet", {
      what: DEVNET_TARGET.collateral,
      account,
      subaccount,
      amount: amount(text),
      market: "",
      price: price("0"),
    } as Payloads["devnetSet"]);
  }

  setPrice(text: string, market = this.market): Step {
    return this.act("operator", "devnetSet", {
      what: DEVNET_TARGET.price,
      account: ZERO_ADDRESS,
      subaccount: 0,
      amount: amount("0"),
      market,
      price: price(text),
    } as Payloads["devnetSet"]);
  }

  /** The operator of a devnet acts for an account; `text` replaces the payload's JSON. */
  impersonate(step: Step, text = JSON.stringify(encodePayload(step.action, step.payload))): Step {
    const { address: account, subaccount } = keyOf(step.who);
    const payload = new TextEncoder().encode(text);
    return this.act("operator", "devnetImpersonate", { account, subaccount, action: step.action, payload });
  }
}
