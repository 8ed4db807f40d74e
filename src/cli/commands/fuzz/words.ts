/**
 * Words of the options, here so that help has them without loading a search. Their types check them against the lists
 * that they copy.
 */
import type { CANARY_NAMES } from "../../../proof/fuzz/campaign/canaryNames.ts";
import type { SearchProfileName } from "../../../proof/fuzz/campaign/profiles.ts";
import type { ASSERTION_FORMS } from "../../../proof/fuzz/strategy/assertions.ts";

const profiles: Readonly<Record<SearchProfileName, true>> = { smoke: true, nightly: true, swarm: true, deep: true };

export const PROFILE_WORDS = Object.keys(profiles) as SearchProfileName[];

export const CANARY_WORDS: typeof CANARY_NAMES = ["freeUnit", "lateTrigger", "keptReserve"];

export const ASSERTION_WORDS: typeof ASSERTION_FORMS = [
  "min-margin=RATIO",
  "max-drawdown=SHARE",
  "min-equity=USD",
  "max-position=SIZE",
  "no-liquidation",
];
