/** Prices and sizes of a mapping. */
import { PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { ColumnIndex, SizeSpec } from "../readers/layout.ts";
import type { Binder } from "./binder.ts";
import type { PriceRef, SizeRef } from "./schema.ts";
import { parseUnits } from "./units.ts";

/** @param sign a level that a side does not have may have the price 0 */
export function bindPrice(price: PriceRef, binder: Binder, sign: "positive" | "nonNegative" = "positive"): ColumnIndex {
  const ref = typeof price === "object" ? price.column : price;
  const scale = typeof price === "object" ? (price.scale ?? 0) : 0;
  return binder.amount(ref, PRICE_DECIMALS + scale, sign);
}

const WIDE = { wide: true } as const;

/** @param sign a trade has a size above zero; the volume of a bar and the size of a level may be zero */
export function bindSize(size: SizeRef, binder: Binder, sign: "positive" | "nonNegative"): SizeSpec {
  if (typeof size !== "object") {
    return { from: "base", column: binder.amount(size, SIZE_DECIMALS, sign, WIDE), multiplier: 1 };
  }
  if ("constant" in size) {
    const value = parseUnits(size.constant);
    if (value === undefined || value.units === 0)
      throw binder.invalid(`the constant size ${size.constant} cannot be used`);
    return { from: "constant", size: value.units };
  }
  switch (size.unit) {
    case "base": {
      const column = binder.amount(size.column, SIZE_DECIMALS + (size.scale ?? 0), sign, WIDE);
      return { from: "base", column, multiplier: 1 };
    }
    case "quote":
      return { from: "quote", column: binder.amount(size.column, SIZE_DECIMALS + (size.scale ?? 0), sign, WIDE) };
    case "contracts": {
      const multiplier = parseUnits(size.multiplier);
      if (multiplier === undefined || multiplier.units === 0) {
        throw binder.invalid(`the multiplier ${size.multiplier} cannot be used`);
      }
      // contracts * digits * 10^-places, in 1e-8 base: the column keeps 8 - places digits.
      const column = binder.amount(size.column, SIZE_DECIMALS - multiplier.places, sign, WIDE);
      return { from: "base", column, multiplier: multiplier.digits };
    }
  }
}
