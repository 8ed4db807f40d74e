import { compileScenario } from "../../../product/scenario/compile/compileScenario.ts";
import type { Scenario } from "../../../product/scenario/compile/plan.ts";
import { readFrom, type Texts } from "../../../product/scenario/run/texts.ts";
import { invariants } from "../../invariants/list.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import type { CanaryName } from "../campaign/canaryNames.ts";
import { selectInvariants } from "../campaign/selectInvariants.ts";
import type { Apply } from "../shrink/readScript.ts";
import { applyWith } from "./applyWith.ts";

/** What all jobs of an exploration share. Plain data: a worker of a queue has none of the files. */
export interface ExploreShared {
  readonly files: readonly ScenarioTexts[];
  /** Patterns of the chosen invariants; empty for all. */
  readonly invariants: string;
  /** The reference model runs in lock step. */
  readonly model: boolean;
  /** Fault planted after each block. */
  readonly canary: CanaryName | null;
}

/** A scenario, and the texts that it is compiled from. */
export interface ScenarioTexts {
  readonly file: string;
  readonly texts: Texts;
}

/** The shared data as jobs use them. */
export interface OpenedShared {
  readonly invariants: readonly Invariant[];
  readonly apply: Apply;
  readonly model: boolean;
  /** Compiles the scenario of a file. */
  compile(file: number): Scenario;
}

export function openShared({ files, invariants: patterns, model, canary }: ExploreShared): OpenedShared {
  return {
    invariants: selectInvariants(invariants, patterns),
    apply: applyWith(canary ?? undefined),
    model,
    compile(at) {
      const { file, texts } = files[at]!;
      return compileScenario(file, readFrom(texts));
    },
  };
}

/** Keeps what was used last: jobs of several starts or scenarios come to a thread in turns. */
export class LastUsed<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string, create: () => Value): Value {
    const value = this.#values.get(name) ?? create();
    this.#values.delete(name);
    this.#values.set(name, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most) break;
      this.#values.delete(oldest);
    }
    return value;
  }
}
