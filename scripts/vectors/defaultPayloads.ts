import type { Field, Fields } from "../../src/protocol/fields.ts";

/** Three payloads of an action by the kinds of its fields: a plain one, the fullest, and an edge case. */
export function defaultPayloads(fields: Fields): readonly Readonly<Record<string, unknown>>[] {
  return [0, 1, 2].map((place) => payloadAt(fields, place));
}

function payloadAt(fields: Fields, place: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valuesOf(field)[place]]));
}

/** The three values of a field in JSON. */
function valuesOf(field: Field): readonly [unknown, unknown, unknown] {
  const most = "x".repeat(64);
  switch (field.kind) {
    case "text":
      return ["name", most, field.optional ? "" : 'quote " and \\ backslash'];
    case "market":
      return ["BTC-PERP", most, field.optional ? "" : "ETH-PERP"];
    case "word":
      return [field.words[0], field.words.at(-1), field.words[0]];
    case "price":
    case "size":
      return ["0.5", "90000000", field.optional ? "" : "0.00000001"];
    case "amount":
      return ["250.75", "9000000000", field.optional ? "" : "0"];
    case "rate":
      return ["0.01", "9000000", "-0.000000001"];
    case "id":
      return ["17", "9000000000000000", field.optional ? "0" : "1"];
    case "count":
      return [1, 4_294_967_295, 0];
    case "time":
      return [1_700_000_000_000, 9_000_000_000_000_000, 0];
    case "flag":
      return [true, true, false];
    case "address":
      return ["0x000000000000000000000000000000000000dead", `0x${"f".repeat(40)}`, `0x${"0".repeat(40)}`];
    case "bytes32":
      return [`0x${"ab".repeat(32)}`, `0x${"f".repeat(64)}`, `0x${"0".repeat(64)}`];
    case "bytes":
      return ["0x00", `0x${"00ff".repeat(48)}`, "0x"];
    case "list": {
      const [plain, full] = valuesOf(field.item as Field);
      return [[plain], [plain, full], []];
    }
    case "record": {
      const members = field.members as Fields;
      return [payloadAt(members, 0), payloadAt(members, 1), payloadAt(members, 2)];
    }
  }
}
