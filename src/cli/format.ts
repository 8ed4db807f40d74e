// How the command line writes numbers and times: the same in every locale.

/** Milliseconds since 1970 -> `2021-05-19 13:00:00` (UTC) */
export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace("T", " ");
}

/** Bytes in powers of a thousand: `0 B`, `12.3 kB`, `1.4 GB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${["", "kB", "MB", "GB", "TB"][power]}`;
}

/** Cells in columns, two spaces apart. Cells of the columns in `right` are aligned to the right. */
export function formatColumns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => (right.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
