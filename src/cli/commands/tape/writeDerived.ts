import { rmSync } from "node:fs";
import { countOf } from "../../../ground/math/counts.ts";
import type { Derived } from "../../../product/market-data/select/derived.ts";
import type { EventChunk, EventSource } from "../../../product/market-data/types.ts";
import type { Context } from "../../command.ts";
import { onInterrupt } from "../../interrupt.ts";
import { startProgress } from "../../progress.ts";
import { reserveFiles } from "../../writeFile.ts";
import { formatManifest } from "../import.ts";

/**
 * Writes data made from recordings as a tape, with progress, and prints its contents.
 *
 * @param open opens the recordings, once the tape can be written; they are closed at the end
 */
export async function writeDerived(
  context: Context,
  out: string,
  open: () => Promise<readonly EventSource[]>,
  derive: (sources: readonly EventSource[]) => Derived,
): Promise<void> {
  const release = await reserveFiles([out]);
  let sources: readonly EventSource[] = [];
  try {
    sources = await open();
    await write(context, out, sources, derive(sources), release);
  } catch (error) {
    release();
    throw error;
  } finally {
    for (const source of sources) await source.close();
  }
}

async function write(
  { terminal, json }: Context,
  out: string,
  sources: readonly EventSource[],
  derived: Derived,
  release: () => void,
): Promise<void> {
  const { writeTape } = await import("../../../product/market-data/tape/writeTape.ts");
  const total = sources.reduce((sum, { manifest }) => sum + manifest.events, 0);
  const progress = await startProgress(terminal, { label: "writing", total, unit: "events" });
  const off = onInterrupt(() => {
    rmSync(`${out}.${process.pid}.part`, { force: true });
    release();
  });
  let events = 0;
  async function* counted(): AsyncGenerator<EventChunk> {
    for await (const chunk of derived.chunks()) {
      events += chunk.count;
      progress.update(events);
      yield chunk;
    }
  }
  try {
    const manifest = await writeTape(out, counted(), derived.manifest);
    progress.finish(countOf(manifest.events, "event"));
    terminal.out(json ? JSON.stringify({ tape: out, manifest }) : formatManifest(out, manifest));
  } catch (error) {
    progress.stop();
    throw error;
  } finally {
    off();
  }
}
