import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const faucetIsOn = defineInvariant({
  id: "faucetIsOn",
  sentence: "The faucet mints only if genesis turns it on, and mints exactly the requested amount.",
  rules: ["NET-1", "ACT"],
  catalogue: ["G11"],
  when: "events",
  kinds: ["minted"],
  event(moment, at) {
    const { data, state, transaction } = moment;
    moment.met++;
    const amount = data[at + 2]!;
    if (!isOn(state)) return `account ${data[at + 1]} is minted ${amount} with the faucet off`;
    const wanted = (transaction?.payload as { amount?: number } | undefined)?.amount;
    if (transaction?.action === "faucetMint" && wanted === amount && amount > 0) return undefined;
    return `account ${data[at + 1]} is minted ${amount}, ${wanted} were requested`;
  },
});

const isOn = ({ genesis }: State) => genesis.features.faucet;
