/**
 * The longest test files first, so that all workers end at about the same time. A fresh clone has no times of its own.
 */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import slow from "./slow.json" with { type: "json" };

const secondsOf = new Map(slow.map(({ file, seconds = 0 }) => [file, seconds]));

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const seconds = ({ moduleId }: TestSpecification) =>
      secondsOf.get(relative(root, moduleId).replaceAll("\\", "/")) ?? 0;
    // The order of projects stays: only the slow one has times.
    return (await super.sort(files)).sort((a, b) => (a.project.name === b.project.name ? seconds(b) - seconds(a) : 0));
  }
}
