/**
 * How a decrease of a level that no trade explains is split between the queue before an order and the queue behind it.
 */
export interface QueueModel {
  readonly name: string;
  /** The sentence of a report about it. */
  readonly assumption: string;
  /**
   * Lots of it that are taken from before the order.
   *
   * @param lots  of the decrease
   * @param front lots of the house before the oldest order of others
   * @param back  lots of the house behind it
   */
  takeAhead(lots: number, front: number, back: number): number;
}

/** Names of models as a user types them; `power` has a whole exponent. */
export const QUEUE_MODELS = ["behind", "proportional", "log", "power(n)"] as const;
const EXPONENT_MOST = 9;

/** @returns undefined for a text that names no model */
export function readQueueModel(text: string): QueueModel | undefined {
  switch (text) {
    case "behind":
      return BEHIND;
    case "proportional":
      return createModel(text, "in proportion to the lots of both", sharePower(1));
    case "log":
      return createModel(text, "in proportion to ln(1 + lots) of both", shareLog);
  }
  const exponent = Number(/^power\(([1-9])\)$/.exec(text)?.[1]);
  if (!(exponent >= 1 && exponent <= EXPONENT_MOST)) return undefined;
  return createModel(text, `in proportion to the lots of both to the power of ${exponent}`, sharePower(exponent));
}

/** All lots are taken from behind, as long as lots are there. */
export const BEHIND: QueueModel = {
  name: "behind",
  assumption: "A decrease without a trade comes from behind the order, as long as something is there (queue: behind).",
  takeAhead: (lots, front, back) => bound(0, lots, front, back),
};

/** The share of `lots` that `front` has against `back`, rounded down. */
type Share = (lots: number, front: number, back: number) => number;

function createModel(name: string, split: string, share: Share): QueueModel {
  return {
    name,
    assumption:
      `A decrease without a trade comes from before and from behind the order, ${split} (queue: ${name}). Of several ` +
      "orders at one price, the oldest decides.",
    takeAhead: (lots, front, back) => bound(front === 0 ? 0 : share(lots, front, back), lots, front, back),
  };
}

/** Lots that are not behind come from before, and the other way round. */
function bound(ahead: number, lots: number, front: number, back: number): number {
  return Math.min(front, Math.max(ahead, lots - back));
}

/** lots x front^n / (front^n + back^n) */
function sharePower(exponent: number): Share {
  return (lots, front, back) => {
    const [ahead, after] = [BigInt(front) ** BigInt(exponent), BigInt(back) ** BigInt(exponent)];
    return Number((BigInt(lots) * ahead) / (ahead + after));
  };
}

/** lots x ln(1 + front) / (ln(1 + front) + ln(1 + back)) */
function shareLog(lots: number, front: number, back: number): number {
  const ahead = computeLog(1 + front);
  return Math.floor((lots * ahead) / (ahead + computeLog(1 + back)));
}

/**
 * Natural logarithm of a number from 1 on, by operations that every machine rounds alike: the power of two, and
 * 2 artanh((m - 1) / (m + 1)) of what is left.
 */
export function computeLog(value: number): number {
  let rest = value;
  let doublings = 0;
  while (rest >= 2) {
    rest /= 2;
    doublings++;
  }
  const z = (rest - 1) / (rest + 1);
  let power = z;
  let sum = 0;
  for (let term = 1; term < 40; term += 2) {
    sum += power / term;
    power *= z * z;
  }
  return 2 * sum + doublings * Math.LN2;
}
