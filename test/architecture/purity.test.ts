import { describe, expect, test } from "vitest";
import { bansOfFolder, findImpurities } from "../../scripts/purity.ts";
import { runNode } from "../helpers/project.ts";

const find = (text: string, folder = "venue/engine") =>
  findImpurities("planted.ts", text, bansOfFolder[folder] ?? []).map(({ line, found }) => `${line} ${found}`);

test("the pure folders use no clock, chance or environment", () => {
  const { status, stdout, stderr } = runNode(["scripts/checkPure.ts"]);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^purity: [1-9]\d* files, 0 faults$/m);
});

describe("a planted fault is found", () => {
  test.each([
    ["const t = Date.now();", "1 Date.now"],
    ["const t = new Date();", "1 Date without arguments"],
    ["const t = new Date(0).toISOString();", "1 new Date"],
    ["\nconst t = performance.now();", "2 performance.now"],
    ["const t = performance;", "1 performance"],
    ["const r = Math.random();", "1 Math.random"],
    ["const { random } = Math;", "1 Math.random"],
    ["const { random: r } = Math;", "1 Math.random"],
    ['const r = Math["random"]();', "1 Math[…]"],
    ["const r = crypto.getRandomValues(a);", "1 crypto.getRandomValues"],
    ['import { randomBytes } from "node:crypto";', "1 randomBytes"],
    ["const x = Math.pow(2, n);", "1 Math.pow"],
    ["const x = Math.sqrt(n);", "1 Math.sqrt"],
    ["const x = 10 ** n;", "1 ** on numbers"],
    ["let y = 1; function f() { y **= 2; }", "1 ** on numbers"],
    ["const e = process.env.SEED;", "1 process.env"],
    ["const e = globalThis;", "1 globalThis"],
    ["console.log(1);", "1 console"],
    ["const c = a.localeCompare(b);", "1 a.localeCompare"],
    ["const c = (1).toLocaleString();", "1 .toLocaleString"],
    ["const c = new Intl.NumberFormat();", "1 Intl.NumberFormat"],
    ["async function f() {}", "1 async"],
    ["const f = async () => 1;", "1 async"],
    ["const f = () => import('./x.ts');", "1 import()"],
    ["const p = Promise.resolve();", "1 Promise"],
    ["setTimeout(f, 1);", "1 setTimeout"],
    ["let cache = 1;", "1 let or var at module level"],
    ["export var cache = 1;", "1 let or var at module level"],
    ["const o = { when: Date.now };", "1 Date.now"],
  ])("%s", (text, expected) => {
    expect(find(text)).toContain(expected);
  });

  test("await counts as well as async", () => {
    expect(find("async function f() { await g(); for await (const x of y) {} }")).toEqual([
      "1 async",
      "1 await",
      "1 for await",
    ]);
  });
});

describe("what looks alike is allowed", () => {
  test.each([
    ["// Date.now() and Math.random()\nconst text = 'process.env';"],
    ["const x = Math.floor(Math.abs(a)) + Math.imul(b, c);"],
    ["const x = 10n ** power;"],
    ["const x = base ** BigInt(n);"],
    ["const LIMIT = 2 ** 51;"],
    ["const o = { process: 1, performance: 2 }; o.process;"],
    ["interface Clock { process: string; now(): Promise<number> }"],
    ["type When = Date; declare const p: Promise<Date>;"],
    ["function f() { let i = 0; return i; }"],
    ['import { createHash } from "node:crypto";'],
  ])("%s", (text) => {
    expect(find(text)).toEqual([]);
  });

  test("a folder may use what its own list does not ban", () => {
    expect(find("const f = async () => Math.random();", "client/signing")).toEqual(["1 Math.random"]);
    expect(find("const s = Math.sqrt(2);", "product/report")).toEqual([]);
    expect(find("const t = Date.now();", "product/report")).toEqual(["1 Date.now"]);
  });
});
