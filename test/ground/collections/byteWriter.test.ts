import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader } from "../../../src/ground/collections/byteReader.ts";
import { ByteWriter } from "../../../src/ground/collections/byteWriter.ts";

// Goal: growing in the middle of anything loses nothing. Method: a writer with room for one byte has to grow at every
// place where a larger one would not.
test("a writer that has to grow reads back what was written", () => {
  const value = fc.oneof(
    fc.record({ kind: fc.constant("u8" as const), value: fc.nat(255) }),
    fc.record({ kind: fc.constant("u32" as const), value: fc.nat(0xffff_ffff) }),
    fc.record({ kind: fc.constant("f64" as const), value: fc.double({ noNaN: true }).map((number) => number + 0) }),
    fc.record({ kind: fc.constant("blob" as const), value: fc.uint8Array({ maxLength: 40 }) }),
    fc.record({ kind: fc.constant("text" as const), value: fc.string({ unit: "grapheme", maxLength: 20 }) }),
    fc.record({ kind: fc.constant("big" as const), value: fc.bigInt() }),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const writer = new ByteWriter(1);
      for (const { kind, value } of values) (writer[kind] as (value: unknown) => void)(value);
      const reader = new ByteReader(writer.view8());
      for (const { kind, value } of values) expect(reader[kind]()).toEqual(value);
      expect(reader.left()).toBe(0);
    }),
  );
});

// Goal: texts have one form, whichever way writes them. Method: the encoder of the runtime is the plain twin.
test("a text is its length in UTF-8 and its bytes, short or long, plain or not", () => {
  const size = { minLength: 60, maxLength: 68 };
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.string({ unit: "binary-ascii", ...size }),
    fc
      .tuple(
        fc.string({ unit: "binary-ascii", ...size }),
        fc.constantFrom("\u007f", "\u0080", "\u07ff", "\ud800", "😀"),
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.array(text), fc.nat(99), (texts, capacity) => {
      const writer = new ByteWriter(capacity);
      const parts = texts.map((one) => {
        writer.text(one);
        const bytes = Buffer.from(one);
        const length = Buffer.alloc(4);
        length.writeUInt32LE(bytes.length);
        return Buffer.concat([length, bytes]);
      });
      expect(Buffer.from(writer.view8())).toEqual(Buffer.concat(parts));
    }),
  );
});

test("bytes read from a Buffer can be copied like bytes of any array", () => {
  const shared = new ByteReader(Buffer.concat([Buffer.from([2, 0, 0, 0, 7, 8]), Buffer.alloc(9)]));
  const copy = shared.blob().slice();
  expect(copy.buffer.byteLength).toBe(2);
  expect(Buffer.isBuffer(copy)).toBe(false);
});
