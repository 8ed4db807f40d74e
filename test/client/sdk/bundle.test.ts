import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { projectRoot } from "../../helpers/project.ts";

/** Bundles a module for browsers, as an application's bundler would. */
async function bundle(contents: string) {
  const result = await build({
    stdin: { contents, resolveDir: join(projectRoot, "src/client/sdk"), loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    minify: true,
    treeShaking: true,
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return { text: result.outputFiles[0]!.text, inputs: Object.keys(result.metafile.inputs), metafile: result.metafile };
}

const whole = bundle(`export * from "./index.ts";`);

test("the client bundles for browsers: no module of Node, no server code, no native binding", async () => {
  const { inputs, metafile, text } = await whole;
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  expect(imports.filter((path) => /^node:|^(fs|net|crypto|module|path|worker_threads)$/.test(path))).toEqual([]);
  const foreign = inputs.filter((path) =>
    /src\/(server|venue|product|proof|cli)\/|\/ws\/|pino|secp256k1\/|hash-wasm/.test(path),
  );
  expect(foreign).toEqual([]);
  expect(/\brequire\(/.test(text)).toBe(false);
});

test("the client is small on the wire: 50 kB with all its actions, less where only parts of it are used", async () => {
  const { text } = await whole;
  const sizeOf = async (names: string) =>
    gzipSync((await bundle(`export { ${names} } from "./index.ts";`)).text).length;
  // Strategies bring a validator of their parameters.
  expect(gzipSync(text).length).toBeLessThan(100_000);
  expect(await sizeOf("createVenueClient, http, privateKeyToAccount")).toBeLessThan(50_000);
  // Of that, a twentieth are the traits of actions, which belong to their definitions.
  expect(await sizeOf("createClient, http, publicActions")).toBeLessThan(21_000);
});
