import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { Faults } from "../faults.ts";
import type { Cell, Entry, Place } from "./cell.ts";

/**
 * Reads YAML 1.2 text: strict, keys unique, without anchors. JSON is YAML.
 *
 * @param file name of the text in messages
 * @returns undefined if the text is no YAML; the faults give the reason
 */
export function readYaml(text: string, file: string, faults: Faults): Cell | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    strict: true,
    uniqueKeys: true,
    lineCounter: lines,
    prettyErrors: false,
  });
  const placeAt = (from: number, to: number): Place => {
    const { line, col } = lines.linePos(from);
    const end = lines.linePos(Math.max(to, from + 1));
    return { file, line, column: col, length: end.line === line ? Math.max(end.col - col, 1) : 1 };
  };
  for (const error of [...document.errors, ...document.warnings]) {
    faults.add(placeAt(error.pos[0], error.pos[1]), error.message.replace(/\.$/, ""), "this is not YAML 1.2");
  }
  if (faults.any) return undefined;
  const { contents } = document;
  if (contents === null)
    return faults.add({ file, line: 1, column: 1, length: 1 }, "the file is empty", "write a scenario");

  const placeOf = (node: Node): Place => {
    const [from, to] = node.range ?? [0, 1];
    return placeAt(from, to);
  };
  const convert = (node: unknown, fallback: Place): Cell => {
    if (isMap(node)) {
      const entries: Entry[] = node.items.map(({ key, value }) => {
        const place = placeOf(key as Node);
        const name = isScalar(key) ? String(key.source ?? key.value) : "?";
        if (!isScalar(key)) faults.add(place, "a key must be a word", "write name: value");
        return { key: name, place, value: convert(value, place) };
      });
      return { kind: "map", place: placeOf(node), entries };
    }
    if (isSeq(node)) {
      const place = placeOf(node);
      return { kind: "list", place, items: node.items.map((item) => convert(item, place)) };
    }
    if (isScalar(node)) {
      const place = placeOf(node);
      const { value } = node;
      if (typeof value === "string") {
        return { kind: "text", place, source: value, quoted: node.type !== "PLAIN" };
      }
      if (value === null) return { kind: "null", place, source: "" };
      return { kind: typeof value === "boolean" ? "flag" : "number", place, source: node.source ?? String(value) };
    }
    if (isAlias(node)) faults.add(placeOf(node), "an alias", "write the value again, or use include");
    return { kind: "null", place: fallback, source: "" };
  };
  return convert(contents, { file, line: 1, column: 1, length: 1 });
}
