import { Compile } from "typebox/compile";
import { ReportError } from "./errors.ts";
import { type BacktestReport, backtestReportSchema, SCHEMA_VERSION } from "./model.ts";

/**
 * Reads a report that `formats.json` wrote.
 *
 * @throws {ReportError} `REPORT_MALFORMED` (no JSON), `REPORT_VERSION` (of another version of the schema) or
 * `REPORT_SCHEMA` (with the place of the first fault as a path, for example `/run/startMs`)
 */
export function readReport(text: string): BacktestReport {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new ReportError("REPORT_MALFORMED", "", `not a JSON document (${(cause as Error).message})`, { cause });
  }
  requireVersion(document);
  const validator = Compile(backtestReportSchema);
  if (!validator.Check(document)) {
    // Errors of a closed object name the surplus field itself in a deeper entry, so the longest path says most.
    const faults = [...validator.Errors(document)];
    const fault = faults.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a));
    throw new ReportError("REPORT_SCHEMA", fault.instancePath || "/", fault.message);
  }
  requireEqualColumns(document);
  return document;
}

function requireVersion(document: unknown): void {
  const { kind, schemaVersion } = (document ?? {}) as { kind?: unknown; schemaVersion?: unknown };
  if (kind !== "backtest") throw new ReportError("REPORT_SCHEMA", "/kind", 'not a report: "kind" must be "backtest"');
  if (schemaVersion === SCHEMA_VERSION) return;
  throw new ReportError(
    "REPORT_VERSION",
    "/schemaVersion",
    `this version reads reports of schema ${SCHEMA_VERSION}, not ${JSON.stringify(schemaVersion)}; make the report again`,
  );
}

/** A schema cannot say that columns are equally long. */
function requireEqualColumns({ account, markets }: BacktestReport): void {
  const check = (place: string, series: object) => {
    const columns = Object.entries(series).filter(([, column]) => Array.isArray(column)) as [string, unknown[]][];
    const rows = columns[0]?.[1].length ?? 0;
    for (const [name, column] of columns) {
      if (column.length === rows) continue;
      throw new ReportError(
        "REPORT_SCHEMA",
        `${place}/${name}`,
        `has ${column.length} values where others have ${rows}`,
      );
    }
  };
  check("/account", account);
  for (const [i, market] of markets.entries()) check(`/markets/${i}`, market);
}
