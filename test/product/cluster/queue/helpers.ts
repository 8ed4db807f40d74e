import { onTestFinished } from "vitest";
import { readAddress } from "../../../../src/product/cluster/queue/address.ts";
import { type Connection, connect } from "../../../../src/product/cluster/queue/connection.ts";
import { TestRedis } from "../../../helpers/cluster/redis.ts";

/** A connection to a Redis of its own. */
export async function openConnection(): Promise<Connection> {
  const redis = await TestRedis.start();
  onTestFinished(() => redis.close());
  const connection = await connect(readAddress(redis.url));
  onTestFinished(() => connection.close());
  return connection;
}
