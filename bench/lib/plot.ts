const WIDTH = 50;

/** A curve as lines of text: one bar a point, from zero. */
export function plotCurve(
  title: string,
  unit: string,
  points: readonly (readonly [label: string, value: number])[],
): string {
  const most = Math.max(...points.map(([, value]) => value));
  const lines = points.map(([label, value]) => {
    const bar = "#".repeat(Math.max(1, Math.round((value / most) * WIDTH)));
    return `  ${label.padStart(9)} ${value.toPrecision(3).padStart(8)} ${unit} ${bar}`;
  });
  return `\n${title}\n${lines.join("\n")}`;
}
