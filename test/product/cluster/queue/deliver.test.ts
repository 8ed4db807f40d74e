import { describe, expect, test } from "vitest";
import { deliver, Hints, type TaskSender } from "../../../../src/product/cluster/queue/deliver.ts";
import type { Outcome, Task } from "../../../../src/product/cluster/queue/task.ts";
import { within } from "../../../helpers/within.ts";

const taskOf = (id: string): Task => ({ id, kind: "run", line: { perplab: "0", code: "c", node: 24 }, body: null });
const done = (text: string): Outcome => ({ kind: "done", text });

/** A queue in memory: `finish` ends a task, with or without an event. */
class FakeQueue implements TaskSender {
  readonly hints = new Hints();
  readonly sent: string[] = [];
  readonly ended = new Map<string, Outcome>();
  inspected = 0;
  refreshed = 0;
  mostOut = 0;

  finish(id: string, isHinted = true): void {
    this.ended.set(id, done(id));
    if (isHinted) this.hints.add(id);
  }

  async send(tasks: readonly Task[]): Promise<Map<string, Outcome>> {
    this.sent.push(...tasks.map(({ id }) => id));
    this.mostOut = Math.max(this.mostOut, this.sent.length - this.ended.size);
    return this.#read(tasks);
  }

  async inspect(tasks: readonly Task[]): Promise<Map<string, Outcome>> {
    this.inspected++;
    return this.#read(tasks);
  }

  async refresh(): Promise<void> {
    this.refreshed++;
  }

  #read(tasks: readonly Task[]): Map<string, Outcome> {
    return new Map(tasks.flatMap(({ id }) => (this.ended.has(id) ? [[id, this.ended.get(id)!] as const] : [])));
  }
}

async function collect(queue: FakeQueue, ids: readonly string[], events = {}): Promise<string[]> {
  const texts: string[] = [];
  const read = async () => {
    const delivery = deliver(queue, queue.hints, ids.map(taskOf), { checkMs: 5, ...events });
    for await (const outcome of delivery) texts.push(outcome.kind === "done" ? outcome.text : outcome.code);
    return texts;
  };
  return within("the delivery", read());
}

describe("a delivery", () => {
  test("returns outcomes in the order of the tasks, whatever the order in which they end", async () => {
    const queue = new FakeQueue();
    const ended: number[] = [];
    const all = collect(queue, ["a", "b", "c"], { onDone: (_: Outcome, index: number) => ended.push(index) });
    await new Promise((resolve) => setTimeout(resolve, 0));
    queue.finish("c");
    await new Promise((resolve) => setTimeout(resolve, 20));
    queue.finish("a");
    queue.finish("b");
    expect(await all).toEqual(["a", "b", "c"]);
    expect(ended[0]).toBe(2);
  });

  test("finds what ended without an event, and refreshes what tasks refer to", async () => {
    const queue = new FakeQueue();
    const all = collect(queue, ["a", "b"]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    queue.finish("a", false);
    queue.finish("b", false);
    expect(await all).toEqual(["a", "b"]);
    expect(queue.refreshed).toBeGreaterThan(0);
  });

  test("takes the outcome of an event without waiting for its next check", async () => {
    const queue = new FakeQueue();
    const all = collect(queue, ["a"], { checkMs: 1e9 });
    setTimeout(() => queue.finish("a"), 10);
    expect(await all).toEqual(["a"]);
  });

  test("sends equal tasks once, and takes a result that is there already", async () => {
    const queue = new FakeQueue();
    queue.ended.set("a", done("a"));
    queue.ended.set("b", done("b"));
    expect(await collect(queue, ["a", "b", "a", "a"])).toEqual(["a", "b", "a", "a"]);
    expect(queue.sent).toEqual(["a", "b"]);
  });

  test("has a bounded number of tasks out", async () => {
    const queue = new FakeQueue();
    const ids = Array.from({ length: 3_000 }, (_, at) => `${at}`);
    const all = collect(queue, ids);
    let next = 0;
    while (next < ids.length) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      for (const end = Math.min(next + 100, queue.sent.length); next < end; next++) queue.finish(`${next}`);
    }
    expect(await all).toEqual(ids);
    expect(queue.mostOut).toBeLessThanOrEqual(2_000);
    expect(queue.mostOut).toBeGreaterThan(1_000);
  });

  test("ends with the reason of its signal, also while it waits", async () => {
    const queue = new FakeQueue();
    const abort = new AbortController();
    const all = collect(queue, ["a"], { signal: abort.signal, checkMs: 1e9 });
    setTimeout(() => abort.abort(new Error("enough")), 10);
    await expect(all).rejects.toThrow("enough");
  });

  test("throws what its queue throws", async () => {
    const queue = new FakeQueue();
    queue.send = async () => {
      throw new Error("full");
    };
    await expect(collect(queue, ["a"])).rejects.toThrow("full");
  });
});
