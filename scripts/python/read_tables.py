"""Reads the tables of a backtest with pandas, polars and DuckDB, from CSV and from Parquet, and prints their sums as JSON.

    python3 scripts/python/read_tables.py FOLDER

FOLDER has fills, trades, funding and equity, each as .csv and as .parquet. Every reader gives the number of rows, the exact
sum of each column of SUMS as decimal text, and the last time in milliseconds.
"""
import json
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas
import polars

FOLDER = Path(sys.argv[1])
SUMS = {
    "fills": ("realizedPnl", "fee", "liquidationFee"),
    "trades": ("unrealizedPnl", "net"),
    "funding": ("amount",),
    "equity": ("equity",),
}
TIMES = {"fills": "time", "trades": "entryTime", "funding": "time", "equity": "time"}


def plain(value):
    """Canonical decimal text."""
    text = format(Decimal(value or 0), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_pandas(path, name):
    if path.suffix == ".parquet":
        frame = pandas.read_parquet(path)
    else:
        frame = pandas.read_csv(path, dtype=str, keep_default_na=False)
    sums = {column: plain(sum((Decimal(cell) for cell in frame[column]), Decimal(0))) for column in SUMS[name]}
    last = pandas.to_datetime(frame[TIMES[name]], utc=True).max()
    return len(frame), sums, round(last.timestamp() * 1000)


def with_polars(path, name):
    if path.suffix == ".parquet":
        frame = polars.read_parquet(path)
    else:
        schema = {column: polars.Decimal(38, 6) for column in SUMS[name]}
        frame = polars.read_csv(path, schema_overrides=schema, try_parse_dates=True)
    sums = {column: plain(frame[column].cast(polars.Decimal(38, 6)).sum()) for column in SUMS[name]}
    return len(frame), sums, frame[TIMES[name]].dt.epoch("ms").max()


def with_duckdb(path, name):
    if path.suffix == ".parquet":
        source = f"'{path}'"
    else:
        types = ", ".join(f"'{column}': 'DECIMAL(18, 6)'" for column in SUMS[name])
        source = f"read_csv('{path}', types = {{{types}}})"
    columns = ", ".join(f'sum("{column}")' for column in SUMS[name])
    query = f'SELECT count(*), epoch_ms(max("{TIMES[name]}")), {columns} FROM {source}'
    [(rows, last, *sums)] = duckdb.sql(query).fetchall()
    return rows, {column: plain(value) for column, value in zip(SUMS[name], sums)}, last


READERS = {"pandas": with_pandas, "polars": with_polars, "duckdb": with_duckdb}

results = []
for name in SUMS:
    for ending in (".csv", ".parquet"):
        for reader, read in READERS.items():
            rows, sums, last = read(FOLDER / f"{name}{ending}", name)
            results.append({"table": name, "ending": ending, "reader": reader, "rows": rows, "sums": sums, "last": last})
print(json.dumps(results))
