import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createAsyncApi } from "../../../../src/client/api/asyncapi.ts";
import { createOpenApi } from "../../../../src/client/api/openapi.ts";
import { openTestService } from "../../helpers/service.ts";

test("the contract is served, and status says which", async () => {
  const { ask, call } = openTestService();
  const { headers, body } = await ask({ path: "/openapi.json" });
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(JSON.parse(body)).toEqual(createOpenApi());
  const status = (await call("getStatus")).body as { data: { versions: { openapiSha256: string } } };
  expect(status.data.versions.openapiSha256).toBe(createHash("sha256").update(body).digest("hex"));
});

test("the contract of the streams is served", async () => {
  const { headers, body } = await openTestService().ask({ path: "/asyncapi.json" });
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(JSON.parse(body)).toEqual(createAsyncApi());
});

test("the contract is served as a page that runs nothing", async () => {
  const { headers, body, status } = await openTestService().ask({ path: "/reference" });
  expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect(body).toContain("<!doctype html>");
});
