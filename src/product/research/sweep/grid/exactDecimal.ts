/** A decimal number, exact: `digits` times 10^-`scale`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Powers of ten that a number may be written with. */
const EXPONENT_MOST = 30;

/** Reads `12`, `-0.05` or `1e-3`; undefined for anything else. */
export function readExact(text: string): ExactDecimal | undefined {
  const [, sign = "", whole, fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const power = Number(exponent);
  if (whole === undefined || Math.abs(power) > EXPONENT_MOST || whole.length + fraction.length > 60) return undefined;
  const scale = fraction.length - power;
  const digits = BigInt(sign + whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Canonical text: no exponent, no needless zero. */
export function formatExact({ digits, scale }: ExactDecimal): string {
  const text = `${digits < 0n ? -digits : digits}`.padStart(scale + 1, "0");
  const [whole, fraction] = [text.slice(0, text.length - scale), text.slice(text.length - scale).replace(/0+$/, "")];
  const body = fraction === "" ? whole : `${whole}.${fraction}`;
  return digits < 0n ? `-${body}` : body;
}

/** Digits of two numbers at one scale. */
export function alignExact(...numbers: readonly ExactDecimal[]): {
  readonly digits: readonly bigint[];
  readonly scale: number;
} {
  const scale = Math.max(...numbers.map((one) => one.scale));
  return { digits: numbers.map((one) => one.digits * 10n ** BigInt(scale - one.scale)), scale };
}

/** Rounds to this many significant digits, half away from zero. */
export function roundSignificant({ digits, scale }: ExactDecimal, most: number): ExactDecimal {
  const length = `${digits < 0n ? -digits : digits}`.length;
  return length <= most ? { digits, scale } : roundTo({ digits, scale }, scale - (length - most));
}

/** Rounds to this many digits after the point, half away from zero; fewer than 0 are digits before it. */
export function roundTo({ digits, scale }: ExactDecimal, places: number): ExactDecimal {
  if (scale <= places) return { digits, scale };
  const unit = 10n ** BigInt(scale - places);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  const rounded = (digits + half) / unit;
  return places >= 0 ? { digits: rounded, scale: places } : { digits: rounded * 10n ** BigInt(-places), scale: 0 };
}
