import { AUTHORIZATION_STATUS } from "../../protocol/words.ts";
import type { Model, Reactions } from "./model.ts";

interface GrantHeights {
  readonly granted: number | undefined;
  readonly ended: number | undefined;
}

/** Heights at which grants began and ended; all other fields are in the state. By ordinal. */
export class GrantPasts implements Model {
  readonly #heights = new Map<number, GrantHeights>();

  readonly on: Reactions = {
    authorizationGranted: ({ authorization }, { height }) => {
      this.#heights.set(authorization, { granted: height, ended: undefined });
    },
    authorizationChanged: ({ authorization, status }, { height }) => {
      if (status < AUTHORIZATION_STATUS.expired) return;
      this.#heights.set(authorization, { granted: this.find(authorization).granted, ended: height });
    },
  };

  find(ordinal: number): GrantHeights {
    return this.#heights.get(ordinal) ?? { granted: undefined, ended: undefined };
  }
}
