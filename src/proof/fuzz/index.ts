/**
 * `perplab/fuzz`: searches. `perplab fuzz run` searches for broken invariants. This module exports the searches that
 * programs call, and the types that modules for the command line need.
 *
 *     const world = readWorld("mango-2022.yaml", { attackers: ["long", "short", "exit"], variant: "weak" });
 *     const { result } = searchExploit(world, { attempts: 20_000 });
 */
export { FuzzError, type FuzzErrorCode, isFuzzError } from "./errors.ts";
export { type AttackResult, playAttack } from "./exploit/attack.ts";
export { type AttackStep, describeAttack } from "./exploit/describeAttack.ts";
export type { Move } from "./exploit/moves.ts";
export { type ExploitFound, type ExploitOptions, searchExploit } from "./exploit/search.ts";
export { readWorld, type World, type WorldBlock, type WorldOptions } from "./exploit/world.ts";
export { defineAssertion, parseAssertion, type StrategyAssertion, type StrategyView } from "./strategy/assertions.ts";
export { formatScript, type MarketScript, parseScript, playScript, type Segment } from "./strategy/marketScript.ts";
export { type BrokenAssertion, runStrategy, type StrategyOutcome, type StrategySetup } from "./strategy/runStrategy.ts";
export { filesOf, sourceOf } from "./strategy/scriptSource.ts";
export { type StrategySearch, type StrategySearchOptions, searchStrategy } from "./strategy/searchStrategy.ts";
