import { expect, test } from "vitest";
import { BENCHES } from "../../../bench/lib/benches.ts";

test.each([
  ["perpbench", ["7"], "perpbench has no option 7"],
  ["mutation-tests", ["0"], "mutation-tests 400 1"],
  ["mutation-scenarios", ["400", "1", "2"], "mutation-scenarios 400 1"],
  ["mutation-search", ["-1"], "mutation-search 1000 1"],
  ["mutation-search", ["tried-by", "luck"], "tried-by must be scenarios, tests, not luck"],
  ["mutation-search", ["missed-by"], "missed-by scenarios,tests"],
])("the bench %s refuses the words %j before it makes a copy", async (name, words, reason) => {
  await expect(BENCHES[name]!(words)).rejects.toThrow(reason);
});
