import type { ParamDescription } from "../../client/strategy/params.ts";
import { defineCommand } from "../command.ts";
import { formatColumns } from "../format.ts";
import { createColors, type Terminal } from "../terminal.ts";

interface Shown {
  /** What to type. */
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly params: readonly ParamDescription[];
}

/** The example strategies and their parameters. */
export const strategiesCommand = defineCommand({
  name: "strategies",
  summary: "List the example strategies, or show the parameters of one",
  description:
    "Lists the example strategies. With the name of one, or with the path of a strategy file of your own, shows its " +
    "parameters: name, type, default and meaning, as `perplab backtest --param name=value` takes them.",
  examples: [{ args: "strategies", does: "List the examples" }],
  configure(command) {
    command.argument("[strategy]", "name of an example, or path of a strategy file");
  },
  async run({ terminal, json }, [name]) {
    const { listExamples, loadStrategy } = await import("../loadStrategy.ts");
    const { describeParams } = await import("../../client/strategy/params.ts");
    const shown: Shown[] = [];
    for (const wanted of name === undefined ? listExamples() : [name]) {
      const { strategy } = await loadStrategy(wanted);
      const { id, title = "", params } = strategy;
      shown.push({ name: wanted, id, title, params: describeParams(params) });
    }
    const [only] = shown;
    if (json) terminal.out(JSON.stringify(name === undefined ? shown : only));
    else terminal.out(name === undefined || only === undefined ? formatList(shown) : formatOne(only, terminal));
  },
});

function formatList(shown: readonly Shown[]): string {
  return formatColumns(shown.map(({ name, title }) => [name, title]));
}

function formatOne({ id, title, params }: Shown, terminal: Terminal): string {
  const colors = createColors(terminal);
  const lines = [title === "" ? colors.bold(id) : `${colors.bold(id)}: ${title}`];
  if (params.length === 0) return `${lines[0]}\n\nNo parameters.`;
  const rows = params.map(({ name, type, initial, description, allowed }) => [
    `  ${name}`,
    type,
    `${initial}`,
    allowed === "" ? description : `${description} (${allowed})`,
  ]);
  lines.push("", colors.bold("Parameters: name, type, default, meaning"), formatColumns(rows));
  return lines.join("\n");
}
