/**
 * Measures what funding does to the strategy of docs/guides/ten-minutes.md on recorded bars, and draws the guide's
 * picture. The data is not part of the repository: the first argument names the folder with `BTCUSDT_1h.csv.gz` and
 * `BTCUSDT_funding_8h.csv.gz`.
 *
 *     node scripts/guidePictures.ts ../shared/data/real/binance_um_1h_2019_2023
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyStrategy } from "../src/client/strategy/strategy.ts";
import { runBacktest } from "../src/product/backtest/runBacktest.ts";
import { openData } from "../src/product/market-data/readSources.ts";
import type { BacktestReport } from "../src/product/report/model.ts";
import { formatFixed, groupThousands } from "../src/product/report/text/numbers.ts";

const root = join(import.meta.dirname, "..");
/**
 * The bar that closes with 2019, and the whole volume of a bar on offer: as other backtesters were measured on the same
 * bars.
 */
const FROM_MS = Date.UTC(2019, 11, 31, 23);
const PARTICIPATION = "1";

/** The run of the guide, without the recorded funding and with it. */
export async function measureFunding(folder: string, strategy: AnyStrategy): Promise<BacktestReport[]> {
  const source = (name: string, file: string) =>
    `BTC-PERP:${join(root, "data/mappings", `binance_um_1h_2019_2023_${name}.yaml`)}=${join(folder, file)}`;
  const bars = source("bars", "BTCUSDT_1h.csv.gz");
  const reports: BacktestReport[] = [];
  for (const sources of [[bars], [bars, source("funding", "BTCUSDT_funding_8h.csv.gz")]]) {
    const data = await openData(sources);
    const fees = { maker: "0.0005", taker: "0.0005" };
    const options = { fromMs: FROM_MS, participation: PARTICIPATION, deposit: "100000", leverage: 3, fees };
    const { report } = await runBacktest({ strategy, data, ...options });
    await data.close();
    reports.push(report);
  }
  return reports;
}

/** The rows of the guide's table. */
export function formatRows([without, withFunding]: readonly BacktestReport[]): string[] {
  const row = (name: string, read: (report: BacktestReport) => string) =>
    `| ${name} | ${[without!, withFunding!].map((report) => groupThousands(formatFixed(read(report), 2))).join(" | ")} |`;
  const negate = (text: string) => (text === "0" ? text : text.startsWith("-") ? text.slice(1) : `-${text}`);
  return [
    row("price", ({ attribution }) => attribution.price),
    row("funding", ({ attribution }) => attribution.funding),
    row("fees", ({ attribution }) => negate(attribution.fees)),
    row("equity at the end", ({ summary }) => summary.finalEquity),
  ];
}

const [WIDTH, HEIGHT] = [860, 340];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 16, 40, 28];
const LINES = [
  { name: "without funding", color: "#8a8f98" },
  { name: "with recorded funding", color: "#c2410c" },
];

/** Equity by week on a logarithmic axis, as an SVG that reads on light and dark pages. */
function draw(reports: readonly BacktestReport[]): string {
  const days = reports.map(({ daily }) => daily.filter((_, at) => at % 7 === 0));
  const values = days.flat().map(({ equity }) => Number(equity));
  const times = days.flat().map(({ timeMs }) => timeMs);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const x = (timeMs: number) => LEFT + ((timeMs - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (equity: number) => TOP + ((high - Math.log10(equity)) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const grid = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000].filter(
    (equity) => y(equity) >= TOP && y(equity) <= HEIGHT - BOTTOM,
  );
  const years = [2020, 2021, 2022, 2023].filter((year) => Date.UTC(year) >= from);
  const parts = [
    ...grid.flatMap((equity) => [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(equity).toFixed(1)}" y2="${y(equity).toFixed(1)}" stroke="#e2e4e8"/>`,
      `<text x="${LEFT - 8}" y="${(y(equity) + 4).toFixed(1)}" text-anchor="end">${groupThousands(`${equity}`)}</text>`,
    ]),
    ...years.map((year) => `<text x="${x(Date.UTC(year)).toFixed(1)}" y="${HEIGHT - 8}">${year}</text>`),
    ...LINES.map(({ name, color }, at) => {
      const points = days[at]!.map(({ timeMs, equity }) => `${x(timeMs).toFixed(1)},${y(Number(equity)).toFixed(1)}`);
      const label = `<text x="${LEFT + 190 * at}" y="20" fill="${color}" font-weight="600">${name}</text>`;
      return `${label}<polyline fill="none" stroke="${color}" stroke-width="1.6" points="${points.join(" ")}"/>`;
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#5b616b">
<title>Equity in USD by week, logarithmic</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${parts.join("\n")}
</svg>
`;
}

if (process.argv[1] === import.meta.filename) {
  const { readGuideStrategy } = await import("../test/helpers/guideStrategy.ts");
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("name the folder of the recorded bars");
  const reports = await measureFunding(folder, await readGuideStrategy());
  mkdirSync(join(root, "docs/guides/ten-minutes"), { recursive: true });
  writeFileSync(join(root, "docs/guides/ten-minutes/funding.svg"), draw(reports));
  console.log(formatRows(reports).join("\n"));
  console.log(pathToFileURL(join(root, "docs/guides/ten-minutes/funding.svg")).href);
}
