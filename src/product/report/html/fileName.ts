/** A name without what a file system minds. */
export function toFileName(text: string): string {
  return (
    text
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+/, "")
      .slice(0, 60) || "run"
  );
}
