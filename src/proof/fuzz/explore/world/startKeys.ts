import type { State } from "../../../../venue/engine/state/state.ts";
import type { Labels, LetterBlocks } from "./letterBlocks.ts";
import { type LabelIds, StateKeys } from "./stateKey.ts";
import type { Start } from "./worlds.ts";

/** The key of a state, and the exchange of accounts that gives it. */
export interface LeastKey {
  readonly key: string;
  readonly exchange: number;
}

/** Keys of the states of one start: the least ones among all exchanges of accounts that are alike. */
export class StartKeys {
  readonly #start: Start;
  readonly #blocks: LetterBlocks;
  readonly #keys = new StateKeys();
  /** By the key without an exchange. */
  readonly #least = new Map<string, LeastKey>();

  constructor(start: Start, blocks: LetterBlocks) {
    this.#start = start;
    this.#blocks = blocks;
  }

  /** States whose keys are equal without an exchange are equal in all of them. */
  keyOf(state: State, labels: Labels): LeastKey {
    const plain = this.#keyAfter(0, state, labels);
    const exchanges = this.#start.places.length;
    if (exchanges === 1) return { key: plain, exchange: 0 };
    let least = this.#least.get(plain);
    if (least === undefined) {
      least = { key: plain, exchange: 0 };
      for (let exchange = 1; exchange < exchanges; exchange++) {
        const key = this.#keyAfter(exchange, state, labels);
        if (key < least.key) least = { key, exchange };
      }
      this.#least.set(plain, least);
    }
    return least;
  }

  #keyAfter(exchange: number, state: State, labels: Labels): string {
    const { alphabet, places } = this.#start;
    return this.#keys.compute(state, {
      places: places[exchange]!,
      labels: labels.size === 0 ? [] : this.#nameLabels(labels, exchange, state),
      withNonces: alphabet.hasNonces,
    });
  }

  /** Labels by the names that they have after an exchange, in the order of those. */
  #nameLabels(labels: Labels, exchange: number, state: State): [string, LabelIds][] {
    const { exchangeLabel } = this.#start.alphabet;
    const named = [...labels].map(([name, made]): [string, LabelIds] => [
      exchangeLabel(name, exchange),
      this.#blocks.idsOf(made, state),
    ]);
    return named.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
