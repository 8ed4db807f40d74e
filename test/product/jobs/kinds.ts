import { existsSync, writeFileSync } from "node:fs";
import type { JobKinds } from "../../../src/product/jobs/kind.ts";

/** What a job of the tests does. */
export type Deed =
  | { readonly kind: "say"; readonly text: string; readonly waitMs?: number }
  | { readonly kind: "fail"; readonly code?: string; readonly waitMs?: number }
  | { readonly kind: "exit"; readonly onceAt?: string }
  | { readonly kind: "hang" };

let opened = 0;

/** Kinds of the tests, in this thread or in others. */
export const TEST_KINDS: JobKinds = {
  deeds: async () => ({
    open(shared) {
      const at = ++opened;
      return async (part) => {
        const deed = part as Deed;
        if (deed.kind !== "exit" && deed.kind !== "hang") {
          await new Promise((resolve) => setTimeout(resolve, deed.waitMs ?? 0));
        }
        switch (deed.kind) {
          case "say":
            return deed.text === "opened" ? `${at}` : `${shared}${deed.text}`;
          case "fail":
            throw Object.assign(new Error("it failed"), deed.code === undefined ? {} : { code: deed.code, hint: "do" });
          case "exit": {
            const isFirst = deed.onceAt === undefined || !existsSync(deed.onceAt);
            if (!isFirst) return "made";
            if (deed.onceAt !== undefined) writeFileSync(deed.onceAt, "");
            return process.exit(3);
          }
          case "hang":
            for (;;);
        }
      };
    },
  }),
};
