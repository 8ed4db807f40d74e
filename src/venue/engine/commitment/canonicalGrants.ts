import type { ByteReader } from "../../../ground/collections/byteReader.ts";
import type { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import type { Amount } from "../../../ground/math/fixed.ts";
import { ID_COLUMNS, TERMS } from "../authorization/addGrant.ts";
import { findOrCreateAgent } from "../authorization/agents.ts";
import { addLane } from "../authorization/lanes.ts";
import { restoreGrant } from "../authorization/restoreGrants.ts";
import type { AccountRow, AuthorizationRow, LaneRow, OwnerRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { readAddress } from "./readAddress.ts";

const LANE_COLUMNS = ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const;

/** Grants in the order of granting, then agents' lanes in the order of opening (DET-3). */
export function writeGrants(out: ByteWriter, state: State): void {
  const { authorizations, grants, lanes } = state;
  const count = authorizations.rows.high;
  out.u32(count);
  for (let grant = 0 as AuthorizationRow; grant < count; grant++) {
    out.u32(authorizations.account[grant]);
    writeAddress(out, state, authorizations.agent[grant]);
    for (const column of ID_COLUMNS) out.u32(authorizations[column][grant] >>> 0);
    out.u8(authorizations.status[grant]);
    for (const column of TERMS) out.f64(authorizations[column][grant]);
    out.f64(authorizations.day[grant]);
    out.f64(authorizations.used[grant]);
    for (const texts of [grants.labels, grants.markets, grants.subaccounts]) out.text(texts[grant]!);
  }
  out.u32(lanes.rows.high);
  for (let lane = 0 as LaneRow; lane < lanes.rows.high; lane++) {
    out.u32(lanes.account[lane]);
    writeAddress(out, state, lanes.agent[lane]);
    for (const column of LANE_COLUMNS) out.f64(lanes[column][lane]);
  }
}

function writeAddress(out: ByteWriter, { agents }: State, agent: OwnerRow): void {
  for (const word of [agents.w0, agents.w1, agents.w2, agents.w3, agents.w4]) out.u32(word[agent]! >>> 0);
}

/** Reads the output of `writeGrants`; accounts and markets must exist. */
export function readGrants(input: ByteReader, state: State): void {
  const { authorizations } = state;
  for (let count = input.u32(); count > 0; count--) {
    const grant = authorizations.rows.allocate();
    authorizations.account[grant] = input.u32() as AccountRow;
    authorizations.agent[grant] = findOrCreateAgent(state, readAddress(input));
    for (const column of ID_COLUMNS) authorizations[column][grant] = input.u32();
    authorizations.status[grant] = input.u8();
    for (const column of TERMS) authorizations[column][grant] = input.f64();
    authorizations.day[grant] = input.f64();
    authorizations.used[grant] = input.f64() as Amount;
    restoreGrant(state, grant, [input.text(), input.text(), input.text()]);
  }
  for (let count = input.u32(); count > 0; count--) {
    const account = input.u32() as AccountRow;
    const lane = addLane(state, account, findOrCreateAgent(state, readAddress(input)));
    for (const column of LANE_COLUMNS) state.lanes[column][lane] = input.f64();
  }
}
