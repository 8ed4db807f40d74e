// Writes the sentences of the specification to scripts/coverage/specification.json. The statements of the traceability
// page are compared with it when the document itself is not available. Usage: node scripts/updateSpecification.ts
// <file>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSpecification } from "./coverage/readSpecification.ts";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("name the Markdown file of the specification: node scripts/updateSpecification.ts <file>");
  process.exit(2);
}
const specification = readSpecification(readFileSync(file, "utf8"));
const target = join(import.meta.dirname, "coverage/specification.json");
writeFileSync(target, `${JSON.stringify(specification, null, 2)}\n`);
const count = specification.reduce((sum, { sentences }) => sum + sentences.length, 0);
console.log(`${count} sentences in ${specification.length} sections`);
