import { settleFunding } from "../../../venue/engine/funding/settle.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listAccounts, listMarkets, listPositions, nameOf } from "../../../venue/engine/state/walk.ts";
import { type Answer, defineInvariant, type Step } from "../machinery/defineInvariant.ts";
import { readPool } from "./fundingPool.ts";

export const settlingOrder = defineInvariant({
  id: "settlingOrder",
  sentence: "Accounts and pools end with the same amounts in whatever order positions settle their funding.",
  rules: ["FND-3"],
  catalogue: ["F07", "F02"],
  when: "block",
  heavy: true,
  sweep: (state, step) => findDependence(state, step),
});

/** @param settle how a position settles: the engine's function, or a faulty one in tests */
export function findDependence(state: State, step: Step, settle = settleFunding): Answer {
  const forwards = step.fork(state);
  const backwards = step.fork(state);
  const rows = listPositions(state);
  step.met += rows.length;
  for (const row of rows) settle(forwards, row);
  for (const row of [...rows].reverse()) settle(backwards, row);
  for (const account of listAccounts(state)) {
    const [one, other] = [forwards.accounts.collateral[account], backwards.accounts.collateral[account]];
    if (one !== other) return `account ${account} has ${one} or ${other}, depending on the order of settlement`;
  }
  for (const at of rows) {
    const columns = [forwards.positions, backwards.positions];
    const [one, other] = columns.map((held) => `${held.isolated[at]} ${held.fundingRemainder[at]}`);
    if (one !== other) return `${nameOf(state, at)}: ${one} or ${other}, depending on the order of settlement`;
  }
  for (const market of listMarkets(state)) {
    const [one, other] = [readPool(forwards, market), readPool(backwards, market)];
    if (one !== other) return `market ${market}: the pool is ${one} or ${other}, depending on the order of settlement`;
  }
  return undefined;
}
