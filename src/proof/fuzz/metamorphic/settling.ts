import { actions } from "../../../protocol/actions/index.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { settleFunding } from "../../../venue/engine/funding/settle.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listAccounts, listMarkets, listPositions, nameOf } from "../../../venue/engine/state/walk.ts";
import { readPool } from "../../invariants/funding/fundingPool.ts";
import { ORACLES } from "../run/violation.ts";
import { playScript } from "../shrink/runner.ts";
import type { Script } from "../shrink/script.ts";
import { describeEvent, findDifference, type MetamorphicPair, meetsBound, violate } from "./pair.ts";

/** Actions whose outcome depends on when funding is settled: they are left out of both chains. */
const DEPENDS: ReadonlySet<string> = new Set(
  Object.values(actions).flatMap(({ name, readsUnsettledFunding }) => (readsUnsettledFunding ? [name] : [])),
);

/** Settling funding after every block, or only when necessary, gives the same result (FND-3). */
export const settlingIsFree: MetamorphicPair = {
  id: "settlingIsFree",
  sentence: ORACLES.settlingIsFree,
  rules: ["FND-3", "NUM-2"],
  check({ script, apply }) {
    const { genesis, blocks } = playScript(keepIndependent(script), apply).chronicle;
    const [seldom, often] = [createVenue(genesis), createVenue(genesis)];
    for (const block of blocks) {
      const [one, two] = [apply(seldom, block), apply(often, block)];
      const differs = findDifference(describeOutcome(one), describeOutcome(two));
      if (differs !== undefined)
        return meetsBound(one) || meetsBound(two) ? undefined : violate(this.id, block.height, differs);
      settleAll(often);
    }
    settleAll(seldom);
    const differs = findDifference(describeMoney(seldom), describeMoney(often));
    return differs === undefined ? undefined : violate(this.id, seldom.height, differs);
  },
};

function keepIndependent({ genesis, lines }: Script): Script {
  return { genesis, lines: lines.filter((line) => line.kind === "block" || !DEPENDS.has(line.action)) };
}

function settleAll(state: State): void {
  for (const position of listPositions(state)) settleFunding(state, position);
}

/** Fields that show how much of an account's funding is settled. */
const SETTLED: ReadonlySet<string> = new Set(["collateral", "fundingHigh", "fundingLow", "fundingRemainder"]);

function isSettled(field: string): boolean {
  return SETTLED.has(field);
}

/** Describes the outcome without settlements. */
function describeOutcome({ events, from, to }: BlockResult): string[] {
  const described: string[] = [];
  for (const event of readEvents(events, from, to)) {
    if (event.kind !== "fundingSettled") described.push(describeEvent(event, isSettled));
  }
  return described;
}

/** Money of all accounts and every pool, after all funding is settled. */
function describeMoney(state: State): string[] {
  const { accounts, positions } = state;
  return [
    ...listAccounts(state).map((account) => `account ${account}: ${accounts.collateral[account]}`),
    ...listPositions(state).map(
      (at) => `${nameOf(state, at)}: ${positions.isolated[at]}, remainder ${positions.fundingRemainder[at]}`,
    ),
    ...listMarkets(state).map((market) => `market ${market}: pool ${readPool(state, market)}`),
  ];
}
