import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSecret } from "../../../../src/server/host/store/secret.ts";
import { createFolder } from "../../../helpers/project.ts";
import { serveProcess } from "../../../helpers/servedProcess.ts";

test("a store has a secret of its own, which stays", () => {
  const [folder, other] = [join(createFolder(), "new"), createFolder()];
  const reasons: string[] = [];
  const secret = openSecret(folder, (reason) => reasons.push(reason));
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(openSecret(folder)).toBe(secret);
  expect(openSecret(other)).not.toBe(secret);
  if (process.platform !== "win32") expect(statSync(join(folder, "secret")).mode & 0o077).toBe(0);
  writeFileSync(join(folder, "secret"), secret.slice(0, 20));
  const next = openSecret(folder, (reason) => reasons.push(reason));
  expect(reasons).toEqual(["missing", "damaged"]);
  expect([next === secret, readFileSync(join(folder, "secret"), "utf8")]).toEqual([false, `${next}\n`]);
});

test("a cursor of a venue on disk holds after a restart", async () => {
  const folder = createFolder();
  const venue = await serveProcess(folder);
  await venue.control("/mine", { blocks: 3 });
  await venue.control("/oracle", { market: "BTC-PERP", price: "60001" });
  const list = "/api/v1/blocks/1/events?limit=1";
  const page = async (url: string) => (await (await fetch(url)).json()) as { data: object[]; page: { next: string } };
  const { next } = (await page(venue.url + list)).page;
  const second = await page(`${venue.url}${list}&cursor=${next}`);
  venue.kill("SIGTERM");
  expect(await venue.ended).toBe(0);
  const again = await serveProcess(folder);
  expect((await page(`${again.url}${list}&cursor=${next}`)).data).toEqual(second.data);
  again.kill("SIGTERM");
  await again.ended;
  expect(again.stderr).not.toContain("secret");

  writeFileSync(join(folder, "venue", "secret"), "damaged");
  const last = await serveProcess(folder);
  expect(await page(`${last.url}${list}&cursor=${next}`)).toMatchObject({ code: "VALIDATION_ERROR" });
  last.kill("SIGTERM");
  await last.ended;
  expect(last.stderr).toContain("secret: damaged. A new secret was made; earlier cursors are refused");
});
