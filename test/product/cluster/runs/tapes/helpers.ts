import { join } from "node:path";
import { importFiles } from "../../../../../src/product/market-data/importFiles.ts";
import { readTapeHash } from "../../../../../src/product/market-data/tape/tapeHash.ts";
import { renderBars, waves } from "../../../../helpers/bars.ts";
import { createFolder } from "../../../../helpers/project.ts";

export interface MadeTape {
  readonly folder: string;
  readonly path: string;
  readonly hash: string;
}

/** A tape of some bars in a folder of its own. */
export async function makeTape(bars: number, name = "btc.tape"): Promise<MadeTape> {
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(waves(bars)) });
  const path = join(folder, name);
  await importFiles({ sources: [{ path: join(folder, "BTC-PERP-klines-1h.csv") }], out: path });
  return { folder, path, hash: await readTapeHash(path) };
}
