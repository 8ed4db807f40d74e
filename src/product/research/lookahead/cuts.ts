import { Random } from "../../../ground/math/random.ts";

/**
 * Moments at which a check cuts the data. Half of them are drawn from equal parts of the run, half of them the times of
 * decisions, drawn from equal parts of their list. A decision at the time of its cut has seen all data except the
 * future.
 *
 * @param decisionMs times of the decisions, rising
 * @returns rising, each once
 */
export function chooseCuts(
  count: number,
  seed: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  decisionMs: readonly number[],
): number[] {
  const random = Random.ofSeed([seed, 0x1007]);
  const times = [...new Set(decisionMs)].filter((timeMs) => timeMs < toMs);
  const atDecisions = times.length === 0 ? 0 : Math.ceil(count / 2);
  const spread = count - atDecisions;
  const cuts = new Set<number>();
  for (let part = 0; part < atDecisions; part++) {
    const low = Math.floor((times.length * part) / atDecisions);
    const high = Math.max(low, Math.floor((times.length * (part + 1)) / atDecisions) - 1);
    cuts.add(times[random.between(low, high)]!);
  }
  const span = Math.max(1, toMs - fromMs);
  for (let part = 0; part < spread; part++) {
    const low = fromMs + Math.floor((span * part) / spread);
    const high = Math.max(low, fromMs + Math.floor((span * (part + 1)) / spread) - 1);
    cuts.add(random.between(low, high));
  }
  return [...cuts].sort((a, b) => a - b);
}
