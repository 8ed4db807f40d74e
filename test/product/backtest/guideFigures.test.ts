import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatRows, measureFunding } from "../../../scripts/guidePictures.ts";
import { readGuideStrategy } from "../../helpers/guideStrategy.ts";
import { projectRoot } from "../../helpers/project.ts";

const real = join(projectRoot, "../shared/data/real/binance_um_1h_2019_2023");
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");

test.skipIf(!isThere)(
  "the guide's figures of a trend follower with and without funding are those of its runs",
  async () => {
    const reports = await measureFunding(real, await readGuideStrategy());
    for (const { attribution } of reports) expect(attribution.residual).toBe("0");
    const page = readFileSync(join(projectRoot, "docs/guides/ten-minutes.md"), "utf8");
    expect(page.split("\n").filter((line) => /^\| (price|funding|fees|equity at the end) \|/.test(line))).toEqual(
      formatRows(reports),
    );
  },
);
