/** Where the fractions of exact decimals are: in columns after those of the file. */
import type { ColumnIndex, Layout } from "./layout.ts";

type Columns = Pick<Layout, "columns">;

/** Numbers that a row has: one for each column, and one more for each exact decimal. */
export function widthOf({ columns }: Columns): number {
  return columns.reduce((width, { cell }) => (cell.type === "exact" ? width + 1 : width), columns.length);
}

/** Place of the fraction whose whole part is in a column. */
export function fractionOf({ columns }: Columns, column: ColumnIndex): ColumnIndex {
  let place = columns.length;
  for (let index = 0; index < column; index++) if (columns[index]!.cell.type === "exact") place++;
  return place;
}
