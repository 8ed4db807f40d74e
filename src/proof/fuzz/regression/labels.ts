import type { Payloads } from "../../../protocol/actions/index.ts";
import { INTENT_KINDS } from "../../../protocol/words.ts";
import type { Link, TransactionLine } from "../shrink/script.ts";
import type { LiteralPlaces } from "./literalPlaces.ts";

/** Labels in a scenario file for orders, intents and grants that later transactions reference: `order2`, `intent3b`. */
export class Labels {
  /** Position of each line, by number. */
  readonly #orders: ReadonlyMap<number, number>;
  readonly #lines: ReadonlyMap<number, TransactionLine>;
  /** Labels of the referenced lines: one for each part up to the last referenced one. */
  readonly #labels = new Map<number, string[]>();

  /**
   * @param lines the played lines, in order
   * @param literals places that are written as values and need no label
   */
  constructor(lines: readonly TransactionLine[], literals: LiteralPlaces) {
    this.#orders = new Map(lines.map(({ number }, order) => [number, order]));
    this.#lines = new Map(lines.map((line) => [line.number, line]));
    let count = 0;
    for (const [number, parts] of [...this.#findNamed(lines, literals)].sort(([a], [b]) => a - b)) {
      // A file may not define unused labels: parts are labelled only if all earlier parts are.
      const isWhole = parts.size === Math.max(...parts) + 1;
      if (!isWhole) continue;
      const { action } = this.#lines.get(number)!;
      const stem = action === "grantAuthorization" ? "grant" : action === "placeIntent" ? "intent" : "order";
      count++;
      const labels = [...parts].map(
        (part) => `${stem}${count}${parts.size === 1 ? "" : String.fromCharCode(97 + part)}`,
      );
      this.#labels.set(number, labels.sort());
    }
  }

  /** Labels of a line, one per part; none if no line references it. */
  of(line: number): readonly string[] {
    return this.#labels.get(line) ?? [];
  }

  /** `$order2` for the target of a link; undefined if only the value can be written. */
  refer(link: Link, by: number): string | undefined {
    switch (link.to) {
      case "grant":
        return this.referGrant(link.line, by);
      case "id": {
        const part = this.#partOf(link);
        return part === undefined ? undefined : this.#refer(link.line, part, by);
      }
      default:
        return undefined;
    }
  }

  /** `$grant1` for the grant of a line; undefined if only its id can be written. */
  referGrant(line: number, by: number): string | undefined {
    return this.#refer(line, 0, by);
  }

  #refer(line: number, part: number, by: number): string | undefined {
    const label = this.of(line)[part];
    return label === undefined || !this.#isBefore(line, by) ? undefined : `$${label}`;
  }

  /** Parts of each line that a later line references. */
  #findNamed(lines: readonly TransactionLine[], literals: LiteralPlaces): ReadonlyMap<number, Set<number>> {
    const named = new Map<number, Set<number>>();
    for (const line of lines) {
      const need = (number: number, part: number | undefined) => {
        if (part === undefined || !this.#isBefore(number, line.number)) return;
        named.set(number, (named.get(number) ?? new Set()).add(part));
      };
      const isLiteral = (place: string) => literals.has(line.number, place);
      if (typeof line.grant === "number" && !isLiteral("header.authorization")) need(line.grant, 0);
      for (const link of line.links) {
        // A carried transaction is written as it is.
        if (link.path[0] === "carried" || isLiteral(`payload.${link.path.join(".")}`)) continue;
        if (link.to === "grant") need(link.line, 0);
        else if (link.to === "id") need(link.line, this.#partOf(link));
      }
    }
    return named;
  }

  /** True if a line exists and comes before another, so that the other can reference it. */
  #isBefore(line: number, by: number): boolean {
    const order = this.#orders.get(line);
    return order !== undefined && order < this.#orders.get(by)!;
  }

  /** Index of a link's target among the labels of its line; undefined if the line is gone or cannot be labelled. */
  #partOf(link: Link & { readonly to: "id" }): number | undefined {
    const line = this.#lines.get(link.line);
    if (line === undefined || link.part >= 50) return undefined;
    if (line.action !== "placeIntent" || !link.path.includes("intent")) return link.part;
    // Legs of a group that waits for an entry follow the entry's id.
    const kind = INTENT_KINDS[(line.payload as Payloads["placeIntent"]).kind]!;
    return link.part - (kind === "oto" || kind === "otoco" ? 1 : 0);
  }
}
