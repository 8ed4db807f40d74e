import { NONE } from "../../../ground/collections/table.ts";
import { ROLE } from "../../../protocol/words.ts";
import { collectDue } from "../../../venue/engine/liquidation/queue.ts";
import { listAccounts, marginAccountName, marginAccountsOf, nameOf, openOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";

/**
 * Random marks hardly ever come near the worst case that triggers allow. That case is known: every market at the last
 * mark before its trigger, all at once.
 */
export const triggerCorner = defineInvariant({
  id: "triggerCorner",
  sentence:
    "With each of its positions at the last mark before its trigger, an armed account still covers maintenance.",
  rules: ["LIQ", "BLK"],
  catalogue: ["L13"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    const fork = step.fork(state);
    const due = new Set(collectDue(fork).map(({ account, isolated }) => `${account} ${isolated}`));
    const { accounts, positions } = fork;
    for (const account of listAccounts(fork)) {
      if (accounts.role[account] !== ROLE.normal) continue;
      for (const isolated of marginAccountsOf(fork, account)) {
        if (due.has(`${account} ${isolated ?? NONE}`)) continue;
        const bare = openOf(fork, account, isolated).find((at) => positions.heapPlace[at] === NONE);
        if (bare !== undefined) return `${nameOf(fork, bare)} has no trigger`;
        const odd = openOf(fork, account, isolated).find((at) => !Number.isInteger(positions.trigger[at]));
        if (odd !== undefined) return `${nameOf(fork, odd)} has the trigger ${positions.trigger[odd]}`;
        const { equity, maintenance } = exactHealth(fork, account, isolated, (market, at) => {
          if (positions.signedLots[at] === 0) return fork.markets.mark[market]!;
          const trigger = positions.trigger[at]!;
          return Math.max(1, positions.signedLots[at]! > 0 ? trigger + 1 : trigger - 1);
        });
        step.met++;
        if (equity >= maintenance) continue;
        const name = marginAccountName(fork, account, isolated);
        return `${name}: equity ${equity}, maintenance ${maintenance} before its triggers`;
      }
    }
    return undefined;
  },
});
