import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** Forks for checks. A check uses its forks until it ends; their memory then becomes that of the next check's forks. */
export class Forks {
  readonly #spares: State[] = [];
  #used = 0;

  make(state: State): State {
    const fork = forkState(state, state.genesis, this.#spares[this.#used]);
    this.#spares[this.#used++] = fork;
    return fork;
  }

  /** Ends a check. */
  release(): void {
    this.#used = 0;
  }

  /** Ends a check that threw: a fork in which a block ended halfway is of no further use. */
  drop(): void {
    this.#spares.length = 0;
    this.#used = 0;
  }
}
