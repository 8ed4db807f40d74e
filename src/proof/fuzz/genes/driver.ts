import type { BlockBuilder } from "./blockBuilder.ts";

/** Applies a fault of a careless or hostile driver to the block under construction. */
export function applyDriver(
  builder: BlockBuilder,
  operation: "duplicate" | "delay" | "reorder" | "truncate" | "crash",
): void {
  const { choices, users } = builder;
  switch (operation) {
    case "duplicate": {
      const from = choices.below(2) === 0 && users.length > 0 ? users : builder.past;
      const transaction = from[from.length - 1 - choices.below(Math.max(1, from.length))];
      if (transaction !== undefined) users.push(transaction);
      return;
    }
    case "delay": {
      const transaction = users.pop();
      if (transaction === undefined) return;
      const by = choices.pick([1, 2, 5, 40]);
      builder.delayed.push({ height: builder.state.height + 1 + by, transaction });
      return;
    }
    case "reorder": {
      if (users.length < 2) return;
      const one = choices.below(users.length);
      const other = (one + 1 + choices.below(users.length - 1)) % users.length;
      [users[one], users[other]] = [users[other]!, users[one]!];
      return;
    }
    case "truncate":
      users.length -= Math.min(users.length, 1 + choices.below(4));
      return;
    case "crash":
      builder.crash = choices.pick(["image", "snapshot"]);
  }
}
