import { defineHandler, type Plan } from "../handler/defineHandler.ts";

/** Uses up its nonce. */
export const handleNoop = defineHandler<"noop">("noop")<Plan>({
  check() {
    return { rejected: false };
  },

  apply() {},
});
