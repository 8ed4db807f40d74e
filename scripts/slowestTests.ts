// Prints the ten slowest tests of the reports that are named: seconds, file and title of each. A run of the tests
// writes one where PERPLAB_TEST_REPORT names it.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

interface Report {
  testResults: { name: string; assertionResults: { fullName: string; duration?: number | null }[] }[];
}

const tests = process.argv.slice(2).flatMap((report) =>
  (JSON.parse(readFileSync(report, "utf8")) as Report).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(process.cwd(), name),
      title: fullName,
      seconds: (duration ?? 0) / 1000,
    })),
  ),
);
if (tests.length === 0) throw new Error("no test in the reports: Vitest writes them with --reporter=json --outputFile");
for (const { seconds, file, title } of tests.sort((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}  ${title}`);
}
