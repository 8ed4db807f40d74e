import { type TSchema, Type } from "typebox";
import { type MetricId, metricDefinitions } from "../../report/metrics/definitions.ts";
import { SENSITIVITIES } from "./sensitivity/presets.ts";
import { SWEEP_SCHEMA_VERSION } from "./sweepDocument.ts";

/**
 * The document of a sweep, for readers of other languages. Its types are those of `toSweepJson`; a test holds both
 * together.
 */

const closed = { additionalProperties: false } as const;
const about = (description: string) => ({ description });

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Root = Type.String({ pattern: "^0x[0-9a-f]{64}$" });
const Time = Type.Integer();
const Count = Type.Integer({ minimum: 0 });
const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Value = Type.Union([Type.Number(), Type.String(), Type.Boolean()]);
const Values = Type.Record(Type.String(), Value, about("A value of each axis by its name."));
const State = Type.Union(
  (["traded", "idle", "liquidated", "wipedOut", "failed"] as const).map((state) => Type.Literal(state)),
  about(
    "traded over all of its data, idle without a fill, liquidated at least once, wipedOut before the end, or failed.",
  ),
);
const Metric = Type.Union(Object.keys(metricDefinitions).map((id) => Type.Literal(id)));

const Metrics = Type.Partial(
  Type.Object(
    Object.fromEntries(
      (Object.keys(metricDefinitions) as MetricId[]).map((id) => {
        const { unit, definition } = metricDefinitions[id];
        const value = unit === "usd" ? Type.String() : Type.Number();
        return [id, Nullable({ ...value, description: `${definition} Unit: ${unit}.` } as TSchema)];
      }),
    ),
    closed,
  ),
);

const Options = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "Options of `perplab backtest` that were given, by their names in the library.",
  },
);

const Params = Type.Record(Type.String(), Value, about("Every parameter of the strategy, defaults included."));

const Failure = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    place: Type.Optional(Type.String()),
    hint: Type.Optional(Type.String()),
  },
  closed,
);

const Account = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "Settings of the account that are its own, by their names in the library.",
  },
);
const Own = Type.Record(Type.String(), Type.Number(), about("Last value of each of the strategy's own figures."));
const Reasons = Type.Partial(Type.Record(Type.String(), Type.String(), about("Why a metric is null, by its id.")));

const StrategyCell = Type.Object(
  {
    name: Type.String(),
    outcome: Type.Union(["completed", "wipedOut", "failed"].map((outcome) => Type.Literal(outcome))),
    metrics: Metrics,
    reasons: Reasons,
    own: Own,
    params: Params,
    account: Account,
  },
  closed,
);

const Cell = Type.Object(
  {
    hash: { ...Hash, ...about("Name of the run: the hash of everything that decides it.") },
    values: Values,
    state: State,
    error: Nullable(Failure),
    root: Nullable(Root),
    head: Nullable(Root),
    blocks: Count,
    startMs: Nullable(Time),
    endMs: Nullable(Time),
    metrics: Metrics,
    reasons: Reasons,
    own: Own,
    strategies: Type.Array(StrategyCell, about("Each of several strategies by name; empty for one.")),
    params: Params,
    options: Options,
    command: Type.String(about("The command that makes the run again.")),
    report: Nullable(Type.String(about("Path of its report, relative to the page."))),
  },
  closed,
);

const NumberOrNull = Nullable(Type.Number());

const Sensitivity = Type.Object(
  {
    hash: Hash,
    values: Values,
    axes: Type.Array(
      Type.Object(
        {
          name: Type.Union(SENSITIVITIES.map((name) => Type.Literal(name))),
          values: Type.Array(
            Type.Object(
              {
                text: Type.String(about("As `--grid` takes it.")),
                isBase: Type.Boolean(about("True for the value that the run assumes.")),
                state: State,
                value: NumberOrNull,
                change: NumberOrNull,
                totalReturn: NumberOrNull,
                maxDrawdown: NumberOrNull,
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, ...about("The best run with all of its own assumptions, and one of them changed at a time.") },
);

const Luck = Type.Object(
  {
    probabilisticSharpe: NumberOrNull,
    deflatedSharpe: Nullable(
      Type.Object({ probability: Type.Number(), benchmark: Type.Number(), trials: Count }, closed),
    ),
    realityCheck: Nullable(
      Type.Object(
        { pValue: Type.Number(), strategies: Count, days: Count, resamples: Count, meanBlock: Type.Number() },
        closed,
      ),
    ),
    reason: Nullable(Type.String()),
  },
  { ...closed, ...about("How much of the best run may be luck.") },
);

export const sweepSchema = Type.Object(
  {
    kind: Type.Literal("sweep"),
    schemaVersion: Type.Literal(SWEEP_SCHEMA_VERSION),
    strategy: Type.Object({ id: Type.String(), title: Type.String(), hash: Hash }, closed),
    strategies: Type.Array(
      Type.Object(
        { name: Type.String(), id: Type.String(), title: Type.String(), hash: Hash, params: Params, account: Account },
        closed,
      ),
      about("Several strategies by name; empty for one. `strategy` then names all of them, and `params` is empty."),
    ),
    data: Type.Object(
      {
        hash: Hash,
        markets: Type.Array(Type.String()),
        fromMs: Time,
        toMs: Time,
        sources: Type.Array(Type.Object({ file: Type.String(), sha256: Type.String() }, closed)),
      },
      closed,
    ),
    code: { ...Hash, ...about("SHA-256 of perplab's own code.") },
    params: Params,
    options: Options,
    axes: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Value) }, closed)),
    sort: { ...Metric, ...about("The metric that ranks.") },
    counts: Type.Object(
      { cells: Count, traded: Count, idle: Count, liquidated: Count, wipedOut: Count, failed: Count },
      closed,
    ),
    best: Nullable(Type.Object({ hash: Hash, values: Values }, closed)),
    sensitivity: Nullable(Sensitivity),
    luck: Nullable(Luck),
    notes: Type.Array(Type.String()),
    command: Type.String(about("The command that makes the sweep again.")),
    cells: Type.Array(Cell, about("In the order of the grid; the last axis changes first.")),
  },
  { ...closed, $id: "perplab/sweep/1" },
);
