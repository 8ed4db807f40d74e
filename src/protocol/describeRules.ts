/** Rows of ACT-3 in words, for pages and schemas. */
import type { FieldRule } from "./fieldRules.ts";

/** The rule of a row for its field: `refused`, `needed`, a range. */
export function describeUse(rule: FieldRule): string {
  switch (rule.use) {
    case "refused":
      return rule.words === undefined ? "refused" : `${rule.words.join(", ")} refused`;
    case "needed":
      if (rule.entries !== undefined) return `exactly ${rule.entries}`;
      return rule.or === undefined ? "needed" : `needed, or ${rule.or}`;
    case "within":
      return rule.range;
    case "multiple":
      return `a multiple of ${rule.of}`;
  }
}

/** Where a row holds: the words of other fields and of the market's parameters; empty where always. */
export function describeWhere({ when = {}, market = {}, given }: FieldRule): string {
  const conditions = [
    ...Object.entries(when).map(([field, words]) => `${field} is ${words.join(", ")}`),
    ...Object.entries(market).map(([parameter, words]) => `the market's ${parameter} is ${words.join(", ")}`),
    ...(given === undefined ? [] : [`${given} is given`]),
  ];
  return conditions.join("; ");
}

/** Rules of a definition for one field, a sentence each. */
export function describeField(name: string, rules: readonly FieldRule[]): string {
  return rules
    .filter(({ field }) => field === name)
    .map((rule) => {
      const where = describeWhere(rule);
      const use = describeUse(rule);
      return `${use.charAt(0).toUpperCase()}${use.slice(1)}${where === "" ? "" : ` where ${where}`} (${rule.code}).`;
    })
    .join(" ");
}
