import { extname } from "node:path";

/** The format that the ending of a file names; undefined for any other ending, and without a file. */
export function formatOfFile(path: string | undefined): "html" | "json" | "junit" | "markdown" | undefined {
  switch (extname(path ?? "").toLowerCase()) {
    case ".html":
      return "html";
    case ".json":
      return "json";
    case ".xml":
      return "junit";
    case ".md":
      return "markdown";
    default:
      return undefined;
  }
}
