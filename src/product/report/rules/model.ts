/** A comparison of rules, as its renderers need it: names, texts, and numbers in USD. */
export interface RulesReport {
  readonly title: string;
  /** Facts of the run, a few words each. */
  readonly facts: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly sets: readonly RulesReportSet[];
  readonly figures: readonly RulesReportFigure[];
  /** The command that makes it again. */
  readonly command: string;
}

export interface RulesReportSet {
  readonly name: string;
  /** The insurance fund over time, USD. */
  readonly insurance: readonly (readonly [timeMs: number, balance: number])[];
  /** Parameters that differ from the record, as `MARKET.name`, with their texts. */
  readonly rules: readonly (readonly [name: string, text: string])[];
}

/** A figure of every set, in their order. */
export interface RulesReportFigure {
  readonly name: string;
  /** Its meaning, in a sentence. */
  readonly meaning: string;
  readonly values: readonly { readonly text: string; readonly number: number }[];
  /** For example "USD" or "accounts"; empty for what is its own unit. */
  readonly unit: string;
  /** Which values are better for the venue and its traders; null where none are. */
  readonly better: "less" | "more" | null;
  /** Drawn as bars next to each other. */
  readonly isDrawn: boolean;
}
