/** The document of results, docs/evidence/validation.json, and the sections that its parts become. */

import type { AccountReplay } from "./accountReplay/measure.ts";
import { describeAccount } from "./accountReplay/section.ts";
import type { FundingComparison } from "./fundingRates/measure.ts";
import { describeFunding } from "./fundingRates/section.ts";
import type { HftComparison } from "./hftbacktest/measure.ts";
import { describeHft } from "./hftbacktest/section.ts";
import type { LrvxLimits } from "./lrvx/measure.ts";
import { describeLrvx } from "./lrvx/section.ts";
import type { October } from "./october/measure.ts";
import { describeOctober } from "./october/section.ts";
import type { Section } from "./section.ts";
import type { Sma } from "./sma/measure.ts";
import { describeSma } from "./sma/section.ts";
import type { VaultFills } from "./vaultFills/measure.ts";
import { describeVaultFills } from "./vaultFills/section.ts";

/** What was measured, by check. A check that has not run yet is absent. */
export interface Results {
  readonly sma?: Sma;
  readonly vaultFills?: VaultFills;
  readonly accountReplay?: AccountReplay;
  readonly fundingRates?: readonly FundingComparison[];
  readonly october?: October;
  readonly lrvx?: LrvxLimits;
  readonly hftbacktest?: HftComparison;
}

/** The checks in the order of the page. */
export const CHECKS = ["sma", "vaultFills", "accountReplay", "fundingRates", "october", "lrvx", "hftbacktest"] as const;
export type Check = (typeof CHECKS)[number];

const DESCRIPTIONS: { readonly [Name in Check]: (figures: NonNullable<Results[Name]>) => Section } = {
  sma: describeSma,
  vaultFills: describeVaultFills,
  accountReplay: describeAccount,
  fundingRates: describeFunding,
  october: describeOctober,
  lrvx: describeLrvx,
  hftbacktest: describeHft,
};

/** Results in the order of the page: a check that was skipped keeps its earlier result. */
export function joinResults(earlier: Results, measured: Results): Results {
  const joined = CHECKS.map((name) => [name, measured[name] ?? earlier[name]] as const);
  return Object.fromEntries(joined.filter(([, figures]) => figures !== undefined));
}

/** The sections of the checks that have results. */
export function describeResults(results: Results): Section[] {
  return CHECKS.flatMap((name) => describe(results, name));
}

function describe<Name extends Check>(results: Results, name: Name): Section[] {
  const figures = results[name];
  return figures === undefined ? [] : [DESCRIPTIONS[name](figures as NonNullable<Results[Name]>)];
}
