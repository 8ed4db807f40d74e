import type { Payloads } from "../../../protocol/actions/index.ts";
import { INTENT_KINDS } from "../../../protocol/words.ts";
import type { Link, TransactionLine } from "../shrink/script.ts";
import type { LiteralPlaces } from "./literalPlaces.ts";

/** What a scenario file calls the orders, intents and grants of transactions that later ones name: `order2`, `intent3b`. */
export class Labels {
  /** Places of the lines among all, by their numbers. */
  readonly #orders: ReadonlyMap<number, number>;
  readonly #lines: ReadonlyMap<number, TransactionLine>;
  /** Of the lines that others name: one label for each part up to the last that is named. */
  readonly #labels = new Map<number, string[]>();

  /**
   * @param lines that were played, in their order
   * @param literals what is said as it is, and needs no label
   */
  constructor(lines: readonly TransactionLine[], literals: LiteralPlaces) {
    this.#orders = new Map(lines.map(({ number }, order) => [number, order]));
    this.#lines = new Map(lines.map((line) => [line.number, line]));
    let count = 0;
    for (const [number, parts] of [...this.#findNamed(lines, literals)].sort(([a], [b]) => a - b)) {
      // A file may not give labels that nothing uses: parts are labelled only if all before them are.
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

  /** Those of a line, as the parts of what it made; none where nothing names it. */
  of(line: number): readonly string[] {
    return this.#labels.get(line) ?? [];
  }

  /** `$order2`, for what a link of a line names; undefined where only the value says it. */
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

  /** `$grant1`, for the grant that a line made; undefined where only its id says it. */
  referGrant(line: number, by: number): string | undefined {
    return this.#refer(line, 0, by);
  }

  #refer(line: number, part: number, by: number): string | undefined {
    const label = this.of(line)[part];
    return label === undefined || !this.#isBefore(line, by) ? undefined : `$${label}`;
  }

  /** What of each line is named by one behind it. */
  #findNamed(lines: readonly TransactionLine[], literals: LiteralPlaces): ReadonlyMap<number, Set<number>> {
    const named = new Map<number, Set<number>>();
    for (const line of lines) {
      const need = (number: number, part: number | undefined) => {
        if (part === undefined || !this.#isBefore(number, line.number)) return;
        named.set(number, (named.get(number) ?? new Set()).add(part));
      };
      const says = (place: string) => literals.has(line.number, place);
      if (typeof line.grant === "number" && !says("header.authorization")) need(line.grant, 0);
      for (const link of line.links) {
        // What is carried is written as it is.
        if (link.path[0] === "carried" || says(`payload.${link.path.join(".")}`)) continue;
        if (link.to === "grant") need(link.line, 0);
        else if (link.to === "id") need(link.line, this.#partOf(link));
      }
    }
    return named;
  }

  /** Whether a line is there and stands before another: only then can that name it. */
  #isBefore(line: number, by: number): boolean {
    const order = this.#orders.get(line);
    return order !== undefined && order < this.#orders.get(by)!;
  }

  /** Place of what a link names among the labels of its line; undefined where that line is gone or cannot be labelled. */
  #partOf(link: Link & { readonly to: "id" }): number | undefined {
    const line = this.#lines.get(link.line);
    if (line === undefined || link.part >= 50) return undefined;
    if (line.action !== "placeIntent" || !link.path.includes("intent")) return link.part;
    // Legs of a group that waits for an entry stand behind the entry's id.
    const kind = INTENT_KINDS[(line.payload as Payloads["placeIntent"]).kind]!;
    return link.part - (kind === "oto" || kind === "otoco" ? 1 : 0);
  }
}
