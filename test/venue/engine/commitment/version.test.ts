import { expect, test } from "vitest";
import { createGenesis } from "../../../../src/protocol/genesis.ts";
import { PROTOCOL_VERSION } from "../../../../src/protocol/transaction.ts";
import { readCanonical, writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../../../../src/venue/engine/commitment/snapshot.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";

const older = PROTOCOL_VERSION - 1;

test("a genesis of another protocol version founds no venue, and the message has both numbers", () => {
  const message = expect.stringContaining(`is ${older}, this is version ${PROTOCOL_VERSION}`);
  expect(() => createVenue(createGenesis({ protocolVersion: older }))).toThrow(
    expect.objectContaining({ code: "INVALID_GENESIS", message }),
  );
});

test.each([
  ["canonical form", writeCanonical, readCanonical],
  ["image", writeImage, readImage],
  ["snapshot", writeSnapshot, readSnapshot],
] as const)("a %s of another protocol version is refused by its number", (_name, write, read) => {
  const state = createVenue(createGenesis());
  expect(read(write(state)).height).toBe(0);
  const past = forkState(state, { ...state.genesis, protocolVersion: older });
  const message = expect.stringContaining(`protocol version ${older}`);
  expect(() => read(write(past))).toThrow(expect.objectContaining({ code: "INVALID_SNAPSHOT", message }));
});
