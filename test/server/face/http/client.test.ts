import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientOf, clientOfRequest } from "../../../../src/server/face/http/client.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "::1"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  [undefined, "unknown"],
])("the client at %s is %s", (address, client) => {
  expect(clientOf(address)).toBe(client);
});

test("one subscriber of IPv6 is one client, whatever address it takes", () => {
  expect(clientOf("2001:db8:1:2:aaaa::1")).toBe(clientOf("2001:db8:1:2::9"));
  expect(clientOf("2001:db8:1:3::9")).not.toBe(clientOf("2001:db8:1:2::9"));
});

test.each([
  [undefined, "9.9.9.9"],
  ["1.1.1.1", "1.1.1.1"],
  ["6.6.6.6, 1.1.1.1", "1.1.1.1"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["1.1.1.1:5555", "1.1.1.1"],
  ["6.6.6.6, 1.1.1.1:5555", "1.1.1.1"],
  ["[2001:db8::1]:443", "2001:db8:0:0::/64"],
  ["[2001:db8::1]", "2001:db8:0:0::/64"],
  ["1.1.1.1:", "9.9.9.9"],
  ["[1.1.1.1", "9.9.9.9"],
  ["unknown", "9.9.9.9"],
  ["1.1.1.1, ", "9.9.9.9"],
])("behind a proxy that sends %j the client is %s; without a proxy it is the connected address", (header, client) => {
  const headers = header === undefined ? {} : { "x-forwarded-for": header };
  const request = { headers, socket: { remoteAddress: "9.9.9.9" } } as unknown as IncomingMessage;
  expect(clientOfRequest(request, true)).toBe(client);
  expect(clientOfRequest(request, false)).toBe("9.9.9.9");
});
