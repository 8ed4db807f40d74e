import { expect, test } from "vitest";
import { getResults, hasResult, putResult, readCounters } from "../../../../src/product/cluster/queue/results.ts";
import { NO_REDIS } from "../../../helpers/cluster/redis.ts";
import { openConnection } from "./helpers.ts";

const withRedis = test.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`results in Redis are not tested: ${NO_REDIS}`, () => undefined);

withRedis("the first result of a job stays, and a second one is counted as made twice", async () => {
  const connection = await openConnection();
  await putResult(connection, "a", "first");
  await putResult(connection, "a", "second");
  expect(await getResults(connection, ["b", "a"])).toEqual([undefined, "first"]);
  expect(await readCounters(connection)).toEqual({ made: 1, twice: 1, spared: 0 });
});

withRedis("beyond a number of results the oldest go", async () => {
  const connection = await openConnection();
  for (const id of ["a", "b", "c"]) await putResult(connection, id, id, 2);
  expect(await getResults(connection, ["a", "b", "c"])).toEqual([undefined, "b", "c"]);
  expect(await hasResult(connection, "a")).toBe(false);
});
