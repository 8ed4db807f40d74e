import { expect, test } from "vitest";
import { listDecisions } from "../../scripts/decisions.ts";

const list = (pages: Readonly<Record<string, string>>) => listDecisions(Object.keys(pages), (file) => pages[file]!);
const page = (number: string) => `# ${number}. Books are ladders\n\nStatus: accepted\n`;

// `npm run check:generated` makes the index of the real decisions in the same way, so a fault of theirs fails there.
test("decisions are listed by number, without the template", () => {
  const pages = { "0002-b.md": page("0002"), "0000-template.md": "", "README.md": "", "0001-a.md": page("0001") };
  expect(list(pages)).toEqual([
    { number: "0001", title: "Books are ladders", file: "0001-a.md", status: "accepted" },
    { number: "0002", title: "Books are ladders", file: "0002-b.md", status: "accepted" },
  ]);
});

test("a decision that a later one replaces in part says by which", () => {
  const text = `${page("0001")}\nSuperseded in part by [0002](0002-b.md): a ladder has steps.\n`;
  expect(list({ "0001-a.md": text })[0]).toMatchObject({ status: "accepted, superseded in part by 0002" });
});

test("a number that two decisions share, another number in the heading and a missing status are refused", () => {
  expect(() => list({ "0001-a.md": page("0001"), "0001-b.md": page("0001") })).toThrow(
    "0001-a.md and 0001-b.md share the number 0001",
  );
  expect(() => list({ "0001-a.md": page("0002") })).toThrow('0001-a.md does not begin with "# 0001. <decision>"');
  expect(() => list({ "0001-a.md": "# 0001. Books are ladders\n" })).toThrow("0001-a.md has no status");
});
