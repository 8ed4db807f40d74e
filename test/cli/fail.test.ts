import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeFailure, EXIT, failure, formatFailure, usageError } from "../../src/cli/fail.ts";
import { createColors } from "../../src/cli/terminal.ts";

const plain = createColors({ color: false });

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("an error of a lower floor is read by its fields", () => {
  test("place, hint and code on the error itself", () => {
    const error = Object.assign(new Error("no such layout"), { code: "LAYOUT_BAD", place: "a.yaml", hint: "use b" });
    expect(describeFailure(error)).toMatchObject({
      code: "LAYOUT_BAD",
      message: "no such layout",
      place: "a.yaml",
      hint: "use b",
      exitCode: EXIT.failure,
    });
  });

  test("file, line and column become a place", () => {
    const error = Object.assign(new Error("not a number"), {
      code: "DATA_MALFORMED",
      file: "x.csv",
      line: 3,
      column: 7,
    });
    expect(describeFailure(error).place).toBe("x.csv:3:7");
  });

  test("place and hint are taken from the details", () => {
    const error = Object.assign(new Error("not a number"), {
      code: "DATA_MALFORMED",
      details: { source: "x.csv", line: 3, hint: "remove it" },
    });
    expect(describeFailure(error)).toMatchObject({ place: "x.csv:3", hint: "remove it" });
  });
});

test("a missing file is the caller's mistake, with the path as its place", () => {
  const found = describeFailure(thrownBy(() => readFileSync("/no/such/file")));
  expect(found).toEqual({
    code: "FILE_MISSING",
    message: "there is no such file",
    place: "/no/such/file",
    hint: "check the path",
    exitCode: EXIT.usage,
  });
});

// The system names the draft and says that it is missing: neither helps a user who named another file.
test("a folder that cannot be made is a place where nothing can be made, not a missing file", () => {
  const error = Object.assign(new Error("ENOENT"), { code: "ENOENT", syscall: "mkdir", path: "/proc/none" });
  expect(describeFailure(error)).toMatchObject({ code: "FILE_FORBIDDEN", place: "/proc/none", exitCode: 1 });
});

test.each([".20087.part", ".20087.partial"])(
  "a draft %s that cannot be made is about the file that was named",
  (end) => {
    const error = Object.assign(new Error("ENOENT"), { code: "ENOENT", syscall: "open", path: `/proc/x.html${end}` });
    expect(describeFailure(error)).toEqual({
      code: "FILE_FORBIDDEN",
      message: "no file can be made here",
      place: "/proc/x.html",
      hint: "name a file in another folder",
      exitCode: EXIT.failure,
    });
  },
);

test("usage errors end with 2, failures with 1", () => {
  expect(describeFailure(usageError("PARAM_UNKNOWN", "no such parameter")).exitCode).toBe(2);
  expect(describeFailure(failure("LOG_CORRUPT", "torn")).exitCode).toBe(1);
});

test.each([
  ["an error without a code", new RangeError("out of range")],
  ["an error of Node", Object.assign(new Error("bad"), { code: "ERR_INVALID_ARG_TYPE" })],
  ["a thrown text", "oops"],
])("%s is a fault of perplab, with its stack", (_name, error) => {
  const found = describeFailure(error);
  expect(found.code).toBe("INTERNAL");
  expect(found.stack).toContain("fail.test.ts");
});

test("the place is not printed twice", () => {
  const error = failure("DATA_MALFORMED", "x.csv:3: not a number", { place: "x.csv:3" });
  expect(formatFailure(describeFailure(error), plain)).toBe("error DATA_MALFORMED x.csv:3: not a number");
});

test("colours are used only where they are wanted", () => {
  const found = describeFailure(failure("A_CODE", "reason", { hint: "do" }));
  const escapeCode = String.fromCharCode(27);
  expect(formatFailure(found, plain)).not.toContain(escapeCode);
  expect(formatFailure(found, createColors({ color: true }))).toContain(escapeCode);
});
