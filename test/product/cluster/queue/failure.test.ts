import { expect, test } from "vitest";
import { ClusterError } from "../../../../src/product/cluster/queue/errors.ts";
import { describeError, readFailure, writeFailure } from "../../../../src/product/cluster/queue/failure.ts";

test("a failure is read as it was written", () => {
  const failure = describeError(new ClusterError("TAPE_MISSING", "not here", { place: "tapes", hint: "copy it" }));
  expect(failure).toEqual({ code: "TAPE_MISSING", message: "not here", place: "tapes", hint: "copy it" });
  expect(readFailure(writeFailure(failure))).toEqual(failure);
});

test("an error without a code is a failed run", () => {
  expect(describeError(new Error("oh"))).toEqual({ code: "RUN_FAILED", message: "oh" });
  expect(describeError("oh")).toEqual({ code: "RUN_FAILED", message: "oh" });
});

test("words of the queue itself have a code, too", () => {
  expect(readFailure("job stalled more than allowable limit").code).toBe("WORKER_LOST");
  expect(readFailure("anything")).toEqual({ code: "RUN_FAILED", message: "anything" });
  expect(readFailure('{"code":"X')).toEqual({ code: "RUN_FAILED", message: '{"code":"X' });
  expect(readFailure(undefined).code).toBe("RUN_FAILED");
});
