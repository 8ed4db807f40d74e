import { BookFlag } from "../../../../src/product/market-data/types.ts";

interface PlainLevel {
  recorded: number;
  consumed: number;
  traded: number;
  unexplained: number;
  row: number;
  /** What trades since the last update have left; undefined where there were none. */
  left: number | undefined;
}

/** The rules of a replayed book once more: a map of levels by price, sorted whenever something is asked. */
export class PlainBook {
  readonly sides = { bid: new Map<number, PlainLevel>(), ask: new Map<number, PlainLevel>() };
  #row = 0;
  #from = 0;
  #snapshots: ("bid" | "ask")[] = [];
  crossed = 0;

  begin(): void {
    this.#from = this.#row + 1;
    this.#snapshots = [];
  }

  set(name: "bid" | "ask", ticks: number, lots: number, flags: number): void {
    if (flags & BookFlag.first) this.#snapshots = ["bid", "ask"];
    this.#put(name, ticks, lots);
  }

  setBest(name: "bid" | "ask", ticks: number, lots: number): void {
    this.#snapshots.push(name);
    if (ticks > 0) this.#put(name, ticks, lots);
  }

  #put(name: "bid" | "ask", ticks: number, lots: number): void {
    const old = this.sides[name].get(ticks);
    const row = ++this.#row;
    const isAgain = old !== undefined && old.row >= this.#from;
    const less = old === undefined ? -lots : old.recorded - old.traded - lots;
    const unexplained = lots === 0 ? 0 : (isAgain ? old.unexplained : 0) + less;
    this.sides[name].set(ticks, { recorded: lots, consumed: 0, traded: 0, unexplained, row, left: undefined });
  }

  end(): void {
    for (const name of this.#snapshots) {
      for (const [ticks, { row }] of this.sides[name]) if (row < this.#from) this.sides[name].delete(ticks);
    }
    for (const name of ["bid", "ask"] as const) {
      for (const [ticks, level] of this.sides[name]) {
        level.left = undefined;
        if (level.recorded === 0) this.sides[name].delete(ticks);
      }
    }
    let isCrossed = false;
    for (;;) {
      const bid = Math.max(...this.sides.bid.keys());
      const ask = Math.min(...this.sides.ask.keys());
      if (!(bid >= ask)) break;
      isCrossed = true;
      const isBidOlder = this.sides.bid.get(bid)!.row < this.sides.ask.get(ask)!.row;
      if (isBidOlder) this.sides.bid.delete(bid);
      else this.sides.ask.delete(ask);
    }
    if (isCrossed) this.crossed++;
  }

  trade(isBuy: boolean, at: number, lots: number): void {
    const levels = isBuy ? this.sides.ask : this.sides.bid;
    for (const [ticks, level] of levels) if (isBuy ? ticks < at : ticks > at) level.left = 0;
    const level = levels.get(at);
    if (level === undefined || level.recorded === 0) return;
    const late = level.row >= this.#from ? Math.min(lots, Math.max(0, level.unexplained)) : 0;
    level.unexplained -= late;
    if (late === lots) return;
    level.traded += lots - late;
    level.left = Math.max(0, (level.left ?? level.recorded - level.consumed) - (lots - late));
  }

  /** Prices and lots that are shown, from the best on. */
  list(name: "bid" | "ask"): [number, number][] {
    return [...this.sides[name]]
      .map(([ticks, { recorded, consumed, left }]): [number, number] => [ticks, left ?? recorded - consumed])
      .filter(([, lots]) => lots > 0)
      .sort(([a], [b]) => (name === "bid" ? b - a : a - b));
  }
}
