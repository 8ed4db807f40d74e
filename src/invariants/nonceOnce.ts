import { findActor } from "../engine/admission.ts";
import { addressOfAgent } from "../engine/authorization/agents.ts";
import type { LaneRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { DOMAINS } from "../protocol/action.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listAccounts } from "./exact/walk.ts";

export const nonceOnce = defineInvariant({
  id: "nonceOnce",
  sentence: "Every committed transaction takes the next nonce of its lane, an inadmissible one takes none.",
  rules: ["NON-1", "NON-2", "NON-3"],
  when: "block",
  check(state, { before, block, result, events }) {
    const lanes = readLanes(before);
    let consumed = before.consumed;
    for (const [index, transaction] of block.transactions.entries()) {
      if (result.receipts.status(index) === "invalid") continue;
      consumed++;
      const { header } = transaction;
      const actor = header.nonceDomain === "system" ? header.signer : findActor(state, transaction);
      const agent = header.signer === header.account.address ? "" : ` ${header.signer}`;
      const lane =
        header.nonceDomain === "system"
          ? authorityLane(state, header.signer)
          : `${actor}${agent} ${header.nonceDomain}`;
      if (header.nonce !== (lanes.get(lane) ?? 0))
        return `transaction ${index} committed nonce ${header.nonce} of ${lane}`;
      lanes.set(lane, header.nonce + 1);
    }
    const after = readLanes(state);
    for (const [lane, next] of after) {
      if (next !== (lanes.get(lane) ?? 0))
        return `${lane} is at ${next}, its transactions lead to ${lanes.get(lane) ?? 0}`;
    }
    if (state.consumed !== consumed) return `${state.consumed} transactions are counted, ${consumed} committed`;
    const said = events.filter(({ kind }) => kind === "nonceAdvanced" || kind === "laneAdvanced").length;
    return said === consumed - before.consumed ? undefined : `${said} nonces are said to be used`;
  },
});

/** Next nonces by lane. */
function readLanes(state: State): Map<string, number> {
  const lanes = new Map<string, number>();
  for (const [place, next] of state.authorityNonces.entries()) lanes.set(`authority ${place}`, next);
  const { accounts } = state;
  const columns = [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin];
  for (const account of listAccounts(state)) {
    for (const [place, column] of columns.entries()) lanes.set(`${account} ${DOMAINS[place]}`, column[account]!);
  }
  const { lanes: agents } = state;
  for (let row = 0; row < agents.rows.high; row++) {
    const lane = row as LaneRow;
    const address = addressOfAgent(state, agents.agent[lane]!);
    const nonces = [agents.nonceTrading, agents.nonceRisk, agents.nonceFunds, agents.nonceAdmin];
    for (const [place, column] of nonces.entries()) {
      lanes.set(`${agents.account[lane]} ${address} ${DOMAINS[place]}`, column[lane]!);
    }
  }
  return lanes;
}

function authorityLane(state: State, signer: string): string {
  const { oracle, faucet, operator } = state.genesis.authorities;
  return `authority ${[oracle, faucet, operator].indexOf(signer as never)}`;
}
