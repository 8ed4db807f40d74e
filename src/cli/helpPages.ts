// Generated from src/cli/commands.ts by `npm run generate`. Do not edit.
import type { HelpPage } from "./help.ts";

/** By the words of a call before `--help`: the program, its commands, and those of groups. */
export const helpPages: Readonly<Record<string, HelpPage>> = {
  "": {
    usage: "perplab [options] [command]",
    description: "A perpetual-futures venue in a box: one deterministic state machine for backtests and more.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["-V, --version", "print the version"],
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-h, --help", "print this help"],
        ],
      },
      {
        heading: "Commands:",
        items: [
          ["backtest [options] <strategy>", "Run a strategy against recorded market data, in the venue"],
          ["sweep [options] <strategy>", "Run a strategy at every point of a grid of parameters and options"],
          [
            "walk-forward [options] <strategy>",
            "Choose parameters on past data and test them on the data after it, window by window",
          ],
          ["runs [options]", "List or remove what sweeps and walk-forwards have stored"],
          ["worker [options]", "Make the jobs that commands on other machines have put into a queue"],
          ["jobs [options]", "List, show, cancel or retry jobs of a queue in Redis"],
          [
            "monte-carlo [options] <report.json>",
            "Draw many paths from the report of a backtest: drawdown and ruin with intervals",
          ],
          ["strategies [options] [strategy]", "List the example strategies, or show the parameters of one"],
          ["import [options] <source...>", "Read recorded market data into a tape"],
          ["tape [options]", "Look at recorded data, check it, cut it, join it, export it"],
          ["verify [options] <log>", "Replay a block log and compare every block with what it recorded"],
          [
            "explain [options] <log> <subject>",
            "Explain a transaction or a liquidation of a block log with its numbers",
          ],
          [
            "fork [options] <log>",
            "Continue a block log from a height under other parameters or with further transactions",
          ],
          ["compare [options] <a> <b>", "Compare two runs: the first block that differs, and why"],
          [
            "bundle [options] <report.json>",
            "Write a run as one file that proves itself: strategy, options, data and result",
          ],
          ["rerun [options] <bundle>", "Repeat the run of a bundle and prove that it gives the same result"],
          ["freeze [options] <run>", "Freeze blocks of a run as a scenario that must give the same results"],
          [
            "compare-rules [options] <source...>",
            "Run one block stream under several sets of rules and compare the results",
          ],
          ["report [options] <report.json>", "Show a report, or write it in another format"],
          ["scenario [options]", "Run and write scenario files: flows with their expected results"],
          ["fuzz [options]", "Search for broken invariants: random venues and flows, with every invariant checked"],
          ["serve|devnet [options]", "Serve a development venue by REST and WebSocket"],
          ["run [options] <script> [arguments...]", "Run a TypeScript or JavaScript file that imports perplab/…"],
          [
            "strategy-host [options]",
            "Run strategies of another program, which speaks to this one over stdin and stdout",
          ],
        ],
      },
    ],
    after: "Run `perplab <command> --help` for the options and examples of a command.",
  },
  backtest: {
    usage: "perplab backtest [options] <strategy>",
    description:
      "Replays recorded market data in the venue, with a strategy that trades in the same book, and reports the result. The strategy is the name of an example or the path of your own file; a file of several strategies lets them trade side by side, each with its own account. The data is a tape or the source files themselves, as [MARKET[:LAYOUT]=]PATH. Shows a summary; --out writes the report. Everything that decides the result is in the report, with the command that repeats the run.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          ["strategy", "name of an example, path of a strategy file, or a .yaml or .json file of several strategies"],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH"],
          [
            "-p, --param <name=value...>",
            "parameters of the strategy; `perplab strategies <name>` lists them; of one of several: fast@bold=12",
          ],
          [
            "--account <name=value...>",
            "of a file of several strategies: settings of accounts over those of the file: leverage@bold=3",
          ],
          ["--from <time>", "start of the replay, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open"],
          ["--to <time>", "end of the replay, not included"],
          ["--deposit <usd>", "collateral at the start (default: 10000)"],
          ["-l, --leverage <multiple>", "leverage in every market, a whole number (default: 1)"],
          ["--margin <mode>", "cross, or isolated: each position has its own collateral (default: cross)"],
          [
            "--latency <model>",
            "time from sending a transaction to the first block that may include it: ms, uniform(low,high), normal(mean,deviation), lognormal(median,sigma), or a CSV file of time,latency (default: 100)",
          ],
          [
            "--feed-latency <model>",
            "time from the market to the strategy, which sees prices, trades, bars and the book that much later (default: 0)",
          ],
          [
            "--receipt-latency <model>",
            "time from a block to the strategy, which learns of its fills, orders and position that much later (default: 0)",
          ],
          [
            "--rate-limit <count/interval>",
            "transactions that the venue takes in each interval, others are rejected: 10/1s, or 300/10s,1200/1m (default: none)",
          ],
          [
            "--outage <times...>",
            "times without a connection: 2024-03-05T12:00..2024-03-05T12:20, each with :submit or :feed for one direction; or a CSV file of from,to,stops (default: none)",
          ],
          [
            "--bars <length>",
            "trades: length of the bars that the strategy gets, made of the trades: 1m, 15m, 1h (default: 1m)",
          ],
          [
            "--blocks <which>",
            "needed: blocks where something can happen; all: a block wherever the data has something; both give the same result (default: needed)",
          ],
          ["--fees <maker/taker>", "fees as ratios of value: none, 0.0005 or 0.0002/0.0005 (default: the market's)"],
          ["--spread <ticks>", "ticks between best bid and ask of the recorded depth (default: 1)"],
          ["--participation <ratio>", "bars: share of the volume that is offered as depth (default: 0.1)"],
          ["--impact <ticks>", "bars: ticks between one quarter of the depth and the next (default: 1)"],
          ["--intrabar <order>", "bars: order of high and low: nearest, high-first or low-first (default: nearest)"],
          ["--block <ms>", "trades: time span of a block (default: 1000)"],
          ["--tick <usd>", "step of prices (default: from the data)"],
          ["--lot <size>", "step of sizes (default: from the data)"],
          ["--set <name=value...>", "further parameters of the markets, over those of the preset replay"],
          [
            "--queue <model>",
            "order books: where a decrease without a trade comes from in the queue of an order: behind, proportional, log or power(n) (default: behind)",
          ],
          ["--insurance <usd>", "insurance fund at the start (default: 1000000)"],
          ["--signatures <mode>", "verify or elide; both give the same result (default: elide)"],
          ["--seed <text>", "seed of the strategy's random numbers (default: 1)"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          [
            "-o, --out <file...>",
            "write the report: .html, .json, .md or .txt, or a folder/ for the first three; and tables, .csv or .parquet, named by the last word: fills, orders, trades, funding, equity, adjustments",
          ],
          [
            "--equity-interval <length>",
            "time between two rows of the table equity: 1m, 1h, 1d (default: the shortest bar of the run)",
          ],
          ["--log <file>", "write the block log, for `perplab verify`; must not exist"],
          ["--notes <file>", "write the lines that the strategy logged"],
          ["--bundle <file>", "write the run as one file that `perplab rerun` proves: strategy, options, data, result"],
          [
            "--check-lookahead [moments]",
            "instead of a report: check at so many moments that no decision depends on later data (default: 8)",
          ],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Trend following over a year of hourly bars, with the report as one HTML file and as JSON\n  perplab backtest trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-markPriceKlines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --leverage 3 --out report.html report.json\n  # Every fill and order as CSV, round trips and the equity curve as Parquet\n  perplab backtest trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-markPriceKlines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --leverage 3 --out fills.csv orders.csv trades.parquet equity.parquet\n  # The month of the crash, with other parameters, fees and latency, and a block log to verify\n  perplab backtest trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-markPriceKlines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --from 2024-07-01 --to 2024-08-01 --param fast=12 slow=48 --leverage 10 --fees 0.0002/0.0005 --latency 500 --log crash.log\n  # A market maker over a day of trades, with the report as JSON for a program\n  perplab backtest maker --data data/BTC-PERP-aggTrades-2024-03-05.csv.gz --leverage 5 --json\n  # Check that no decision of a strategy depends on data that was not known yet\n  perplab backtest trend --data data/BTC-PERP-klines-1m-2024-07-19.csv.gz --check-lookahead",
  },
  sweep: {
    usage: "perplab sweep [options] <strategy>",
    description:
      "Runs a strategy against recorded market data once for every point of a grid, in several threads, and ranks the results. An axis is NAME=VALUES: values are separated by commas, a..b:step is a range with both ends, a..b*factor a geometric one. A name is a parameter of the strategy, an option of a run (leverage, latency, fees, …, seed) or a parameter of the markets; if it is in two of these places, write param.NAME, run.NAME or set.NAME. In a file of several strategies, NAME@STRATEGY is a parameter of one of them or a setting of its account. Each result is kept in a store under the hash of strategy, data, parameters and options: a second call runs only what is new, and a call that was stopped continues.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          ["strategy", "name of an example, path of a strategy file, or a .yaml or .json file of several strategies"],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH"],
          ["-g, --grid <name=values...>", "axes: fast=6..48:6 slow=48,96 leverage=1..5 short=true,false"],
          [
            "--sensitivity [assumption...]",
            "vary latency, feed-latency, receipt-latency, fees, participation or all of them, one at a time, around those of the run",
          ],
          ["--where <condition...>", 'conditions that a point must meet: "fast < slow and leverage <= 3"'],
          ["--random <count>", "draw this many points of the grid, no point twice"],
          ["--seed <text>", "seed of the draw (default: 1); for the strategy's random numbers use --grid seed=1..5"],
          [
            "-p, --param <name=value...>",
            "parameters that all cells share; of one of several strategies: fast@bold=12",
          ],
          ["--account <name=value...>", "of a file of several strategies: settings of accounts, leverage@bold=3"],
          [
            "--sort <metric>",
            "metric that ranks the cells (default: sharpe; totalReturn if the run is too short); of one of several strategies: sharpe@bold",
          ],
          [
            "--metric <name...>",
            "metrics of the table (default: totalReturn sharpe maxDrawdown roundTrips fundingPaid)",
          ],
          ["--top <count>", "rows of the table (default: 20)"],
          ["-w, --workers <count>", "threads (default: one for each core)"],
          ["--store <folder>", "where results are kept (default: out/runs)"],
          ["--run-limit <time>", "longest time of one run; a longer run fails its cell (default: 1h)"],
          [
            "--redis <url>",
            "make the runs by workers (see perplab worker), over this Redis: redis://host:port, or rediss://user@host:port with TLS",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--from <time>", "start of the replay, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open"],
          ["--to <time>", "end of the replay, not included"],
          ["--deposit <usd>", "collateral at the start (default: 10000)"],
          ["-l, --leverage <multiple>", "leverage in every market, a whole number (default: 1)"],
          ["--margin <mode>", "cross, or isolated: each position has its own collateral (default: cross)"],
          [
            "--latency <model>",
            "time from sending a transaction to the first block that may include it: ms, uniform(low,high), normal(mean,deviation), lognormal(median,sigma), or a CSV file of time,latency (default: 100)",
          ],
          [
            "--feed-latency <model>",
            "time from the market to the strategy, which sees prices, trades, bars and the book that much later (default: 0)",
          ],
          [
            "--receipt-latency <model>",
            "time from a block to the strategy, which learns of its fills, orders and position that much later (default: 0)",
          ],
          [
            "--rate-limit <count/interval>",
            "transactions that the venue takes in each interval, others are rejected: 10/1s, or 300/10s,1200/1m (default: none)",
          ],
          [
            "--outage <times...>",
            "times without a connection: 2024-03-05T12:00..2024-03-05T12:20, each with :submit or :feed for one direction; or a CSV file of from,to,stops (default: none)",
          ],
          [
            "--bars <length>",
            "trades: length of the bars that the strategy gets, made of the trades: 1m, 15m, 1h (default: 1m)",
          ],
          [
            "--blocks <which>",
            "needed: blocks where something can happen; all: a block wherever the data has something; both give the same result (default: needed)",
          ],
          ["--fees <maker/taker>", "fees as ratios of value: none, 0.0005 or 0.0002/0.0005 (default: the market's)"],
          ["--spread <ticks>", "ticks between best bid and ask of the recorded depth (default: 1)"],
          ["--participation <ratio>", "bars: share of the volume that is offered as depth (default: 0.1)"],
          ["--impact <ticks>", "bars: ticks between one quarter of the depth and the next (default: 1)"],
          ["--intrabar <order>", "bars: order of high and low: nearest, high-first or low-first (default: nearest)"],
          ["--block <ms>", "trades: time span of a block (default: 1000)"],
          ["--tick <usd>", "step of prices (default: from the data)"],
          ["--lot <size>", "step of sizes (default: from the data)"],
          ["--set <name=value...>", "further parameters of the markets, over those of the preset replay"],
          [
            "--queue <model>",
            "order books: where a decrease without a trade comes from in the queue of an order: behind, proportional, log or power(n) (default: behind)",
          ],
          ["--insurance <usd>", "insurance fund at the start (default: 1000000)"],
          ["--signatures <mode>", "verify or elide; both give the same result (default: elide)"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          [
            "-o, --out <file...>",
            "write the sweep: .html, a page with heatmaps; .json; .csv or .parquet, a row a cell",
          ],
          [
            "--reports <which>",
            "with a page: reports of all, best (ten best, ten liquidated) or none (default: all of 25 cells, else best)",
          ],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Twelve runs of two months of hourly bars, with a page of heatmaps, and a table for other programs\n  perplab sweep trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --to 2024-03-01 --grid fast=12,24 slow=48..96:24 leverage=1,5 --out sweep.html sweep.csv\n  # Eight points drawn from a grid, as JSON for a program\n  perplab sweep trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --to 2024-03-01 --grid fast=2..64*2 slow=24..96:24 --random 8 --seed mine --sort calmar --top 5 --json\n  # How one run decays with more latency, higher fees and less of the volume\n  perplab sweep trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --to 2024-02-01 --param fast=24 slow=96 --sensitivity --out sensitivity.html",
  },
  "walk-forward": {
    usage: "perplab walk-forward [options] <strategy>",
    description:
      "Cuts the data into windows. In each, every point of the grid is run over the training span, and the best by a metric is run over the test that follows it. The tests one after the other are the out-of-sample curve: the result of a trader who chose in this way. Training moves with the test, or begins at the first day with --anchored. Each test begins flat, with the same deposit; a warm-up that a strategy declares reads the bars before it. The grid is that of a sweep, and results are kept in the same store.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          ["strategy", "name of an example, path of a strategy file, or a .yaml or .json file of several strategies"],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH"],
          ["-g, --grid <name=values...>", "axes: fast=6..48:6 slow=48,96 leverage=1..5"],
          ["--train <time>", "length of training: 180d"],
          ["--test <time>", "length of a test: 30d"],
          ["--step <time>", "time from one test to the next (default: the length of a test)"],
          ["--anchored", "every training span begins with the data"],
          ["--purge <time>", "time left out at the end of training"],
          ["--embargo <time>", "time left out between training and test"],
          [
            "--choose <metric>",
            "metric that chooses (default: sharpe; totalReturn if training is at most 15 days); of one of several strategies: sharpe@bold",
          ],
          ["--where <condition...>", 'conditions that a point must meet: "fast < slow"'],
          ["--random <count>", "draw this many points of the grid"],
          ["--seed <text>", "seed of the draw (default: 1)"],
          ["-p, --param <name=value...>", "parameters that all runs share; of one of several strategies: fast@bold=12"],
          ["--account <name=value...>", "of a file of several strategies: settings of accounts, leverage@bold=3"],
          ["-w, --workers <count>", "threads (default: one for each core)"],
          ["--store <folder>", "where results are kept (default: out/runs)"],
          ["--run-limit <time>", "longest time of one run; a longer run fails (default: 1h)"],
          [
            "--redis <url>",
            "make the runs by workers (see perplab worker), over this Redis: redis://host:port, or rediss://user@host:port with TLS",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--from <time>", "start of the replay, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open"],
          ["--to <time>", "end of the replay, not included"],
          ["--deposit <usd>", "collateral at the start (default: 10000)"],
          ["-l, --leverage <multiple>", "leverage in every market, a whole number (default: 1)"],
          ["--margin <mode>", "cross, or isolated: each position has its own collateral (default: cross)"],
          [
            "--latency <model>",
            "time from sending a transaction to the first block that may include it: ms, uniform(low,high), normal(mean,deviation), lognormal(median,sigma), or a CSV file of time,latency (default: 100)",
          ],
          [
            "--feed-latency <model>",
            "time from the market to the strategy, which sees prices, trades, bars and the book that much later (default: 0)",
          ],
          [
            "--receipt-latency <model>",
            "time from a block to the strategy, which learns of its fills, orders and position that much later (default: 0)",
          ],
          [
            "--rate-limit <count/interval>",
            "transactions that the venue takes in each interval, others are rejected: 10/1s, or 300/10s,1200/1m (default: none)",
          ],
          [
            "--outage <times...>",
            "times without a connection: 2024-03-05T12:00..2024-03-05T12:20, each with :submit or :feed for one direction; or a CSV file of from,to,stops (default: none)",
          ],
          [
            "--bars <length>",
            "trades: length of the bars that the strategy gets, made of the trades: 1m, 15m, 1h (default: 1m)",
          ],
          [
            "--blocks <which>",
            "needed: blocks where something can happen; all: a block wherever the data has something; both give the same result (default: needed)",
          ],
          ["--fees <maker/taker>", "fees as ratios of value: none, 0.0005 or 0.0002/0.0005 (default: the market's)"],
          ["--spread <ticks>", "ticks between best bid and ask of the recorded depth (default: 1)"],
          ["--participation <ratio>", "bars: share of the volume that is offered as depth (default: 0.1)"],
          ["--impact <ticks>", "bars: ticks between one quarter of the depth and the next (default: 1)"],
          ["--intrabar <order>", "bars: order of high and low: nearest, high-first or low-first (default: nearest)"],
          ["--block <ms>", "trades: time span of a block (default: 1000)"],
          ["--tick <usd>", "step of prices (default: from the data)"],
          ["--lot <size>", "step of sizes (default: from the data)"],
          ["--set <name=value...>", "further parameters of the markets, over those of the preset replay"],
          [
            "--queue <model>",
            "order books: where a decrease without a trade comes from in the queue of an order: behind, proportional, log or power(n) (default: behind)",
          ],
          ["--insurance <usd>", "insurance fund at the start (default: 1000000)"],
          ["--signatures <mode>", "verify or elide; both give the same result (default: elide)"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          ["-o, --out <file...>", "write the result: .html, .json; .csv or .parquet, a row a window"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Four windows of two months of training and a month of test, with a page and a table\n  perplab walk-forward trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --to 2024-07-01 --grid fast=12,24 slow=48,96 --train 60d --test 30d --out walk.html walk.csv\n  # Training that begins with the data, and a day without trading before each test, as JSON for a program\n  perplab walk-forward trend --data data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --to 2024-05-01 --grid fast=12,24 slow=48 --train 60d --test 30d --anchored --embargo 1d --choose totalReturn --json",
  },
  runs: {
    usage: "perplab runs [options] [command]",
    description:
      "Sweeps and walk-forwards store the result of each run, and a tape of the data if it was given as source files. A result or tape that was removed is made again when it is needed.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-h, --help", "print this help"],
        ],
      },
      {
        heading: "Commands:",
        items: [
          ["list [options]", "Show how much is stored, and of which data"],
          ["prune [options]", "Remove stored results and tapes by age or size"],
        ],
      },
    ],
    after:
      "Examples:\n  # What the sweeps in this folder have stored\n  perplab runs list\n  # The same for a program\n  perplab runs list --json\n  # Remove results and tapes that were not used for a month\n  perplab runs prune --older 30d\n  # Show which tapes a limit of 2 GB would remove, and keep them\n  perplab runs prune --max-size 2GB --only tapes --dry-run",
  },
  "runs list": {
    usage: "perplab runs list [options]",
    description:
      "Shows number and size of the stored results, and each tape with its markets and time, the one used last first.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--store <folder>", "where results are kept (default: out/runs)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # What the sweeps in this folder have stored\n  perplab runs list\n  # The same for a program\n  perplab runs list --json",
  },
  "runs prune": {
    usage: "perplab runs prune [options]",
    description:
      "Removes the results and tapes whose last use is oldest: results count from their run, tapes from the last sweep that read them. Unfinished files of a killed process are removed as well, if they are older than a day. Files that are not of the store stay. Do not remove results or tapes that a running sweep reads.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--store <folder>", "where results are kept (default: out/runs)"],
          ["--older <time>", "remove results and tapes that were not used for this long: 12h, 30d"],
          [
            "--max-size <size>",
            "then remove those whose last use is oldest, until the rest is at most this large: 500MB, 2GB",
          ],
          ["--all", "remove everything"],
          ["--only <which>", "results or tapes (default: both)"],
          ["--dry-run", "show what would be removed, and remove nothing"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Remove results and tapes that were not used for a month\n  perplab runs prune --older 30d\n  # Show which tapes a limit of 2 GB would remove, and keep them\n  perplab runs prune --max-size 2GB --only tapes --dry-run",
  },
  worker: {
    usage: "perplab worker [options]",
    description:
      "Takes jobs from a queue in Redis, makes them in threads, and stores their results in Redis. The jobs come from commands with --redis: sweep, walk-forward, monte-carlo, scenario run, fuzz run and fuzz explore. A worker runs the code of strategies that the queue names, so Redis must be yours alone. It takes only jobs of its own version of perplab and its own Node line. It needs the packages bullmq and ioredis. After SIGTERM or Ctrl-C it finishes its jobs and takes no more. A second Ctrl-C ends it at once, and other workers take over its jobs.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "redis://host:port, or rediss://user@host:port with TLS; a password may be in PERPLAB_REDIS_PASSWORD",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--concurrency <count>", "runs at once, and as many other jobs (default: one for each core)"],
          ["--tapes <place>", "folder or address with the tapes of the jobs (default: out/runs/tapes)"],
          ["--cache <folder>", "folder for code of strategies and copies of tapes (default: out/worker)"],
          ["--takeover <time>", "time without a sign of life after which others take over its jobs (default: 30s)"],
          ["--idle <time>", "end after this time without a job (default: never)"],
          ["--metrics <port>", "serve metrics for Prometheus at this port, under /metrics; 0 for any that is free"],
          ["--metrics-host <address>", "address of the metrics (default: 127.0.0.1, this machine only)"],
          ["--telemetry", "write traces with OpenTelemetry; needs bullmq-otel and an SDK in this process"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Make the jobs of a queue on this machine, and end after a second without a job\n  perplab worker --redis redis://127.0.0.1:6379 --idle 1s\n  # The same, and serve metrics for Prometheus\n  perplab worker --redis redis://127.0.0.1:6379 --metrics 0 --idle 1s\n  # Two jobs at once, with the tapes of a folder\n  perplab worker --redis redis://127.0.0.1:6379 --concurrency 2 --tapes data --takeover 10s --idle 1s",
  },
  jobs: {
    usage: "perplab jobs [options] [command]",
    description:
      "A command with --redis puts jobs into a queue, and workers make them. These commands show the queue from any machine, and change it.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-h, --help", "print this help"],
        ],
      },
      {
        heading: "Commands:",
        items: [
          ["list [options]", "Show the jobs of each queue by state, the workers and the time left"],
          ["show [options] <job>", "Show one job of a queue: its data, its state and its error"],
          ["cancel [options] [job...]", "Remove jobs from a queue, and end running ones"],
          ["retry [options] [job...]", "Give failed jobs new attempts"],
        ],
      },
    ],
    after:
      "Examples:\n  # The state of all queues\n  perplab jobs list --redis redis://127.0.0.1:6379\n  # Jobs that failed after their last attempt, with errors\n  perplab jobs list --redis redis://127.0.0.1:6379 --failed --json\n  # Empty all queues\n  perplab jobs cancel --all --redis redis://127.0.0.1:6379\n  # Try every failed job again\n  perplab jobs retry --all --redis redis://127.0.0.1:6379",
  },
  "jobs list": {
    usage: "perplab jobs list [options]",
    description:
      "Counts the jobs of each queue by state. The time left assumes the rate of the last minute, over all workers. A queue belongs to one version of perplab and one Node line.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "redis://host:port, or rediss://user@host:port with TLS; a password may be in PERPLAB_REDIS_PASSWORD",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--failed", "list the jobs that failed after their last attempt, with their errors"],
          ["--most <count>", "jobs that are listed of each queue and state (default: 20)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The state of all queues\n  perplab jobs list --redis redis://127.0.0.1:6379\n  # Jobs that failed after their last attempt, with errors\n  perplab jobs list --redis redis://127.0.0.1:6379 --failed --json",
  },
  "jobs show": {
    usage: "perplab jobs show [options] <job>",
    description:
      "Shows a job that is in a queue, by its name or the beginning of its name. A job with a result is no longer in it.",
    lists: [
      { heading: "Arguments:", items: [["job", "name of the job, or its beginning"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "redis://host:port, or rediss://user@host:port with TLS; a password may be in PERPLAB_REDIS_PASSWORD",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n",
  },
  "jobs cancel": {
    usage: "perplab jobs cancel [options] [job...]",
    description:
      "Removes jobs that wait or have failed. A running job is ended by its worker within seconds. The command that sent it receives the failure JOB_CANCELLED. A sweep or walk-forward continues without the run; other commands end. The same command sends the job again.",
    lists: [
      { heading: "Arguments:", items: [["job", "names of jobs, or their beginnings"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "redis://host:port, or rediss://user@host:port with TLS; a password may be in PERPLAB_REDIS_PASSWORD",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--all", "all jobs of all queues"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Empty all queues\n  perplab jobs cancel --all --redis redis://127.0.0.1:6379",
  },
  "jobs retry": {
    usage: "perplab jobs retry [options] [job...]",
    description:
      "Puts failed jobs back into their queue. A command that is called again does this itself for the jobs it needs.",
    lists: [
      { heading: "Arguments:", items: [["job", "names of failed jobs, or their beginnings"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "redis://host:port, or rediss://user@host:port with TLS; a password may be in PERPLAB_REDIS_PASSWORD",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--all", "all failed jobs of all queues"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Try every failed job again\n  perplab jobs retry --all --redis redis://127.0.0.1:6379",
  },
  "monte-carlo": {
    usage: "perplab monte-carlo [options] <report.json>",
    description:
      "Reads the JSON report of a backtest and makes many other paths of it in two ways. Its daily returns are drawn again in blocks (the stationary bootstrap), so that other returns and drawdowns come out; its round trips are put into another order, so that only the drawdown differs. Shows quantiles, and the shares of paths that lose, that are ruined, and that fall at least as deep as the run did, each with a 95 % interval for the number of paths. The same report, seed and number of paths give the same result, with any number of threads, and on the workers of a queue.",
    lists: [
      { heading: "Arguments:", items: [["report.json", "the report as a backtest wrote it"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "draw the paths by workers (see perplab worker), over this Redis: redis://host:port, or rediss://user@host:port with TLS",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--paths <count>", "paths of each way (default: 10000)"],
          ["--block <days>", "mean days of a block (default: cube root of the days)"],
          ["--ruin <share>", "share of the start at which an account counts as ruined (default: 0.5)"],
          ["--seed <text>", "seed of the paths (default: 1)"],
          ["--workers <n>", "threads (default: by the number of paths, at most one a core)"],
          ["-o, --out <file...>", "write the result: .html or .json"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Ten thousand paths of the report that a backtest wrote\n  perplab monte-carlo report.json\n  # Blocks of ten days, ruin at 70 % of the start, and the result as one HTML file\n  perplab monte-carlo report.json --paths 2000 --block 10 --ruin 0.7 --seed mine --out paths.html",
  },
  strategies: {
    usage: "perplab strategies [options] [strategy]",
    description:
      "Lists the example strategies. With the name of one, or with the path of a strategy file of your own, shows its parameters: name, type, default and meaning, as `perplab backtest --param name=value` takes them.",
    lists: [
      { heading: "Arguments:", items: [["strategy", "name of an example, or path of a strategy file"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # List the examples\n  perplab strategies",
  },
  import: {
    usage: "perplab import [options] <source...>",
    description:
      "Reads recorded market data once, checks every row, and writes a tape: columns in one total order of events, hashed, with a report of the faults in the data. Reads CSV, JSON and Parquet, text also as .gz, .lz4, .zst and .zip: layouts of Binance's public archive, Tardis, Hyperliquid, Bybit, OKX and Lean (data/README.md lists them), and bars with time, open, high, low, close and volume by their usual names. For any other file, --draft-mapping prints a mapping file (.yaml) to check. Nothing is silently filled or skipped.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          [
            "source",
            "files, as [MARKET[:LAYOUT[+DELAY]]=]PATH; a layout is a known one or a mapping file; a delay is of series",
          ],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-o, --out <tape>", "the tape to write"],
          ["--detect", "print how each file would be read, from its first rows, and write no tape"],
          ["--draft-mapping", "print a mapping file for one source, and write no tape"],
          ["--allow <kinds>", "findings that are not errors, separated by commas: duplicate, unsorted, …"],
          ["--deny <kinds>", "findings that are errors: gap, nullRow, rounded, offSchedule, stale, clock, oneSided"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # A year of hourly bars with its funding, into one tape\n  perplab import data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --out btc-2024.tape\n  # A day of trades, under another name, with the manifest for a program\n  perplab import BTC:aggTrades=data/BTC-PERP-aggTrades-2024-03-05.csv.gz --out btc-day.tape --json\n  # How each file would be read: layout, market, first time, and what is missing\n  perplab import --detect data/*.csv*\n  # A mapping for a file of any columns, with a comment for each open question\n  perplab import --draft-mapping data/BTC-PERP-klines-1h-2024.csv.gz",
  },
  tape: {
    usage: "perplab tape [options] [command]",
    description:
      "Works on a tape that import wrote. Where data is only read, files as [MARKET[:LAYOUT]=]PATH do as well. A bar counts by its open wherever a time is given, as in backtest.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-h, --help", "print this help"],
        ],
      },
      {
        heading: "Commands:",
        items: [
          ["info [options] <data...>", "Show the contents of recorded data"],
          ["head [options] <data...>", "Print the first events"],
          ["check [options] <data...>", "Compare the streams of recorded data with each other"],
          ["slice [options] <data...>", "Write a part of the data as a tape"],
          ["merge [options] <tapes...>", "Join tapes into one"],
          ["export [options] <data...>", "Write events as CSV or Parquet"],
        ],
      },
    ],
    after:
      "Examples:\n  # Markets, events and findings of a tape\n  perplab tape info btc-2024.tape\n  # The first twenty events\n  perplab tape head btc-2024.tape\n  # Three bars of the crash\n  perplab tape head btc-2024.tape --from 2024-07-19T10:00 --kind bar --rows 3\n  # Whether the tape is whole, and its streams agree\n  perplab tape check btc-2024.tape\n  # The month of the crash\n  perplab tape slice btc-2024.tape --from 2024-07-01 --to 2024-08-01 --out july.tape\n  # What comes after it\n  perplab tape slice btc-2024.tape --from 2024-08-01 --out rest.tape\n  # Two parts of a year as one tape\n  perplab tape merge july.tape rest.tape --out second-half.tape\n  # The bars of a month as CSV\n  perplab tape export july.tape --kind bar --out july.csv\n  # Funding and marks as Parquet\n  perplab tape export july.tape --kind funding mark --out july.parquet",
  },
  "tape info": {
    usage: "perplab tape info [options] <data...>",
    description: "Markets, kinds and counts of events, the span of time, the files, and every finding in them.",
    lists: [
      { heading: "Arguments:", items: [["data", "a tape, or files as [MARKET[:LAYOUT]=]PATH"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Markets, events and findings of a tape\n  perplab tape info btc-2024.tape",
  },
  "tape head": {
    usage: "perplab tape head [options] <data...>",
    description:
      "Prints the first events of the data, or of a part of it. With --json, an array of objects with exact decimals.",
    lists: [
      { heading: "Arguments:", items: [["data", "a tape, or files as [MARKET[:LAYOUT]=]PATH"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--from <time>", "first moment, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open"],
          ["--to <time>", "end of the part, not included"],
          ["--market <name...>", "these markets (default: all)"],
          ["--kind <kind...>", "these kinds: trade, bar, mark, index, funding, depth, quote, series (default: all)"],
          ["-n, --rows <count>", "how many (default: 20)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The first twenty events\n  perplab tape head btc-2024.tape\n  # Three bars of the crash\n  perplab tape head btc-2024.tape --from 2024-07-19T10:00 --kind bar --rows 3",
  },
  "tape check": {
    usage: "perplab tape check [options] <data...>",
    description:
      "Reads all of the data, which checks every hash of a tape. Builds each order book and compares its best bid and ask with the recorded quotes; builds bars from trades and compares them with the recorded ones. Finds reference prices whose clock is not that of the bars. Counts crossed and locked books and missing updates. With --strict, a difference ends with exit code 1.",
    lists: [
      { heading: "Arguments:", items: [["data", "a tape, or files as [MARKET[:LAYOUT]=]PATH"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--strict", "fail where a recorded value differs, a book is crossed, or an update is missing"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Whether the tape is whole, and its streams agree\n  perplab tape check btc-2024.tape",
  },
  "tape slice": {
    usage: "perplab tape slice [options] <data...>",
    description:
      "A range of time, some markets or some kinds of events. A backtest of the slice gives what a backtest with the same --from and --to gives. An order book that has begun earlier is given whole at the start of the slice.",
    lists: [
      { heading: "Arguments:", items: [["data", "a tape, or files as [MARKET[:LAYOUT]=]PATH"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--from <time>", "first moment, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open"],
          ["--to <time>", "end of the part, not included"],
          ["--market <name...>", "these markets (default: all)"],
          ["--kind <kind...>", "these kinds: trade, bar, mark, index, funding, depth, quote, series (default: all)"],
          ["-o, --out <tape>", "the tape to write"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The month of the crash\n  perplab tape slice btc-2024.tape --from 2024-07-01 --to 2024-08-01 --out july.tape\n  # What comes after it\n  perplab tape slice btc-2024.tape --from 2024-08-01 --out rest.tape",
  },
  "tape merge": {
    usage: "perplab tape merge [options] <tapes...>",
    description:
      "Joins tapes of other markets, of other kinds of events or of other times into one tape in the order of time. Tapes that have the same kind of events of one market at the same time are refused.",
    lists: [
      { heading: "Arguments:", items: [["tapes", "two tapes or more"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-o, --out <tape>", "the tape to write"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Two parts of a year as one tape\n  perplab tape merge july.tape rest.tape --out second-half.tape",
  },
  "tape export": {
    usage: "perplab tape export [options] <data...>",
    description:
      "Writes a part of the data as one table, a row an event, for pandas, polars, DuckDB or a spreadsheet. Every number is exact: decimals in CSV, DECIMAL(18, 8) in Parquet.",
    lists: [
      { heading: "Arguments:", items: [["data", "a tape, or files as [MARKET[:LAYOUT]=]PATH"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--from <time>", "first moment, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open"],
          ["--to <time>", "end of the part, not included"],
          ["--market <name...>", "these markets (default: all)"],
          ["--kind <kind...>", "these kinds: trade, bar, mark, index, funding, depth, quote, series (default: all)"],
          ["-o, --out <file>", "the table to write: .csv or .parquet"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The bars of a month as CSV\n  perplab tape export july.tape --kind bar --out july.csv\n  # Funding and marks as Parquet\n  perplab tape export july.tape --kind funding mark --out july.parquet",
  },
  verify: {
    usage: "perplab verify [options] <log>",
    description:
      "Replays a block log from its genesis and compares the events of every block, every recorded head of the effects chain and every recorded state root with what this perplab computes. The first difference is named by its block. A log that ends inside a record (its writer was stopped) is refused, unless --torn is given.",
    lists: [
      { heading: "Arguments:", items: [["log", "the block log"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--signatures <mode>", "verify those that the log keeps, or elide (default: verify)"],
          ["--torn", "accept a log that ends inside a record, up to its last complete record"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Verify the log that a backtest wrote\n  perplab verify crash.log\n  # With the result for a program\n  perplab verify crash.log --json",
  },
  explain: {
    usage: "perplab explain [options] <log> <subject>",
    description:
      "Replays a block log up to a block and explains what happened there with the numbers: for a transaction its receipt, the numbers that the rule compared, its events, its account before and after; for a liquidation equity, maintenance margin, tiers, bankruptcy prices, every stage and the accounts that paid; for both, the components of the mark.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          ["log", "the block log"],
          ["subject", "a transaction as its id (0x…) or <height>-<place>, or a liquidation as L-<height>-<n>"],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The transaction at place 2 of block 1\n  perplab explain crash.log 1-2\n  # The same for a program\n  perplab explain crash.log 1-2 --json",
  },
  fork: {
    usage: "perplab fork [options] <log>",
    description:
      "Replays a block log up to a height, changes parameters there, and continues twice: as recorded, and with the changes. Recorded transactions enter the fork in their blocks; nonces and order ids are adjusted where they moved. --diff prints what differs: liquidations, insurance, bad debt, and account by account.",
    lists: [
      { heading: "Arguments:", items: [["log", "the block log"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--at <height>", "last block that both share: its height, 0 for genesis, or a time, UTC: 2024-07-05T12:00"],
          ["-s, --set <name=value...>", "parameters from there on: name, MARKET.name, or venue.name"],
          ["-i, --inject <file>", "further transactions, as a YAML or JSON list of height, from, and an action"],
          ["--diff", "print the differences at the end of the log"],
          ["--accounts <count>", "accounts in the table (default: 20)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The effect of a higher taker fee from block 20 on\n  perplab fork crash.log --at 20 --set takerFee=0.002 --diff\n  # The same question about the liquidation fee, for a program\n  perplab fork crash.log --at 20 --set liquidationFee=0 --diff --json\n  # From a time on\n  perplab fork crash.log --at 2024-07-05T12:00 --set takerFee=0.002",
  },
  compare: {
    usage: "perplab compare [options] <a> <b>",
    description:
      "Compares two block logs, two JSON reports of backtests, or two bundles. Logs are replayed side by side up to the first block that differs: its transactions, receipts and events, and the accounts and markets after it. Reports and bundles are compared from causes to results: strategy, data, options, versions, the first fill or block, the figures. Nothing of a bundle runs, unless --rerun makes both runs again: then their blocks and curves are compared as well. --out writes a page with both equity curves and the figures. Exit code 4 if the runs differ.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          ["a", "a block log, a report as JSON, or a bundle"],
          ["b", "the other, of the same kind"],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-o, --out <file...>", "write the result with curves and figures: .html or .json"],
          ["--rerun", "of bundles: repeat both runs, and compare their blocks and curves"],
          ["--trust", "with --rerun: run the code of the strategies in the bundles"],
          ["--any-version", "with --rerun: run them although versions differ"],
          ["-d, --data <source...>", "with --rerun: the data of bundles that name it by hash"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Two logs of the same run are equal\n  perplab compare crash.log crash.log\n  # Two reports, with the result for a program\n  perplab compare report.json report.json --json\n  # The same as a page\n  perplab compare crash.log crash.log --out same.html",
  },
  bundle: {
    usage: "perplab bundle [options] <report.json>",
    description:
      "Repeats the run of a JSON report, by the command in the report, and writes it as one file: the strategy with the files that it imports, every option, the data as a tape, and the result, block by block. `perplab rerun` proves the file on any machine. Call it in the folder in which the report was made. `backtest --bundle` writes the same file at once. Exit code 4 if the run gives another result than the report has.",
    lists: [
      { heading: "Arguments:", items: [["report.json", "the report as a backtest wrote it"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-o, --out <file>", "the bundle"],
          ["--by-hash", "name the data by its hash instead of including it"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # The run of a report as one file\n  perplab bundle report.json --out run.bundle\n  # The same without the data, which it names by hash\n  perplab bundle report.json --out small.bundle --by-hash",
  },
  rerun: {
    usage: "perplab rerun [options] <bundle>",
    description:
      "Checks every byte of a bundle, makes its run again, and compares every block, the effects head and the state root. A difference is named by its first block; exit code 4. It RUNS the strategy's code with your rights: a bundle with code of its own is refused without --trust. Inspect it first with --show, and only run what you would run anyway. A bundle of another version of perplab is refused, too, because that version may correctly give another result.",
    lists: [
      { heading: "Arguments:", items: [["bundle", "the file that `bundle` or `backtest --bundle` wrote"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--show", "show what is in the bundle, with the code of its strategy, and run nothing"],
          ["--trust", "run the code of the strategy in the bundle"],
          ["--any-version", "run it although versions differ"],
          ["-d, --data <source...>", "the data of a bundle that names it by hash"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Prove a bundle\n  perplab rerun run.bundle\n  # Show what is in a bundle, and run nothing\n  perplab rerun small.bundle --data data/BTC-PERP-klines-1m-2024-07-19.csv.gz --show",
  },
  freeze: {
    usage: "perplab freeze [options] <run>",
    description:
      "Writes a scenario of some blocks of a run, from its block log or from a bundle, whose run is made again: the venue before them as a snapshot next to the file, with its prices, accounts, positions and orders as readable expectations; the transactions as steps; and their outcomes, fills, liquidations, balances and the state root. It is run before it is written. `scenario run` then fails when a rule that the blocks depend on changes.",
    lists: [
      { heading: "Arguments:", items: [["run", "a block log, or a bundle"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-b, --blocks <first..last>", "the blocks, for example 120..130, or 120 for one"],
          ["-o, --out <file>", "the scenario, with the ending .yaml"],
          ["--force", "overwrite an existing scenario and its snapshot"],
          ["--trust", "run the code of the strategies in a bundle"],
          ["--any-version", "run a bundle although versions differ"],
          ["-d, --data <source...>", "the data of a bundle that names it by hash"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Eleven blocks as a test\n  perplab freeze crash.log --blocks 30..40 --out frozen.yaml\n  # One block; what was written, for a program\n  perplab freeze crash.log --blocks 40 --out one-block.yaml --json\n  # Blocks of a bundle's run\n  perplab freeze run.bundle --blocks 30..40 --out of-a-bundle.yaml",
  },
  "compare-rules": {
    usage: "perplab compare-rules [options] <source...>",
    description:
      "Runs the same blocks under each preset: fees, margin tiers, liquidation, insurance and deleveraging. The blocks are those of a block log or a scenario, or recorded market data with a seeded crowd of leveraged traders in it. Shows liquidated accounts, payments of the insurance fund, bad debt, and deleveraged accounts; --out writes it as a page.",
    lists: [
      {
        heading: "Arguments:",
        items: [["source", "a block log (.log), a scenario (.yaml), or data as [MARKET[:LAYOUT]=]PATH"]],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--presets <names>", "presets separated by commas (default: all)"],
          ["--accounts <count>", "data: traders in the crowd (default: 1000)"],
          ["--seed <text>", "data: seed of the crowd (default: 1)"],
          ["--from <time>", "data: first moment that is replayed, UTC; a bar counts by its open"],
          ["--to <time>", "data: end of the replay, not included"],
          ["--insurance <usd>", "data: insurance fund at the start (default: 1000000)"],
          ["--set <name=value...>", "data: parameters of the recorded markets"],
          ["-o, --out <file>", "write the comparison: .html or .json"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # A crowd of 300 in a day of minute bars under every preset, with a page of charts\n  perplab compare-rules data/BTC-PERP-klines-1m-2024-07-19.csv.gz --accounts 300 --out rules.html\n  # The log of a backtest under the venue's defaults, for a program\n  perplab compare-rules crash.log --presets perplab --json",
  },
  report: {
    usage: "perplab report [options] <report.json>",
    description:
      "Reads the JSON report of a backtest and shows it here, or writes it as one HTML file, as Markdown, or as text.",
    lists: [
      { heading: "Arguments:", items: [["report.json", "the report as a backtest wrote it"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-o, --out <file>", "write to this file; its ending chooses the format"],
          ["-f, --format <name>", "html, markdown, json or terminal"],
          ["-s, --strategy <name>", "of a run of several strategies: the report of this one"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Show the summary\n  perplab report report.json\n  # Write the report as one HTML file\n  perplab report report.json --out report.html",
  },
  scenario: {
    usage: "perplab scenario [options] [command]",
    description:
      "A scenario file describes a flow of transactions block by block, and its expected results: outcomes, fills, events, accounts, positions, prices. Every run checks all invariants. It runs twice, and both runs are compared.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-h, --help", "print this help"],
        ],
      },
      {
        heading: "Commands:",
        items: [
          ["run [options] <paths...>", "Run scenario files and report what differs"],
          ["lint [options] <paths...>", "Check scenario files without running them"],
          ["fmt [options] <paths...>", "Format scenario files"],
          ["explain [options] <paths...>", "Describe a scenario block by block"],
          ["new [options] <file>", "Write a first scenario file to start from"],
        ],
      },
    ],
    after:
      "Examples:\n  # Run every scenario of a folder\n  perplab scenario run scenarios/orders\n  # As a page for a risk team\n  perplab scenario run scenarios/liquidation --reporter html --out scenarios.html\n  # The first of twelve parts, for a build server\n  perplab scenario run scenarios --shard 1/12 --reporter junit\n  # Check a folder\n  perplab scenario lint scenarios\n  # List the files that are not formatted\n  perplab scenario fmt scenarios --check\n  # Describe one scenario\n  perplab scenario explain scenarios/orders/cancel-frees-reserve.yaml\n  # Write a file here\n  perplab scenario new my-first.yaml",
  },
  "scenario run": {
    usage: "perplab scenario run [options] <paths...>",
    description:
      "Runs scenario files with every invariant, twice, and compares both runs. A folder means every file in it except those in folders named lib, which others include. With any number of threads, and on the workers of a queue, the results are the same. Exit code 0 when everything is as expected, 1 when something differs or a file cannot run.",
    lists: [
      { heading: "Arguments:", items: [["paths", "files, folders or globs"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "run the files by workers (see perplab worker), over this Redis: redis://host:port, or rediss://user@host:port with TLS",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--reporter <name>", "pretty, json, junit, markdown, html, github, sarif (default: pretty)"],
          ["--out <file>", "write the report there, by its ending if no reporter is named; without it, it is printed"],
          ["--shard <i/n>", "only every n-th file, from the i-th"],
          ["--workers <n>", "threads (default: by the number of files, at most one a core)"],
          ["--user-invariants <module...>", "modules with invariants of your own, checked with all others"],
          ["--update", "write the new state roots into `golden`"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Run every scenario of a folder\n  perplab scenario run scenarios/orders\n  # As a page for a risk team\n  perplab scenario run scenarios/liquidation --reporter html --out scenarios.html\n  # The first of twelve parts, for a build server\n  perplab scenario run scenarios --shard 1/12 --reporter junit",
  },
  "scenario lint": {
    usage: "perplab scenario lint [options] <paths...>",
    description:
      "Reads scenario files as a run would and reports every fault with its place and a hint, and weak spots: a file without a sentence, rules or expectations, a block without effect, a tolerance without a reason.",
    lists: [
      { heading: "Arguments:", items: [["paths", "files, folders or globs"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Check a folder\n  perplab scenario lint scenarios",
  },
  "scenario fmt": {
    usage: "perplab scenario fmt [options] <paths...>",
    description:
      "Puts keys in their order and formats indentation and spacing; comments stay. With --check, it only lists the files that would change, and ends with 1 if there are any.",
    lists: [
      { heading: "Arguments:", items: [["paths", "files, folders or globs"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--check", "change nothing"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # List the files that are not formatted\n  perplab scenario fmt scenarios --check",
  },
  "scenario explain": {
    usage: "perplab scenario explain [options] <paths...>",
    description:
      "Runs scenario files and describes every block: prices, transactions with their outcomes, fills, events, and the accounts after it. Useful while writing one: the numbers to expect are there.",
    lists: [
      { heading: "Arguments:", items: [["paths", "files, folders or globs"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Describe one scenario\n  perplab scenario explain scenarios/orders/cancel-frees-reserve.yaml",
  },
  "scenario new": {
    usage: "perplab scenario new [options] <file>",
    description:
      "Writes a small scenario that passes, with the line that makes editors complete keys and show their meaning.",
    lists: [
      { heading: "Arguments:", items: [["file", "the file, which must not exist"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Write a file here\n  perplab scenario new my-first.yaml",
  },
  fuzz: {
    usage: "perplab fuzz [options] [command]",
    description:
      "Draws venues, transactions and prices, continues from cases that reached new coverage, and checks after every transaction and block that every invariant holds. Failures are shrunk and written to files that can be run again.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["-h, --help", "print this help"],
        ],
      },
      {
        heading: "Commands:",
        items: [
          ["run [options]", "Search for broken invariants until a number of transactions or a time is over"],
          ["replay [options] <paths...>", "Run cases again, with every invariant after every transaction and block"],
          ["show [options] <path>", "Print a case as venue, blocks and outcomes, or list a corpus"],
          ["tmin [options] <case>", "Shrink a failing case: fewer genes, simpler choices, the same failure"],
          ["cmin [options] <corpus>", "Find a small set of cases that reaches everything the corpus reaches"],
          [
            "explore [options] [worlds...]",
            "Try every sequence of blocks of small worlds, or one step around every block of scenarios",
          ],
          ["exploit [options] <scenario>", "Search for profit that an attacker can take out of a scenario"],
          ["strategy [options] <strategy>", "Search for a market that breaks an assertion of a strategy"],
          ["bench [options]", "Measure the speed of a search on this machine, part by part"],
        ],
      },
    ],
    after:
      "Examples:\n  # Search for a moment and keep the cases that reached new places\n  perplab fuzz run --seed 1 --tx 2000 --corpus corpus\n  # Continue the search, and write a report\n  perplab fuzz run --seed 1 --tx 3000 --corpus corpus --resume --format json --out search.json\n  # Watch two invariants only, on two threads\n  perplab fuzz run --seed 7 --tx 1000 --invariants conservation,openInterest --workers 2\n  # Run every case of a corpus again\n  perplab fuzz replay corpus --invariants conservation,openInterest\n  # List the cases of a corpus\n  perplab fuzz show corpus\n  # Write the smaller corpus into another folder\n  perplab fuzz cmin corpus --out small\n  # Try every pair of blocks of a world\n  perplab fuzz explore scenarios/worlds/trade.yaml --depth 2\n  # Try every step around the blocks of one scenario\n  perplab fuzz explore --around scenarios/orders/cancel-frees-reserve.yaml\n  # With two invariants alone, for a program\n  perplab fuzz explore --around scenarios/orders/fees.yaml --no-model --invariants conservation,openInterest --json\n  # Whether a profit is possible under the default parameters\n  perplab fuzz exploit scenarios/incidents/hl-xpl-2025.yaml --attackers sweeper,accomplice --variant default --attempts 60\n  # With a second account for the attacker, for a program\n  perplab fuzz exploit scenarios/incidents/oct10-2025.yaml --attackers seller --extra 1000000 --variant default --attempts 60 --json\n  # Does the strategy survive without leverage?\n  perplab fuzz strategy trend --assert no-liquidation max-drawdown=0.99 --attempts 5\n  # Another assertion, in other markets, for a program\n  perplab fuzz strategy maker --assert max-position=100 --attempts 5 --seed 7 --json\n  # Measure with few transactions\n  perplab fuzz bench --tx 500",
  },
  "fuzz run": {
    usage: "perplab fuzz run [options]",
    description:
      "Runs cases, drawn and mutated, with every invariant watched. The same seed, profile and number of transactions give the same result, with any number of threads, and on the workers of a queue. Exit code 0 when everything held, 1 when something is broken, 3 when the search reached too little to prove anything, 4 when the same case gave two different results.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "run the cases by workers (see perplab worker), over this Redis: redis://host:port, or rediss://user@host:port with TLS",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--profile <name>", "smoke, nightly, swarm, deep (default: smoke)"],
          [
            "--seed <n>",
            "a whole number, the hash of a commit, or `commit` (default: the campaign's with --resume, else from the clock)",
          ],
          ["--tx <n>", "end after this many transactions: 200000, 5e6"],
          ["--time <t>", "end after this time: 40s, 10m, 8h (default, without --tx: the profile's)"],
          ["--workers <n>", "threads (default: one a core)"],
          ["--case-timeout <t>", "end if a case takes more CPU time: a venue or a check does not return (default: 5m)"],
          ["--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`"],
          ["--user-invariants <module...>", "modules with invariants of your own"],
          ["--model", "run the reference model in lock step with the venue and compare them after every block"],
          ["--corpus <folder>", "start with the cases of this folder, and store cases there that reach something new"],
          ["--resume", "continue the campaign of the corpus, with its settings, as if it had never stopped"],
          ["--from <folder...>", "start with the cases of these folders too; nothing is written there"],
          ["--failures <folder>", "write failures there (default: in the corpus, or fuzz-failures)"],
          ["--fail-fast", "end with the first failure"],
          ["--max-failures <n>", "end after this many different failures (default: 5)"],
          ["--format <name>", "text, json, junit, html, github (default: text)"],
          ["--out <file>", "write the report there, by its ending if no format is named; without it, it is printed"],
          ["--canary <name>", "plant a fault that the search must find: freeUnit, lateTrigger, keptReserve"],
          ["--strategy <module>", "search for a market that breaks a strategy instead, as `fuzz strategy` does"],
          ["--assert <assertion...>", "assertions about the strategy (default: no-liquidation)"],
          ["--attempts <n>", "markets to try for it (default: 500)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Search for a moment and keep the cases that reached new places\n  perplab fuzz run --seed 1 --tx 2000 --corpus corpus\n  # Continue the search, and write a report\n  perplab fuzz run --seed 1 --tx 3000 --corpus corpus --resume --format json --out search.json\n  # Watch two invariants only, on two threads\n  perplab fuzz run --seed 7 --tx 1000 --invariants conservation,openInterest --workers 2",
  },
  "fuzz replay": {
    usage: "perplab fuzz replay [options] <paths...>",
    description:
      "Runs case files, or every case of a corpus, with every invariant on; each twice, and once more with restarts. Exit code 0 when everything holds, 1 when something is broken, 4 when two runs differ.",
    lists: [
      { heading: "Arguments:", items: [["paths", "case files or corpora"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`"],
          ["--user-invariants <module...>", "modules with invariants of your own"],
          ["--model", "run the reference model in lock step with the venue and compare them after every block"],
          ["--canary <name>", "plant the fault that was planted in the search: freeUnit, lateTrigger, keptReserve"],
          ["--case-timeout <t>", "stop a case that takes more CPU time: 40s, 5m"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Run every case of a corpus again\n  perplab fuzz replay corpus --invariants conservation,openInterest",
  },
  "fuzz show": {
    usage: "perplab fuzz show [options] <path>",
    description:
      "Prints what a case file does: the venue, and block by block the transactions and their results. Of a corpus, lists the cases with what they reached.",
    lists: [
      { heading: "Arguments:", items: [["path", "a case file or a corpus"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--from <height>", "begin with this block"],
          ["--to <height>", "end with this block"],
          ["--events", "print events, too"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # List the cases of a corpus\n  perplab fuzz show corpus",
  },
  "fuzz tmin": {
    usage: "perplab fuzz tmin [options] <case>",
    description:
      "Removes genes and simplifies choices as long as the case fails in the same way. Each smaller case is written at once, so the work may be stopped and resumed. Exit code 1 for a case that does not fail.",
    lists: [
      { heading: "Arguments:", items: [["case", "a case file"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--out <file>", "file of the smaller case (default: over the one given)"],
          ["--time <t>", "end after this time: 40s, 10m (default: 60s)"],
          ["--model", "the failure is a difference to the reference model"],
          ["--user-invariants <module...>", "modules with invariants of your own"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n",
  },
  "fuzz cmin": {
    usage: "perplab fuzz cmin [options] <corpus>",
    description:
      "Runs every case of a corpus, and picks a small set that reaches the same places. Writes it into another folder, or, with --in-place, removes the other cases.",
    lists: [
      { heading: "Arguments:", items: [["corpus", "the folder"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--out <folder>", "write the smaller corpus there"],
          ["--in-place", "remove cases that are not needed"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Write the smaller corpus into another folder\n  perplab fuzz cmin corpus --out small",
  },
  "fuzz explore": {
    usage: "perplab fuzz explore [options] [worlds...]",
    description:
      "Worlds are scenarios with an alphabet of blocks. All sequences of up to a number of its blocks are tried from each start of a world; states that differ in nothing that decides count once. With --around, each action, prices and the passing of time are tried before every block of scenarios, followed by the block that would have come. Every block is checked with the light invariants and the reference model. Heavy invariants run on every new state of the last depth and on a sample of the others. Nothing is drawn: the same files give the same report. Exit code 0 when everything held, 1 when something is broken, 3 when a block was never applied, or an invariant that a world is to show had nothing to check.",
    lists: [
      { heading: "Arguments:", items: [["worlds", "scenario files with an alphabet, or folders of them"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--redis <url>",
            "try the blocks by workers (see perplab worker), over this Redis: redis://host:port, or rediss://user@host:port with TLS",
          ],
          ["--redis-prefix <text>", "prefix of all keys in Redis (default: perplab)"],
          ["--around <scenarios...>", "scenario files, or folders of them, instead of worlds"],
          ["--depth <n>", "blocks of a sequence at most (default: that of each world)"],
          ["--nightly", "go as deep as each world says for a nightly run"],
          ["--workers <n>", "threads (default: one a core, fewer for little work)"],
          ["--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`"],
          ["--no-model", "leave the reference model out"],
          ["--failures <folder>", "write failures there (default: fuzz-failures)"],
          ["--canary <name>", "plant a fault that must be found: freeUnit, lateTrigger, keptReserve"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Try every pair of blocks of a world\n  perplab fuzz explore scenarios/worlds/trade.yaml --depth 2\n  # Try every step around the blocks of one scenario\n  perplab fuzz explore --around scenarios/orders/cancel-frees-reserve.yaml\n  # With two invariants alone, for a program\n  perplab fuzz explore --around scenarios/orders/fees.yaml --no-model --invariants conservation,openInterest --json",
  },
  "fuzz exploit": {
    usage: "perplab fuzz exploit [options] <scenario>",
    description:
      "Takes rules, prices and transactions of a scenario, leaves out the transactions of the attacker's accounts, and searches for moves that end with more withdrawn than deposited. Losses of other accounts in voluntary trades do not count. Gains from liquidations, deleveraging, the fund, the venue's own accounts and shared losses do. Exit code 1 when an exploit is found.",
    lists: [
      { heading: "Arguments:", items: [["scenario", "a scenario file with rules, prices and accounts"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--attackers <names>", "the attacker's accounts in the scenario, separated by commas"],
          ["--extra <usd,...>", "further accounts of the attacker, by their deposits"],
          ["--variant <name>", "variant of the scenario (default: its first)"],
          ["--attempts <n>", "attacks to try (default: 20000)"],
          ["--seed <n>", "the same seed gives the same result (default: 1)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Whether a profit is possible under the default parameters\n  perplab fuzz exploit scenarios/incidents/hl-xpl-2025.yaml --attackers sweeper,accomplice --variant default --attempts 60\n  # With a second account for the attacker, for a program\n  perplab fuzz exploit scenarios/incidents/oct10-2025.yaml --attackers seller --extra 1000000 --variant default --attempts 60 --json",
  },
  "fuzz strategy": {
    usage: "perplab fuzz strategy [options] <strategy>",
    description:
      "Runs a strategy through generated markets: trends, gaps, wicks, cascades, a mark that stalls, a thin book, funding at its cap. If an assertion breaks, the market is shrunk and printed as a script of a few lines. Exit code 1 when one breaks.",
    lists: [
      { heading: "Arguments:", items: [["strategy", "name of an example, or path of a strategy file"]] },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          [
            "--assert <assertion...>",
            "min-margin=RATIO, max-drawdown=SHARE, min-equity=USD, max-position=SIZE, no-liquidation, or a module that exports assertions (default: no-liquidation)",
          ],
          ["-l, --leverage <multiple>", "leverage, a whole number (default: 1)"],
          ["--deposit <usd>", "collateral at the start (default: 10000)"],
          ["-p, --param <name=value...>", "parameters of the strategy"],
          ["--attempts <n>", "markets to try (default: 500)"],
          ["--seed <n>", "the same seed tries the same markets (default: 1)"],
          ["--market <file>", "run one market script, a segment a line, instead of searching"],
          ["-o, --out <folder>", "write the market: the script, and its bars, marks and funding as CSV"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Does the strategy survive without leverage?\n  perplab fuzz strategy trend --assert no-liquidation max-drawdown=0.99 --attempts 5\n  # Another assertion, in other markets, for a program\n  perplab fuzz strategy maker --assert max-position=100 --attempts 5 --seed 7 --json",
  },
  "fuzz bench": {
    usage: "perplab fuzz bench [options]",
    description:
      "Runs the same cases with more and more checks: the venue alone, with feedback, with every invariant after every transaction and block, with occasional sweeps as in campaigns, with cases run again in other ways, and in lock step with the model. One thread.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--tx <n>", "transactions of each part (default: 20000)"],
          ["--seed <n>", "seed of the cases (default: 1)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Measure with few transactions\n  perplab fuzz bench --tx 500",
  },
  serve: {
    usage: "perplab serve|devnet [options]",
    description:
      "Starts a local venue with markets, prices and ten funded accounts, and serves it until Ctrl-C. Without --store the venue is kept in memory and lost at the end, and the next start is a new network. With it, everything acknowledged is on disk, and the next start continues from there. It listens on loopback unless --host names another address.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--port <number>", "port; 0 for any that is free (default: 8645)"],
          ["--host <address>", 'address to listen on (default: "127.0.0.1")'],
          ["--accounts <count>", "funded development accounts, 0 to 10 (default: 10)"],
          ["--balance <usd>", 'collateral of each (default: "100000")'],
          ["--genesis <file>", "JSON with the fields that differ from the genesis of a devnet (docs/spec/network.md)"],
          ["--chain-id <number>", "chain id of the signing domain (default: 735711)"],
          ["--network <name>", "name of the network (default: perplab-devnet)"],
          [
            "--network-salt <text>",
            "fix the identity of a venue in memory, for ids that are printed; empty for none (default: random)",
          ],
          ["--price <market=usd>", "first price of a market; repeatable"],
          ["--mode <mode>", "when blocks are made: auto, interval, manual or batch (default: auto)"],
          ["--block-time <duration>", "time between blocks, empty ones included: 500ms, 2s"],
          ["--batch <count>", "make a block when this many transactions are ready"],
          ["--block-step <duration>", "block times rise by this, not by the clock"],
          ["--store <folder>", "store the venue in this folder, durably"],
          ["--accept-loss", "start from the remaining blocks although the store has lost some"],
          ["--state <file>", "start with the venue of this file if it exists, and write it there at the end"],
          ["--load-state <file>", "start with the venue of a file"],
          ["--dump-state <file>", "write the venue to a file at the end"],
          ["--block-log <file>", "write the blocks there at the end, for `perplab verify`"],
          ["--control", "serve control under /devnet: blocks, time, prices, accounts, snapshots, faults"],
          [
            "--admin-token <token>",
            "token for control and metrics from anywhere; without it, only this machine, without a proxy",
          ],
          ["--makers <count>", "number of bots that quote around the index, 0 to 10 (default: 0)"],
          ["--seed <number>", "seed of the bots' quotes (default: 1)"],
          ["-d, --data <source...>", "a recording to trade in: a tape, or files as [MARKET[:LAYOUT]=]PATH"],
          ["--speed <speed>", "speed of the recording: 1x, 60x, or max (default: 1x)"],
          ["--fees <maker/taker>", "fees as ratios of value: none, 0.0005 or 0.0002/0.0005 (default: the market's)"],
          ["--spread <ticks>", "ticks between best bid and ask of the recorded depth (default: 1)"],
          ["--participation <ratio>", "bars: share of the volume that is offered as depth (default: 0.1)"],
          ["--impact <ticks>", "bars: ticks between one quarter of the depth and the next (default: 1)"],
          ["--intrabar <order>", "bars: order of high and low: nearest, high-first or low-first (default: nearest)"],
          ["--block <ms>", "trades: time span of a block (default: 1000)"],
          ["--tick <usd>", "step of prices (default: from the data)"],
          ["--lot <size>", "step of sizes (default: from the data)"],
          ["--set <name=value...>", "further parameters of the markets, over those of the preset replay"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          ["--limits <profile>", 'rate limits: off, dev or public (default: "dev")'],
          ["--account-reads <access>", "who may read accounts: public, or their owners by session"],
          ["--cors <origin>", "origin of a page that may call; repeatable; * for any"],
          ["--behind-proxy", "read the client's address from X-Forwarded-For, set by a proxy"],
          ["--public-url <url>", "public address that /status reports, for a network that is open to other machines"],
          ["--config-out <file>", "write addresses and keys to this file as JSON"],
          ["--log <level>", 'lines of JSON on standard error: silent, error, warn, info or debug (default: "warn")'],
          ["--silent", "print nothing but failures"],
          ["--check", "stop when everything is up"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Start, report that everything is up, and stop\n  perplab serve --port 0 --check\n  # On disk, a block every half second\n  perplab serve --port 0 --store venue --block-time 500ms --check\n  # A recorded day in 24 minutes: its prices, its trades and their depth, and bots that quote alongside\n  perplab serve --port 0 --data data/BTC-PERP-aggTrades-2024-03-05.csv.gz --speed 60x --makers 2 --check\n  # Keys and addresses for a program\n  perplab serve --port 0 --price BTC-PERP=65000 --config-out devnet.json --check",
  },
  devnet: {
    usage: "perplab serve|devnet [options]",
    description:
      "Starts a local venue with markets, prices and ten funded accounts, and serves it until Ctrl-C. Without --store the venue is kept in memory and lost at the end, and the next start is a new network. With it, everything acknowledged is on disk, and the next start continues from there. It listens on loopback unless --host names another address.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--port <number>", "port; 0 for any that is free (default: 8645)"],
          ["--host <address>", 'address to listen on (default: "127.0.0.1")'],
          ["--accounts <count>", "funded development accounts, 0 to 10 (default: 10)"],
          ["--balance <usd>", 'collateral of each (default: "100000")'],
          ["--genesis <file>", "JSON with the fields that differ from the genesis of a devnet (docs/spec/network.md)"],
          ["--chain-id <number>", "chain id of the signing domain (default: 735711)"],
          ["--network <name>", "name of the network (default: perplab-devnet)"],
          [
            "--network-salt <text>",
            "fix the identity of a venue in memory, for ids that are printed; empty for none (default: random)",
          ],
          ["--price <market=usd>", "first price of a market; repeatable"],
          ["--mode <mode>", "when blocks are made: auto, interval, manual or batch (default: auto)"],
          ["--block-time <duration>", "time between blocks, empty ones included: 500ms, 2s"],
          ["--batch <count>", "make a block when this many transactions are ready"],
          ["--block-step <duration>", "block times rise by this, not by the clock"],
          ["--store <folder>", "store the venue in this folder, durably"],
          ["--accept-loss", "start from the remaining blocks although the store has lost some"],
          ["--state <file>", "start with the venue of this file if it exists, and write it there at the end"],
          ["--load-state <file>", "start with the venue of a file"],
          ["--dump-state <file>", "write the venue to a file at the end"],
          ["--block-log <file>", "write the blocks there at the end, for `perplab verify`"],
          ["--control", "serve control under /devnet: blocks, time, prices, accounts, snapshots, faults"],
          [
            "--admin-token <token>",
            "token for control and metrics from anywhere; without it, only this machine, without a proxy",
          ],
          ["--makers <count>", "number of bots that quote around the index, 0 to 10 (default: 0)"],
          ["--seed <number>", "seed of the bots' quotes (default: 1)"],
          ["-d, --data <source...>", "a recording to trade in: a tape, or files as [MARKET[:LAYOUT]=]PATH"],
          ["--speed <speed>", "speed of the recording: 1x, 60x, or max (default: 1x)"],
          ["--fees <maker/taker>", "fees as ratios of value: none, 0.0005 or 0.0002/0.0005 (default: the market's)"],
          ["--spread <ticks>", "ticks between best bid and ask of the recorded depth (default: 1)"],
          ["--participation <ratio>", "bars: share of the volume that is offered as depth (default: 0.1)"],
          ["--impact <ticks>", "bars: ticks between one quarter of the depth and the next (default: 1)"],
          ["--intrabar <order>", "bars: order of high and low: nearest, high-first or low-first (default: nearest)"],
          ["--block <ms>", "trades: time span of a block (default: 1000)"],
          ["--tick <usd>", "step of prices (default: from the data)"],
          ["--lot <size>", "step of sizes (default: from the data)"],
          ["--set <name=value...>", "further parameters of the markets, over those of the preset replay"],
          ["--allow <kinds>", "findings in the data that are not errors, separated by commas"],
          ["--deny <kinds>", "findings in the data that are errors: gap, nullRow"],
          ["--limits <profile>", 'rate limits: off, dev or public (default: "dev")'],
          ["--account-reads <access>", "who may read accounts: public, or their owners by session"],
          ["--cors <origin>", "origin of a page that may call; repeatable; * for any"],
          ["--behind-proxy", "read the client's address from X-Forwarded-For, set by a proxy"],
          ["--public-url <url>", "public address that /status reports, for a network that is open to other machines"],
          ["--config-out <file>", "write addresses and keys to this file as JSON"],
          ["--log <level>", 'lines of JSON on standard error: silent, error, warn, info or debug (default: "warn")'],
          ["--silent", "print nothing but failures"],
          ["--check", "stop when everything is up"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after:
      "Examples:\n  # Start, report that everything is up, and stop\n  perplab serve --port 0 --check\n  # On disk, a block every half second\n  perplab serve --port 0 --store venue --block-time 500ms --check\n  # A recorded day in 24 minutes: its prices, its trades and their depth, and bots that quote alongside\n  perplab serve --port 0 --data data/BTC-PERP-aggTrades-2024-03-05.csv.gz --speed 60x --makers 2 --check\n  # Keys and addresses for a program\n  perplab serve --port 0 --price BTC-PERP=65000 --config-out devnet.json --check",
  },
  run: {
    usage: "perplab run [options] <script> [arguments...]",
    description:
      "Runs a file as Node does, with its types stripped. Its imports of `perplab/…` are the modules of this perplab: the sources in a clone, so nothing has to be built. Arguments after the file are passed to the script.",
    lists: [
      {
        heading: "Arguments:",
        items: [
          ["script", "the file"],
          ["arguments", "for the script, in process.argv"],
        ],
      },
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Run the example bot with one of its own options\n  perplab run examples/bot.ts --help",
  },
  "strategy-host": {
    usage: "perplab strategy-host [options]",
    description:
      "Runs backtests and sweeps for another program that contains the strategy: the Python package starts it by itself. Messages are MessagePack over stdin and stdout; docs/reference/strategy-protocol.md has all of them, so that other languages can do the same. It ends when the other program closes its end.",
    lists: [
      {
        heading: "Options:",
        items: [
          ["--no-color", "print without colours (as does the environment variable NO_COLOR)"],
          ["--json", "print one JSON value instead of text"],
          ["-h, --help", "print this help"],
        ],
      },
    ],
    after: "Examples:\n  # Wait for messages; a shell has none, so it ends at once\n  perplab strategy-host",
  },
};
