import { expect, test } from "vitest";
import { clientOf } from "../../../src/service/http/client.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  [undefined, "unknown"],
])("the client at %s is %s", (address, client) => {
  expect(clientOf(address)).toBe(client);
});

test("one subscriber of IPv6 is one client, whatever address it takes", () => {
  expect(clientOf("2001:db8:1:2:aaaa::1")).toBe(clientOf("2001:db8:1:2::9"));
  expect(clientOf("2001:db8:1:3::9")).not.toBe(clientOf("2001:db8:1:2::9"));
});
