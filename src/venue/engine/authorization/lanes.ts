import { NONE } from "../../../ground/collections/table.ts";
import type { Domain } from "../../../protocol/action.ts";
import { DOMAINS } from "../../../protocol/action.ts";
import type { AccountRow, AuthorizationRow, LaneRow, OwnerRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Lanes by account and agent in one number: room for 2^26 addresses. */
const AGENTS_MOST = 67_108_864;

/** The nonces that an agent has for an account, NONE before it first signed for it (NON-1). */
export function findLane(state: State, account: AccountRow, agent: OwnerRow): LaneRow {
  return state.laneIndex.find(account * AGENTS_MOST + agent) as LaneRow;
}

/** Puts a lane into the table; lanes are never removed (NON-5). */
export function addLane(state: State, account: AccountRow, agent: OwnerRow): LaneRow {
  const lane = state.lanes.rows.allocate();
  const { lanes } = state;
  lanes.account[lane] = account;
  lanes.agent[lane] = agent;
  lanes.nonceTrading[lane] = 0;
  lanes.nonceRisk[lane] = 0;
  lanes.nonceFunds[lane] = 0;
  lanes.nonceAdmin[lane] = 0;
  indexLane(state, lane);
  return lane;
}

/** Makes a lane known by its account and agent. */
export function indexLane({ lanes, laneIndex }: State, lane: LaneRow): void {
  laneIndex.insert(lanes.account[lane] * AGENTS_MOST + lanes.agent[lane], lane);
}

const COLUMNS = {
  trading: "nonceTrading",
  risk: "nonceRisk",
  funds: "nonceFunds",
  admin: "nonceAdmin",
  system: undefined,
} as const;

/** The next nonce of an agent's lane. */
export function getLaneNonce(state: State, account: AccountRow, grant: AuthorizationRow, domain: Domain): number {
  if (account === NONE || grant === NONE) return 0;
  const lane = findLane(state, account, state.authorizations.agent[grant]);
  const column = COLUMNS[domain];
  return lane === NONE || column === undefined ? 0 : state.lanes[column][lane];
}

/** Uses up a nonce of an agent's lane, which is opened by it if need be. */
export function advanceLane(
  state: State,
  account: AccountRow,
  grant: AuthorizationRow,
  domain: Domain,
  nonce: number,
): void {
  const agent = state.authorizations.agent[grant];
  let lane = findLane(state, account, agent);
  if (lane === NONE) {
    lane = addLane(state, account, agent);
    const { w0, w1, w2, w3, w4 } = state.agents;
    const [a0, a1, a2, a3, a4] = [w0[agent], w1[agent], w2[agent], w3[agent], w4[agent]];
    state.events.laneOpened({ lane, account, a0, a1, a2, a3, a4 });
  }
  const column = COLUMNS[domain];
  if (column === undefined) return;
  if (state.nonceWindow !== 0 && domain === "trading") {
    const next = state.agentNonces.use(lane, state.lanes.nonceTrading[lane], nonce);
    state.lanes.nonceTrading[lane] = next;
    state.events.nonceUsed({ account, lane, nonce, next });
    return;
  }
  state.lanes[column][lane]++;
  state.events.laneAdvanced({ lane, domain: DOMAINS.indexOf(domain), next: state.lanes[column][lane] });
}
