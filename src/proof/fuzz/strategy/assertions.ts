/** An account after a block, as an assertion sees it; USD and base units. */
export interface StrategyView {
  readonly height: number;
  readonly timeMs: number;
  readonly equity: number;
  readonly collateral: number;
  readonly maintenance: number;
  /** Equity over maintenance margin; Infinity without a position. */
  readonly margin: number;
  /** Loss from the highest equity so far, as a share of it. */
  readonly drawdown: number;
  /** Positive is long. */
  readonly position: number;
  readonly mark: number;
  /** Liquidations of the account so far. */
  readonly liquidations: number;
}

/** A property that a strategy must keep in any market. */
export interface StrategyAssertion {
  readonly id: string;
  /** The property as a sentence. */
  readonly sentence: string;
  /** Distance to breaking; negative is broken. The search minimises it. It may have any unit. */
  slack(view: StrategyView): number;
}

/** Defines an assertion in a user module, named with `--assert ./module.ts`. */
export function defineAssertion(assertion: StrategyAssertion): StrategyAssertion {
  return assertion;
}

/** Assertions by name: `min-margin=1.2`, `max-drawdown=0.3`, `min-equity=5000`, `max-position=2`, `no-liquidation`. */
export const ASSERTION_FORMS = [
  "min-margin=RATIO",
  "max-drawdown=SHARE",
  "min-equity=USD",
  "max-position=SIZE",
  "no-liquidation",
] as const;

/** Parses the text of an assertion; undefined if it is not one. */
export function parseAssertion(text: string): StrategyAssertion | undefined {
  if (text === "no-liquidation") {
    return {
      id: text,
      sentence: "The account is never liquidated.",
      slack: ({ liquidations, margin }) => (liquidations > 0 ? -1 : Math.min(10, Math.max(0, margin - 1))),
    };
  }
  const found = /^(min-margin|max-drawdown|min-equity|max-position)=([0-9]+(?:\.[0-9]+)?)$/.exec(text);
  if (found === null) return undefined;
  const bound = Number(found[2]);
  switch (found[1]) {
    case "min-margin":
      return {
        id: text,
        sentence: `Equity is never below ${bound} times maintenance, and the account never liquidated.`,
        slack: ({ margin, liquidations }) => (liquidations > 0 ? -1 : Math.min(10, margin - bound)),
      };
    case "max-drawdown":
      return {
        id: text,
        sentence: `The loss from the highest equity is never above ${bound} of it.`,
        slack: ({ drawdown }) => bound - drawdown,
      };
    case "min-equity":
      return { id: text, sentence: `Equity is never below ${bound} USD.`, slack: ({ equity }) => equity / bound - 1 };
    default:
      return {
        id: text,
        sentence: `The position is never above ${bound}.`,
        slack: ({ position }) => 1 - Math.abs(position) / bound,
      };
  }
}
