import { copyList, copyMap } from "../../../ground/collections/copies.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { AuthorizationRow, MarketRow } from "./schema.ts";

/** Entries that a list of a grant covers: everything, or these. */
export type Covered<Item> = "all" | ReadonlySet<Item>;

/** Values of grants apart from their columns: texts, and values derived from them. By row. */
export class Grants {
  /** State: texts as they were granted. */
  labels: string[] = [];
  markets: string[] = [];
  subaccounts: string[] = [];
  /** Derived. */
  agents: Address[] = [];
  rows: Map<Bytes32, AuthorizationRow> = new Map();
  coveredMarkets: Covered<MarketRow>[] = [];
  coveredSubaccounts: Covered<number>[] = [];
  /** Derived: block time at which the next grant comes into force or expires; computed again in the first block. */
  due: number = Number.NEGATIVE_INFINITY;

  find(id: Bytes32): AuthorizationRow {
    return this.rows.get(id) ?? (NONE as AuthorizationRow);
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: Grants): Grants {
    const copy = spare ?? new Grants();
    copyList(this.labels, copy.labels);
    copyList(this.markets, copy.markets);
    copyList(this.subaccounts, copy.subaccounts);
    copyList(this.agents, copy.agents);
    copyMap(this.rows, copy.rows);
    copyList(this.coveredMarkets, copy.coveredMarkets);
    copyList(this.coveredSubaccounts, copy.coveredSubaccounts);
    copy.due = this.due;
    return copy;
  }
}
