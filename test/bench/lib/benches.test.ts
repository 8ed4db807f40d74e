import { expect, test } from "vitest";
import { BENCHES } from "../../../bench/lib/benches.ts";

test.each([
  ["perpbench", ["7"], "perpbench has no option 7"],
  ["mutation-tests", ["0"], "mutation-tests 400 1"],
  ["mutation-scenarios", ["400", "1", "2"], "mutation-scenarios 400 1"],
])("the bench %s refuses the words %j before it makes a copy", async (name, words, reason) => {
  await expect(BENCHES[name]!(words)).rejects.toThrow(reason);
});
