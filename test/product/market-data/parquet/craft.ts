/** Parquet files written byte by byte, so that a test can state what no writer would. */

type Field = readonly [id: number, type: "i32" | "i64" | "text" | "struct" | "list" | "true", value: Value];
type Value = number | string | readonly Field[] | readonly (readonly Field[])[] | List | true;
interface List {
  readonly of: number;
  readonly items: readonly Uint8Array[];
}
const TYPES = { true: 1, i32: 5, i64: 6, text: 8, list: 9, struct: 12 } as const;

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
export const bytes = (...all: readonly number[]): Uint8Array => Uint8Array.from(all);

/** An unsigned varint. */
export function varint(value: number): Uint8Array {
  const out: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  return bytes(...out, rest);
}

const zigzag = (value: number): Uint8Array => varint(value < 0 ? -2 * value - 1 : 2 * value);
const text = (value: string): Uint8Array => join(varint(value.length), Buffer.from(value));

/** A structure of Thrift's compact protocol. */
export function struct(...fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const [id, type, value] of fields) {
    parts.push(bytes(((id - last) << 4) | TYPES[type]), content(type, value));
    last = id;
  }
  return join(...parts, bytes(0));
}

function content(type: Field[1], value: Value): Uint8Array {
  if (type === "true") return bytes();
  if (type === "i32" || type === "i64") return zigzag(value as number);
  if (type === "text") return text(value as string);
  if (type === "struct") return struct(...(value as readonly Field[]));
  const { of, items } = value as List;
  return join(
    items.length < 15 ? bytes((items.length << 4) | of) : join(bytes(0xf0 | of), varint(items.length)),
    ...items,
  );
}

const structs = (...items: readonly Uint8Array[]): List => ({ of: 12, items });
const numbers = (...items: readonly number[]): List => ({ of: 5, items: items.map(zigzag) });

/** Codes of Parquet's enumerations. */
export const INT32 = 1;
export const INT64 = 2;
export const BYTE_ARRAY = 6;
export const PLAIN = 0;
export const RLE = 3;
export const DELTA_BINARY_PACKED = 5;
export const DELTA_LENGTH_BYTE_ARRAY = 6;
export const DELTA_BYTE_ARRAY = 7;
export const RLE_DICTIONARY = 8;

/** A page of version 2 without levels. */
export const pageV2 = (
  values: number,
  encoding: number,
  page: Uint8Array,
  change: Partial<PageFacts> = {},
): Uint8Array => {
  const { nulls, rows, levels, size, packed } = {
    nulls: 0,
    rows: values,
    levels: 0,
    size: page.length,
    packed: page.length,
    ...change,
  };
  const facts: Field[] = [
    [1, "i32", values],
    [2, "i32", nulls],
    [3, "i32", rows],
    [4, "i32", encoding],
    [5, "i32", levels],
    [6, "i32", 0],
  ];
  return join(struct([1, "i32", 3], [2, "i32", size], [3, "i32", packed], [8, "struct", facts]), page);
};

interface PageFacts {
  readonly nulls: number;
  readonly rows: number;
  readonly levels: number;
  readonly size: number;
  readonly packed: number;
}

/** A page of version 1. */
export const pageV1 = (values: number, encoding: number, page: Uint8Array, levelEncoding = RLE): Uint8Array =>
  join(
    struct(
      [1, "i32", 0],
      [2, "i32", page.length],
      [3, "i32", page.length],
      [
        5,
        "struct",
        [
          [1, "i32", values],
          [2, "i32", encoding],
          [3, "i32", levelEncoding],
          [4, "i32", RLE],
        ],
      ],
    ),
    page,
  );

export const dictionaryPage = (values: number, page: Uint8Array): Uint8Array =>
  join(
    struct(
      [1, "i32", 2],
      [2, "i32", page.length],
      [3, "i32", page.length],
      [
        7,
        "struct",
        [
          [1, "i32", values],
          [2, "i32", PLAIN],
        ],
      ],
    ),
    page,
  );

export interface CraftedColumn {
  readonly name: string;
  readonly type: number;
  readonly nullable?: boolean;
  readonly pages: readonly Uint8Array[];
}

/** A file of one row group. */
export function craft(rows: number, columns: readonly CraftedColumn[], more: readonly Field[] = []): Uint8Array {
  const mark = Buffer.from("PAR1");
  let at = mark.length;
  const chunks = columns.map(({ type, name, pages }) => {
    const content = join(...pages);
    const meta: Field[] = [
      [1, "i32", type],
      [2, "list", numbers(PLAIN)],
      [3, "list", { of: 8, items: [text(name)] }],
      [4, "i32", 0],
      [5, "i64", rows],
      [6, "i64", content.length],
      [7, "i64", content.length],
      [9, "i64", at],
    ];
    at += content.length;
    return { content, column: struct([2, "i64", 4], [3, "struct", meta]) };
  });
  const schema = columns.map(({ name, type, nullable }) =>
    struct([1, "i32", type], [3, "i32", nullable === true ? 1 : 0], [4, "text", name]),
  );
  const group = struct([1, "list", structs(...chunks.map(({ column }) => column))], [2, "i64", 1], [3, "i64", rows]);
  const footer = struct(
    [1, "i32", 1],
    [2, "list", structs(struct([4, "text", "schema"], [5, "i32", columns.length]), ...schema)],
    [3, "i64", rows],
    [4, "list", structs(group)],
    ...more,
  );
  return seal(join(mark, ...chunks.map(({ content }) => content)), footer);
}

/** Content and index of a file, with its end. */
export function seal(content: Uint8Array, footer: Uint8Array): Uint8Array {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(footer.length, 0);
  end.write("PAR1", 4, "latin1");
  return join(content, footer, end);
}
