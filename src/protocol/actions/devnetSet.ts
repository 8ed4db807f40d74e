import { defineAction } from "../action.ts";
import { refuse } from "../fieldRules.ts";
import { count, optionalAddress, optionalAmount, optionalMarket, optionalPrice, word } from "../fields.ts";
import { DEVNET_TARGETS } from "../words.ts";

/** Sets state that on other networks only the rules change; devnets only. */
export const devnetSet = defineAction({
  name: "devnetSet",
  code: 26,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Sets the collateral of an account, or a market's prices, without any checks; only on a devnet.",
  needsCollateral: false,
  readsUnsettledFunding: true,
  weight: 9,
  fields: {
    what: word(DEVNET_TARGETS, "Cross collateral of the account; or oracle, index and mark of the market at once."),
    account: optionalAddress("Account whose collateral is set; it is created if it does not exist."),
    subaccount: count("Its subaccount."),
    amount: optionalAmount("New collateral, empty for none; the difference counts as an inflow or a withdrawal."),
    market: optionalMarket("Market whose prices are set."),
    price: optionalPrice("Price in USD per unit of base; no clamp applies in this action."),
  },
  rules: [
    ...refuse(["market", "price"], { when: { what: ["collateral"] }, code: "FIELD_REFUSED" }),
    ...refuse(["account", "subaccount", "amount"], { when: { what: ["price"] }, code: "FIELD_REFUSED" }),
  ],
});
