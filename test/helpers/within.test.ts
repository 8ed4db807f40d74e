import { expect, test } from "vitest";
import { within } from "./within.ts";

test("a value that comes in time is returned, and so is its error", async () => {
  expect(await within("it", Promise.resolve(7))).toBe(7);
  await expect(within("it", Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("a value that does not come fails with a sentence", async () => {
  await expect(within("the round", new Promise(() => undefined), 10)).rejects.toThrow(
    "the round did not end within 0.01 s",
  );
});
