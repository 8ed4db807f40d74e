import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createContent, getContent, putContents } from "../../../../src/product/cluster/queue/contents.ts";
import { keysOf } from "../../../../src/product/cluster/queue/keys.ts";
import { NO_REDIS } from "../../../helpers/cluster/redis.ts";
import { openConnection } from "./helpers.ts";

const withRedis = test.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`contents in Redis are not tested: ${NO_REDIS}`, () => undefined);

withRedis("a content is read by its hash, and another text under its name is none", async () => {
  const connection = await openConnection();
  const { redis, prefix } = connection;
  const content = createContent("export default 1;");
  expect(await getContent(connection, content.sha256)).toBeUndefined();
  await putContents(connection, [content]);
  expect(await getContent(connection, content.sha256)).toBe(content.text);
  await redis.set(keysOf(prefix).content(content.sha256), gzipSync("export default 2;"));
  expect(await getContent(connection, content.sha256)).toBeUndefined();
});
