/** Pages of the rulebook by the letters of their rules. */
const CHAPTERS: Readonly<Record<string, string>> = {
  NUM: "numbers",
  NET: "network",
  ACC: "accounts",
  TX: "transactions",
  NON: "nonces",
  VAL: "validity",
  ACT: "actions",
  BLK: "blocks",
  ORD: "orders",
  POS: "positions",
  PRC: "prices",
  FND: "funding",
  MRG: "margin",
  LIQ: "liquidation",
  INT: "intents",
  AUT: "authorizations",
  MKT: "lifecycle",
  EVT: "events",
  DET: "determinism",
};

/** The page with the text of a rule, for example `docs/spec/liquidation.md` for LIQ-3. */
export function chapterOf(rule: string): string {
  return `docs/spec/${CHAPTERS[rule.split("-")[0]!] ?? "README"}.md`;
}
