import { AccountKey } from "../../../protocol/accountKey.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { PLAIN_ORDER } from "../../../protocol/plainOrder.ts";
import { DEVNET_TARGET } from "../../../protocol/words.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { createLine } from "./createLine.ts";
import { Player } from "./player.ts";
import type { Line, TransactionLine } from "./script.ts";

/** Parts of the old script that the new one may use. */
export interface Spare {
  /** Numbers for new lines. */
  readonly numbers: readonly number[];
  /** Lines that grant, and those that placed a pending intent. */
  readonly kept: readonly TransactionLine[];
}

/** A script needs more lines than it has numbers for. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/** Writes the lines of a script for a new venue, and applies each block to that venue when it ends. */
export class ScriptWriter {
  readonly lines: Line[] = [];
  /** The venue after the last block. */
  readonly state: State;
  readonly operator: AccountKey;
  readonly #numbers: readonly number[];
  readonly #player: Player;
  #taken = 0;
  #played = 0;

  constructor(genesis: Genesis, { numbers, kept }: Spare) {
    this.state = createVenue(genesis);
    this.operator = new AccountKey(genesis.authorities.operator, 0);
    this.#numbers = numbers;
    this.#player = new Player(
      [...numbers, ...kept.map(({ number }) => number)].reduce((most, number) => Math.max(most, number), 0),
    );
  }

  /** Sets the price of a market, as its operator. */
  setPrice(market: string, price: number): void {
    const payload = { what: DEVNET_TARGET.price, account: "", subaccount: 0, amount: 0, market, price };
    this.put("devnetSet", this.operator, payload);
  }

  /**
   * Places an order.
   *
   * @returns number of its line
   * @throws {TooLong}
   */
  enter(account: AccountKey, order: Partial<Record<keyof Payloads["placeOrder"], unknown>>): number {
    return this.put("placeOrder", account, { ...PLAIN_ORDER, ...order });
  }

  /**
   * Writes a line of a transaction.
   *
   * @returns its number
   * @throws {TooLong}
   */
  put(action: ActionName, account: AccountKey, payload: object): number {
    const line = this.create(action, account, payload);
    this.lines.push(line);
    return line.number;
  }

  /**
   * Creates a line of a transaction that the caller writes elsewhere.
   *
   * @throws {TooLong}
   */
  create(action: ActionName, account: AccountKey, payload: object): TransactionLine {
    const number = this.#numbers[this.#taken++];
    if (number === undefined) throw new TooLong();
    return createLine({ number, action, account, payload });
  }

  /** Ends a block, and applies it. */
  endBlock(): void {
    this.lines.push({ kind: "block", afterMs: 1 });
    const played = this.#player.build(this.state, this.lines, this.#played);
    this.#player.note(this.state, played, applyBlock(this.state, played.block));
    this.#played = played.next;
  }

  /** Ends a block that has lines. */
  endOpenBlock(): void {
    if (this.lines.at(-1)?.kind !== "block") this.endBlock();
  }
}
