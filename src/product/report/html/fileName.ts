/** A name without characters that a file system refuses. */
export function toFileName(text: string): string {
  return (
    text
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+/, "")
      .slice(0, 60) || "run"
  );
}
