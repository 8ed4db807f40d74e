import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatSignIn, parseSignIn, readSignInTime, type SignInMessage } from "../../../src/client/api/signIn.ts";

interface Vector {
  readonly id: string;
  readonly function: "parse" | "generate" | "verify";
  readonly title: string;
  readonly inputs: { readonly message?: string; readonly fields?: SignInMessage };
  readonly expect: { readonly fields?: Readonly<Record<string, unknown>>; readonly rejected?: boolean };
}

const { vectors } = JSON.parse(readFileSync(new URL("../../vectors/siwe/vectors.json", import.meta.url), "utf8")) as {
  vectors: readonly Vector[];
};
const of = (name: Vector["function"], rejected: boolean) =>
  vectors
    .filter((vector) => vector.function === name && (vector.expect.rejected === true) === rejected)
    .map((vector) => [`${vector.id} ${vector.title}`, vector] as const);

describe("vectors of the standard's reference library", () => {
  test.each(of("parse", false))("%s is read, and written again to the byte", (_, { inputs, expect: wanted }) => {
    const message = parseSignIn(inputs.message!);
    const present = Object.fromEntries(Object.entries(wanted.fields!).filter(([, value]) => value !== null));
    expect(message).toEqual(present);
    expect(formatSignIn(message)).toBe(inputs.message);
  });

  test.each(of("parse", true))("%s is refused", (_, { inputs }) => {
    expect(() => parseSignIn(inputs.message!)).toThrow(expect.objectContaining({ code: "SIGN_IN_MALFORMED" }));
  });

  test.each(of("generate", true))("%s is not written", (_, { inputs }) => {
    expect(() => formatSignIn(inputs.fields!)).toThrow(expect.objectContaining({ code: "SIGN_IN_MALFORMED" }));
  });

  test("there are as many as the file says", () => {
    expect([of("parse", false).length, of("parse", true).length, of("generate", true).length]).toEqual([19, 29, 18]);
  });
});

const plain: SignInMessage = {
  domain: "service.org",
  address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
  uri: "https://service.org/login",
  version: "1",
  chainId: "1",
  nonce: "32891757",
  issuedAt: "2021-09-30T16:25:24.000Z",
};

test("a line break in a member cannot forge a line of the message", () => {
  for (const member of ["domain", "statement", "uri", "nonce", "issuedAt", "requestId", "chainId"] as const) {
    const forged = { ...plain, [member]: `${plain[member as keyof SignInMessage] ?? "x"}\nChain ID: 5` };
    expect(() => formatSignIn(forged), member).toThrow();
  }
  expect(() => formatSignIn({ ...plain, resources: ["https://a.b\nRequest ID: 1"] })).toThrow();
});

test("a line after the last is out of place", () => {
  expect(() => parseSignIn(`${formatSignIn(plain)}\n`)).toThrow();
  expect(() => parseSignIn(`${formatSignIn({ ...plain, resources: [] })}\nmore`)).toThrow();
  expect(parseSignIn(formatSignIn({ ...plain, resources: [] })).resources).toEqual([]);
});

test.each([
  ["2022-02-28T23:59:59Z", Date.UTC(2022, 1, 28, 23, 59, 59)],
  ["2022-02-29T00:00:00Z", undefined],
  ["2024-02-29T00:00:00+01:00", Date.UTC(2024, 1, 28, 23)],
  ["2022-13-01T00:00:00Z", undefined],
  ["2022-01-01T25:00:00Z", undefined],
  ["2022-01-01", undefined],
  ["Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)", undefined],
])("the time %s is read as the calendar has it", (text, time) => {
  expect(readSignInTime(text)).toBe(time);
});

test("long hostile texts come to an end", () => {
  const long = "a".repeat(60_000);
  for (const domain of [`${long}@`, `${long}%`, "@".repeat(60_000), `${":".repeat(30_000)}#`]) {
    expect(() => formatSignIn({ ...plain, domain }), domain.slice(-3)).toThrow();
  }
});
