import { FUNDING_METHOD } from "../../../protocol/words.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

export const fundingCapped = defineInvariant({
  id: "fundingCapped",
  sentence: "No single funding payment exceeds the market's cap; the excess stays due.",
  rules: ["FND-2", "PRC-2"],
  catalogue: ["F04"],
  when: "events",
  kinds: ["fundingAccrued"],
  slack: "1e-9 of notional",
  event(moment, at) {
    const { data, state } = moment;
    const market = data[at + AT.fundingAccrued.market]!;
    const { fundingMethod, fundingPaymentMax } = state.parameters[market]!;
    if (fundingMethod === FUNDING_METHOD.reported) return undefined;
    moment.met++;
    const rate = data[at + AT.fundingAccrued.rate]!;
    near(moment, fundingPaymentMax - Math.abs(rate));
    return Math.abs(rate) <= fundingPaymentMax
      ? undefined
      : `market ${market} pays ${rate} at once, at most ${fundingPaymentMax} is allowed`;
  },
});
