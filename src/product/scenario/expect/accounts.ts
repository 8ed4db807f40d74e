import { type Column, NONE } from "../../../ground/collections/table.ts";
import { DOMAINS } from "../../../protocol/action.ts";
import { ROLES } from "../../../protocol/words.ts";
import { findAgent } from "../../../venue/engine/authorization/agents.ts";
import { findLane } from "../../../venue/engine/authorization/lanes.ts";
import { computeFree, DEPTH, measure } from "../../../venue/engine/margin/health.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow, LaneRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { ACCOUNT_NAME } from "../../../venue/simulation/accountNames.ts";
import { type Cell, entriesOf, textOf } from "../parse/cell.ts";
import { either, key, map, mapOf, type Shape, text } from "../shape/shape.ts";
import { compareValues, numberShape } from "./compare.ts";
import { defineExpectation, type Moment } from "./expectation.ts";
import { usd } from "./units.ts";

/** Values of an account that can be expected, in USD. */
const DOCS: Readonly<Record<string, string>> = {
  collateral: "Cross collateral.",
  equity: "Collateral, unrealized PnL at the mark and unsettled funding of the cross margin account.",
  unrealized: "Equity less collateral: unrealized PnL with unsettled funding.",
  maintenance: "Maintenance margin of the open positions.",
  initial: "Initial margin with resting orders.",
  reserved: "What resting orders add to the initial margin.",
  notional: "Notional of the open positions.",
  free: "Collateral that is free to leave.",
  role: "normal, house or backstop.",
  openOrders: "How many orders rest.",
};

const shape: Shape = mapOf(
  "account names",
  ACCOUNT_NAME,
  either(
    map(Object.fromEntries(Object.entries(DOCS).map(([name, doc]) => [name, key(either(numberShape, text()), doc)]))),
    text("none", /^none$/),
  ),
  "An account.",
);

export const accounts = defineExpectation({
  shape,
  doc: "Values of accounts; only those that are named. `none` for an account that does not exist.",
  check(moment, cell) {
    for (const { key: name, value } of entriesOf(cell)) {
      const row = rowOf(moment, name, value);
      if (row !== undefined && value.kind === "map")
        compareValues(moment, name, value, observeAccount(moment.state, row));
    }
  },
});

/** The account of a name, where it exists and is expected to exist. */
function rowOf(moment: Moment, name: string, cell: Cell): AccountRow | undefined {
  const row = findAccount(moment.state, moment.names.key(name));
  const isWanted = textOf(cell) !== "none";
  if ((row !== NONE) === isWanted) return isWanted ? row : undefined;
  const [expected, observed] = isWanted ? ["an account", "none"] : ["none", "an account"];
  moment.fail({ place: cell.place, what: name, expected, observed });
  return undefined;
}

/** Values of an account by the keys of `accounts`, each read when it is asked for. */
export function observeAccount(state: State, row: AccountRow): Readonly<Record<string, () => string>> {
  const collateral = state.accounts.collateral[row]!;
  const health = () => measure(state, row, DEPTH.orders);
  const big = (name: "Equity" | "Maintenance" | "Initial" | "Notional" | "PositionInitial"): bigint => {
    const found = health();
    const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as "equity";
    return found.overflow ? found[`big${name}` as "bigEquity"] : BigInt(found[field]);
  };
  return {
    collateral: () => usd(collateral),
    equity: () => usd(big("Equity")),
    unrealized: () => usd(big("Equity") - BigInt(collateral)),
    maintenance: () => usd(big("Maintenance")),
    initial: () => usd(big("Initial")),
    reserved: () => usd(big("Initial") - big("PositionInitial")),
    notional: () => usd(big("Notional")),
    free: () => usd(computeFree(collateral, health())),
    role: () => ROLES[state.accounts.role[row]!]!,
    openOrders: () => String(countOrders(state, row)),
  };
}

function countOrders({ accounts, positions }: Moment["state"], row: AccountRow): number {
  let count = 0;
  for (let at = accounts.position[row]!; at !== NONE; at = positions.next[at]!) count += positions.orderCount[at]!;
  return count;
}

const LANE_NAME = /^[a-z][a-zA-Z0-9-]{0,19}(?:\/[0-9]{1,9})?(?: by [a-z][a-zA-Z0-9-]{0,19})?$/;
const LANES = DOMAINS.filter((domain) => domain !== "system");

export const nonces = defineExpectation({
  shape: mapOf(
    "account names, or alice by bot",
    LANE_NAME,
    map(Object.fromEntries(LANES.map((lane) => [lane, key(numberShape, `Next nonce of the ${lane} lane.`)]))),
    "An account.",
  ),
  doc: "Next nonces of an account by lane: its owner's, or with `alice by bot` those of an agent.",
  check(moment, cell) {
    const { accounts: rows, lanes } = moment.state;
    for (const { key: name, value } of entriesOf(cell)) {
      const [account = "", agent] = name.split(" by ");
      const row = rowOf(moment, account, value);
      if (row === undefined) continue;
      if (agent !== undefined) {
        const who = findAgent(moment.state, moment.names.key(agent));
        const lane = who === NONE ? (NONE as LaneRow) : findLane(moment.state, row, who);
        const next = (column: Column<LaneRow, number>) => () => (lane === NONE ? "0" : String(column[lane]));
        compareValues(moment, `${name} nonce`, value, {
          trading: next(lanes.nonceTrading),
          risk: next(lanes.nonceRisk),
          funds: next(lanes.nonceFunds),
          admin: next(lanes.nonceAdmin),
        });
        continue;
      }
      compareValues(moment, `${name} nonce`, value, {
        trading: () => String(rows.nonceTrading[row]),
        risk: () => String(rows.nonceRisk[row]),
        funds: () => String(rows.nonceFunds[row]),
        admin: () => String(rows.nonceAdmin[row]),
      });
    }
  },
});
