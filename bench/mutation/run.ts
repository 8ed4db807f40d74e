/**
 * Measures how much of the engine its checks notice: small changes of `src/venue/engine`, `src/venue/reads` and
 * `src/ground/math`, one at a time, with one oracle as the only test.
 *
 *     npm run mutation                                   1,000 mutants of seed 1, by the search with the model
 *     npm run mutation -- --mutants 50 --grow 2e4        a short run
 *     npm run mutation -- --carry                        mutants killed in an earlier version count as killed: the others only
 *     npm run mutation -- --cases 30 --transactions 2e4  more for each; survivors of fewer cases are tried with the others
 *     npm run mutation -- --only checkOrder              only mutants whose key has these words
 *     npm run mutation -- --seed 2                       other mutants
 *     npm run mutation -- --tried-by scenarios,tests     those that scenarios and tests have tried: each alone, and together
 *     npm run mutation -- --missed-by scenarios,tests    those that scenarios and tests miss, and the score of all together
 *     npm run mutation -- --report                       only the report of the kept results
 *     npm run mutation -- --oracle scenarios             400 mutants, with the scenarios as the only tests, without a search
 *     npm run mutation -- --oracle scenarios --checked 600   a survivor runs up to 600 files with the invariants, not 60
 *     npm run mutation -- --oracle tests                 the same 400, with the fast tests of the engine as the only tests
 *     npm run mutation -- --oracle tests --redis redis://HOST:6379   mutants for workers: node bench/worker.ts mutation-tests
 *
 * Writes docs/evidence/mutation.json and .md, or mutation-together and the others of that name.
 * bench/mutation/explained.json explains survivors that are no gap of the tests, by the key in the report.
 */
import { measureSearch } from "./measureSearch.ts";
import { readOptions } from "./options.ts";
import { measureOracle } from "./oracles/measureOracle.ts";

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(options);
  process.exit(2);
}
if (options.oracle === "search") await measureSearch(options);
else await measureOracle(options);
process.exit();
