import type { Fault, FaultKind, FaultPoint, FaultRequest, StoreFileKind } from "../../../client/api/schemas/faults.ts";
import { DISK_FAULTS, FAULT_KINDS, REQUEST_FAULTS, STREAM_FAULTS } from "../../../client/api/schemas/faults.ts";
import { Random } from "../../../ground/math/random.ts";
import { invalidField, notFound } from "../../face/problems/problems.ts";

/** Something that a fault may apply to: a request, a message, a write or a point of the store. */
export interface Occasion {
  readonly operation?: string | undefined;
  readonly channel?: string | undefined;
  readonly point?: FaultPoint;
  readonly file?: StoreFileKind;
}

/** A fault that strikes now. */
export interface Strike {
  readonly kind: FaultKind;
  /** Time of the rule, plus the drawn jitter; undefined if the rule has none. */
  readonly ms: number | undefined;
}

/**
 * Injected faults of a development venue. Each rule draws from its own seed which occasions it strikes, one after
 * another: the same requests meet the same faults.
 */
export class FaultPlan {
  readonly #rules = new Map<string, Rule>();
  #named = 0;

  add(request: FaultRequest): Fault {
    checkRule(request);
    const id = `f${++this.#named}`;
    const rule = new Rule(id, request);
    this.#rules.set(id, rule);
    return rule.view();
  }

  remove(id: string): void {
    if (!this.#rules.delete(id)) throw notFound(`There is no fault ${JSON.stringify(id)}.`, "UNKNOWN_FAULT");
  }

  clear(): void {
    this.#rules.clear();
  }

  list(): Fault[] {
    return [...this.#rules.values()].map((rule) => rule.view());
  }

  /** The strikes of these kinds, in the order in which their rules were made. */
  strikes(kinds: readonly FaultKind[], occasion: Occasion): Strike[] {
    if (this.#rules.size === 0) return [];
    const strikes: Strike[] = [];
    for (const rule of this.#rules.values()) {
      if (!kinds.includes(rule.request.kind)) continue;
      const strike = rule.meet(occasion);
      if (strike !== undefined) strikes.push(strike);
    }
    return strikes;
  }

  /** Skew of the server's clock, ms, while the rule exists. */
  get skewMs(): number {
    let skew = 0;
    for (const { request } of this.#rules.values()) if (request.kind === "clockSkew") skew += request.ms ?? 0;
    return skew;
  }
}

class Rule {
  readonly request: FaultRequest;
  readonly #id: string;
  readonly #random: Random;
  #met = 0;
  #struck = 0;

  constructor(id: string, request: FaultRequest) {
    this.#id = id;
    this.request = request;
    this.#random = Random.ofSeed([request.seed ?? 0, FAULT_KINDS.indexOf(request.kind), 0, 1]);
  }

  meet({ operation, channel, point, file }: Occasion): Strike | undefined {
    const { kind, skip = 0, times, probability = 1, ms, jitterMs = 0, ...about } = this.request;
    if (about.operation !== undefined && about.operation !== operation) return undefined;
    if (about.channel !== undefined && about.channel !== channel) return undefined;
    if (about.file !== undefined && about.file !== file) return undefined;
    if (about.point !== point) return undefined;
    // Drawn for each occasion, so that a rule's other settings do not shift later draws.
    const [drawn, jitter] = [this.#random.fraction(), this.#random.fraction()];
    if (this.#met++ < skip || drawn >= Number(probability) || (times !== undefined && this.#struck >= times))
      return undefined;
    this.#struck++;
    return { kind, ms: jitterMs === 0 ? ms : (ms ?? 0) + Math.floor(jitter * (jitterMs + 1)) };
  }

  view(): Fault {
    return { id: this.#id, rule: this.request, met: this.#met, struck: this.#struck };
  }
}

/** @throws {ProblemError} VALIDATION_ERROR for a member that the kind does not have */
function checkRule({ kind, operation, channel, point, file, ms, jitterMs }: FaultRequest): void {
  const isRequest = (REQUEST_FAULTS as readonly string[]).includes(kind);
  const isStream = (STREAM_FAULTS as readonly string[]).includes(kind);
  const isDisk = (DISK_FAULTS as readonly string[]).includes(kind);
  const isDelay = kind === "latency" || kind === "late";
  if (operation !== undefined && !isRequest) throw foreign("operation", kind);
  if (channel !== undefined && !isStream) throw foreign("channel", kind);
  if (file !== undefined && !isDisk) throw foreign("file", kind);
  if ((point !== undefined) !== (kind === "crash")) throw foreign("point", kind);
  if (jitterMs !== undefined && !isDelay) throw foreign("jitterMs", kind);
  if (ms !== undefined && ms < 0 && kind !== "clockSkew")
    throw invalidField("body.ms", "minimum", "must be at least 0");
  if (ms === undefined && (kind === "clockSkew" || kind === "streamStall" || (isDelay && jitterMs === undefined))) {
    throw invalidField("body.ms", "missingField", `${kind} needs it`);
  }
}

function foreign(member: string, kind: FaultKind) {
  return invalidField(`body.${member}`, "kind", `does not go with ${kind}, or is missing`);
}
