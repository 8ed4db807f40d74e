import { isMap, parseDocument } from "yaml";

/**
 * The text of a file with another root in `golden`; everything else stays as it is, comments and spaces included.
 *
 * @returns undefined where the file has no golden root
 */
export function updateGolden(text: string, root: string): string | undefined {
  const { contents } = parseDocument(text);
  const golden = isMap(contents) ? contents.get("golden") : undefined;
  const node = isMap(golden)
    ? (golden.get("root", true) as { range?: [number, number, number] } | undefined)
    : undefined;
  if (node?.range === undefined) return undefined;
  const [from, to] = node.range;
  return `${text.slice(0, from)}${JSON.stringify(root)}${text.slice(to)}`;
}
