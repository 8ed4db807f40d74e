import { CLOSE_KIND, EVENT_CODES, LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";
import { couldTake, measureLead, type Ranked, rankOpposite } from "./exactRank.ts";

const { market: STAGE_MARKET, account: STAGE_ACCOUNT, stage: STAGE } = AT.liquidationStage;
const { market, account, counterparty, size, value, way } = AT.deleveraged;

/** Ways that follow the ranking of the pass; a close-out ranks again. */
const BY_RANKING: ReadonlySet<number> = new Set([CLOSE_KIND.deleveraging, CLOSE_KIND.previousMark]);

/** Rankings of the present pass by market and side, and the places taken in the present step. */
interface Memory {
  height: number;
  readonly rankings: Map<string, readonly Ranked[]>;
  step: string;
  place: number;
}

export const deleveragedByRank = defineInvariant({
  id: "deleveragedByRank",
  sentence:
    "Auto-deleveraging takes the opposite side by rank: profit and leverage of a long and of a short, ties by account, house accounts last. No account that could take the lots is skipped.",
  rules: ["LIQ-5"],
  catalogue: ["L10"],
  when: "events",
  kinds: ["liquidationStage", "deleveraged"],
  slack: "parts per million of the rank",
  start: (): Memory => ({ height: -1, rankings: new Map(), step: "", place: -1 }),
  event(moment, at, memory) {
    const { data, ledger } = moment;
    if (memory.height !== moment.block.height) {
      memory.height = moment.block.height;
      memory.rankings.clear();
    }
    if (data[at] === EVENT_CODES.liquidationStage) {
      if (data[at + STAGE] !== LIQUIDATION_STAGE.deleveraging) return undefined;
      const row = ledger.positionRows.find(data[at + STAGE_ACCOUNT]!, data[at + STAGE_MARKET]!);
      const name = nameOf(moment, row);
      memory.step = `${data[at + STAGE_ACCOUNT]} ${name}`;
      memory.place = -1;
      if (!memory.rankings.has(name)) memory.rankings.set(name, rankOpposite(moment, row));
      return undefined;
    }
    if (!BY_RANKING.has(data[at + way]!)) return undefined;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const name = nameOf(moment, row);
    const ranking = memory.rankings.get(name);
    if (memory.step !== `${data[at + account]} ${name}` || ranking === undefined)
      return `account ${data[at + account]} is deleveraged before that stage`;
    moment.met++;
    const who = data[at + counterparty]!;
    const place = ranking.findIndex((one) => one.account === who);
    if (place < 0) return undefined;
    if (place <= memory.place) return `account ${who} is deleveraged after account ${ranking[memory.place]!.account}`;
    for (let other = memory.place + 1; other < place; other++) {
      const skipped = ranking[other]!.account;
      if (couldTake(moment, row, skipped, { lots: data[at + size]!, cash: data[at + value]! }))
        return `account ${who} is deleveraged, and account ${skipped} is ranked above`;
    }
    const next = ranking[place + 1];
    if (next !== undefined) near(moment, measureLead(ranking[place]!, next));
    memory.place = place;
    return undefined;
  },
});

/** Market and side of a position that is closed. */
function nameOf({ ledger }: Moment, row: PositionRow): string {
  const { positions } = ledger.now;
  return `${positions.market[row]} ${positions.signedLots[row]! > 0}`;
}
