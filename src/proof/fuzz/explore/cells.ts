/** Cells in columns, two spaces apart: the first column to the left, the others to the right. */
export function formatCells(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const align = (cell: string, at: number) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!));
  return rows.map((row) => row.map(align).join("  ").trimEnd()).join("\n");
}

/** A whole number with commas. */
export const formatCount = (value: number): string => `${value}`.replace(/\B(?=(\d{3})+$)/g, ",");
