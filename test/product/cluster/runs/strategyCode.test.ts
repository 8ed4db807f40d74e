import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createContent } from "../../../../src/product/cluster/queue/contents.ts";
import { packStrategy, unpackStrategy } from "../../../../src/product/cluster/runs/strategyCode.ts";
import { hashStrategy } from "../../../../src/product/research/runs/strategyHash.ts";
import { createFolder } from "../../../helpers/project.ts";

const noExamples = () => undefined;
const FILES = {
  "a/mine.js": 'import { one } from "../lib/one.js";\nexport default { id: "mine", one };\n',
  "lib/one.js": "export const one = 1;\n",
};

function sourceIn(folder: string) {
  return { id: "mine", path: join(folder, "a/mine.js"), example: undefined };
}

describe("the code of a strategy", () => {
  test("is the same strategy in another folder, and equal code is one content", async () => {
    const [from, other, to] = [createFolder(FILES), createFolder(FILES), createFolder()];
    const { content, home } = packStrategy("hash", sourceIn(from));
    expect(home).toBe(from);
    expect(packStrategy("hash", sourceIn(other)).content).toEqual(content);
    const path = await unpackStrategy(content, to, noExamples);
    expect(hashStrategy(path)).toBe(hashStrategy(sourceIn(from).path));
    expect(path).toBe(join(to, content.sha256, "a/mine.js"));
    // A second worker of the folder leaves it as it is.
    writeFileSync(path, "// kept");
    expect(await unpackStrategy(content, to, noExamples)).toBe(path);
    expect(readFileSync(path, "utf8")).toBe("// kept");
  });

  test("is unpacked once by many at the same time", async () => {
    const to = createFolder();
    const { content } = packStrategy("hash", sourceIn(createFolder(FILES)));
    const paths = await Promise.all(Array.from({ length: 8 }, () => unpackStrategy(content, to, noExamples)));
    expect(new Set(paths).size).toBe(1);
    expect(hashStrategy(paths[0]!)).toHaveLength(64);
  });

  test("of an example is its name alone", async () => {
    const { content } = packStrategy("hash", { id: "trend", path: "/anywhere/trend.ts", example: "trend" });
    expect(content.text).not.toContain("anywhere");
    expect(await unpackStrategy(content, createFolder(), (name) => `/here/${name}.ts`)).toBe("/here/trend.ts");
    await expect(unpackStrategy(content, createFolder(), noExamples)).rejects.toMatchObject({ code: "CODE_BROKEN" });
  });

  test("names a package that is not there, or in another version", async () => {
    const text = 'import "lefty";\nexport default { id: "mine" };\n';
    const from = createFolder({
      "mine.js": text,
      "node_modules/lefty/package.json": '{"version":"1.2.3"}',
      "node_modules/lefty/index.js": "",
    });
    const { content } = packStrategy("hash", { id: "mine", path: join(from, "mine.js"), example: undefined });
    const to = createFolder();
    const refused = { code: "CODE_BROKEN", message: expect.stringContaining("lefty@1.2.3 (here lefty)") };
    await expect(unpackStrategy(content, join(to, "out"), noExamples)).rejects.toMatchObject(refused);
    mkdirSync(join(to, "node_modules/lefty"), { recursive: true });
    writeFileSync(join(to, "node_modules/lefty/package.json"), '{"version":"1.2.4"}');
    await expect(unpackStrategy(content, join(to, "out"), noExamples)).rejects.toThrow("here lefty@1.2.4");
    writeFileSync(join(to, "node_modules/lefty/package.json"), '{"version":"1.2.3"}');
    expect(existsSync(await unpackStrategy(content, join(to, "out"), noExamples))).toBe(true);
  });

  test("cannot write outside of its folder", async () => {
    const packed = { id: "mine", example: null, entry: "mine.js", files: { "../../evil.js": "" }, packages: [] };
    const to = createFolder();
    const evil = createContent(JSON.stringify(packed));
    await expect(unpackStrategy(evil, join(to, "out"), noExamples)).rejects.toMatchObject({ code: "CODE_BROKEN" });
    expect(existsSync(join(to, "evil.js"))).toBe(false);
  });

  test("is refused where it is too large", () => {
    const folder = createFolder({ "mine.js": `export default {};\n//${"x".repeat(4_000_000)}` });
    const source = { id: "mine", path: join(folder, "mine.js"), example: undefined };
    expect(() => packStrategy("hash", source)).toThrow(
      expect.objectContaining({ code: "CODE_LARGE", place: "mine.js" }),
    );
  });
});
