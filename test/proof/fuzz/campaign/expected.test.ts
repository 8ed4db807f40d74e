import { expect, test } from "vitest";
import { Campaign } from "../../../../src/proof/fuzz/campaign/campaign.ts";
import { EXPECTED, findMissing, USUAL } from "../../../../src/proof/fuzz/campaign/expected.ts";
import { Failures } from "../../../../src/proof/fuzz/campaign/failures.ts";
import { SEARCH_PROFILES } from "../../../../src/proof/fuzz/campaign/profiles.ts";
import { createReport } from "../../../../src/proof/fuzz/campaign/report.ts";
import { Coverage } from "../../../../src/proof/fuzz/feedback/coverage.ts";
import { NAMED_PLACES } from "../../../../src/proof/fuzz/feedback/namedPlaces.ts";
import { REJECTION_NAMES } from "../../../../src/protocol/rejections.ts";

test("every expected place is named in the map, with or without its cause", () => {
  const partsOf = (name: string) => [
    name,
    name.replace(/ [A-Z_]+$/, " rejected"),
    name.split(" ", 2).join(" "),
    name.split(" ")[1],
    name.replace(/^event /, ""),
  ];
  const names = new Set(NAMED_PLACES.flatMap(({ name }) => partsOf(name)));
  for (const { name } of EXPECTED) expect(names.has(name), name).toBe(true);
});

test("only a long search reports missing places", () => {
  expect(findMissing(new Map(), USUAL - 1)).toEqual([]);
  const missing = findMissing(
    new Map([
      ["event orderCancelled owner", 1],
      ["noop NONCE_GAP", 2],
    ]),
    USUAL,
  );
  expect(missing).toContain("placeOrder applied");
  expect(missing).not.toContain("event orderCancelled");
  expect(missing).not.toContain("NONCE_GAP");
  expect(missing).not.toContain("noop rejected"); // it is never rejected
  expect(missing).toContain("withdraw rejected");
  expect(missing).toContain("state market settled");
  expect(missing).toContain("NONCE_TOO_LOW");
  expect(missing).not.toContain("event badDebtChanged");
  expect(findMissing(new Map([["event orderCancelled owner", 1]]), 1e9)).not.toContain("orderCancelled owner");
  expect(findMissing(new Map(), 1e9)).toContain("orderCancelled owner");
  expect(findMissing(new Map(), 1_000_000_000)).toHaveLength(EXPECTED.length);
});

// Goal: no expected place can be missed silently. Method: a search that reached every place except one.
test("a search that missed one place proves nothing, and reports the place", () => {
  const everything = new Coverage();
  for (const { place } of NAMED_PLACES) everything.merge(Uint32Array.of(place, 1));
  const reportOf = (coverage: Coverage) => {
    const campaign = new Campaign(1, SEARCH_PROFILES.nightly);
    campaign.digests.add({ iteration: 0, digest: "", transactions: 1e9 });
    campaign.coverage.merge(
      Uint32Array.from(NAMED_PLACES.flatMap(({ place }) => (coverage.buckets[place] === 0 ? [] : [place, 1]))),
    );
    const failures = new Failures(() => expect.unreachable());
    return createReport({ campaign, profile: "nightly", watched: [], failures, blind: [], seconds: 1 });
  };
  expect(reportOf(everything)).toMatchObject({ verdict: "held", missing: [] });
  for (const { name } of EXPECTED) {
    const less = new Coverage();
    const lost = new Set(NAMED_PLACES.flatMap((one) => (isPartOf(one.name, name) ? [one.place] : [])));
    for (const { place } of NAMED_PLACES) if (!lost.has(place)) less.merge(Uint32Array.of(place, 1));
    const { verdict, missing } = reportOf(less);
    expect([verdict, missing.includes(name)], name).toEqual(["vacuous", true]);
  }
});

/** True if reaching a place also reaches the expected place. */
function isPartOf(reached: string, name: string): boolean {
  const [first = "", second = ""] = reached.split(" ");
  return (
    reached === name ||
    name === second ||
    name === `${first} ${second}` ||
    reached === `event ${name}` ||
    (name === `${first} rejected` && (REJECTION_NAMES as readonly string[]).includes(second))
  );
}
