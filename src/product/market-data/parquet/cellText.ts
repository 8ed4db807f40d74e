/**
 * Values of Parquet columns as the text of cells, exactly: what a double holds is its shortest text, without an
 * exponent.
 */
import type { SchemaElement } from "hyparquet";

export type CellText = (value: unknown) => string;

/** How the values of a column become text; `undefined` for types that no cell can hold. */
export function cellTextOf(element: SchemaElement): CellText | undefined {
  const { type, converted_type: converted, logical_type: logical } = element;
  const isDecimal = converted === "DECIMAL" || logical?.type === "DECIMAL";
  switch (type) {
    case "BOOLEAN":
      return nullable(String);
    case "INT32":
      if (isDecimal) return decimal(element.scale ?? 0);
      if (converted === "DATE" || logical?.type === "DATE") return nullable(formatDay);
      return isUnsigned(element) ? nullable((value) => String(Number(value) >>> 0)) : nullable(String);
    case "INT64":
      if (isDecimal) return decimal(element.scale ?? 0);
      return isUnsigned(element)
        ? nullable((value) => String(BigInt.asUintN(64, BigInt(value as bigint))))
        : nullable(String);
    // Nanoseconds since 1970, as the reader's parser gives them.
    case "INT96":
      return nullable(String);
    case "FLOAT":
      return nullable((value) => plain(shortestFloat(value as number)));
    case "DOUBLE":
      return nullable((value) => plain(String(value)));
    case "BYTE_ARRAY":
      if (isDecimal) return decimal(element.scale ?? 0);
      return nullable((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value)));
    case "FIXED_LEN_BYTE_ARRAY":
      return isDecimal ? decimal(element.scale ?? 0) : undefined;
    default:
      return undefined;
  }
}

const nullable =
  (format: CellText): CellText =>
  (value) =>
    value === null || value === undefined ? "" : format(value);

function isUnsigned({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  if (converted === "UINT_64" || converted === "UINT_32" || converted === "UINT_16" || converted === "UINT_8")
    return true;
  return logical?.type === "INTEGER" && !logical.isSigned;
}

function decimal(scale: number): CellText {
  return nullable((value) => {
    const units = value instanceof Uint8Array ? readSigned(value) : BigInt(value as number | bigint);
    if (scale === 0) return String(units);
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
    return `${units < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  });
}

/** A whole number of two's complement, the highest byte first. */
function readSigned(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString("hex");
  return hex === "" ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

function formatDay(value: unknown): string {
  const date = new Date(Number(value) * 86_400_000);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString().slice(0, 10);
}

/** The shortest decimal that reads back as the same 32-bit float. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

/** `1e-7` as `0.0000001`. */
function plain(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = "", fraction = "", exponent] = match;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${"0".repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
