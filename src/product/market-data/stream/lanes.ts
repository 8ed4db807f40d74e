/** The streams of one source file, read together: a row may give several events, and each kind is a lane of its own. */
import type { QualityLog } from "../quality.ts";
import type { RowBatch } from "../scan/rowBatch.ts";
import { EVENT_KINDS, type EventKindName } from "../types.ts";
import { concatenate, type EventBatch, permute } from "./eventBatch.ts";
import type { OpenedSource } from "./openSource.ts";
import { Projector } from "./project.ts";
import { ReceiverClock } from "./receiverClock.ts";

/** Events of one kind from one source, waiting to be merged. */
export interface Lane {
  readonly kind: EventKindName;
  readonly reader: LaneReader;
  readonly waiting: EventBatch[];
  /** Next row of the first waiting batch. */
  at: number;
  events: number;
}

/** Reads one source into its lanes, batch by batch. */
export class LaneReader {
  readonly source: OpenedSource;
  readonly lanes: readonly Lane[];
  /** Index of the market of all lanes. */
  readonly market: number;
  isDone = false;
  /** Times of the first and the last event read, before duplicates are left out; 0 without events. */
  fromMs = 0;
  toMs = 0;
  private readonly projectors: readonly Projector[];
  private readonly rows: AsyncGenerator<RowBatch>;
  private readonly clock: ReceiverClock;
  private readonly sorts: boolean;
  private readonly onRows: (count: number) => void;

  constructor(
    source: OpenedSource,
    place: { readonly source: number; readonly market: number; readonly seriesIds: readonly (readonly number[])[] },
    log: QualityLog,
    onRows: (count: number) => void,
  ) {
    this.source = source;
    this.market = place.market;
    this.onRows = onRows;
    this.clock = new ReceiverClock(source.layout, place.source, log);
    this.sorts = source.layout.newestFirst === true || log.isAllowed("unsorted", place.source);
    this.projectors = source.layout.streams.map(
      (spec, stream) => new Projector(spec, source.layout, place.market, place.source, log, place.seriesIds[stream]),
    );
    this.lanes = source.layout.streams.map(({ kind }) => ({ kind, reader: this, waiting: [], at: 0, events: 0 }));
    this.rows = source.rows((line, faults) => {
      for (const { kind, column, reason, hint, unit, isFatal } of faults) {
        // The first row has no row before it whose unit could have been another.
        const firstHint =
          line !== source.firstLine || unit === undefined ? hint : `set unit: ${unit} in a mapping file`;
        log.report(kind, place.source, line, column, reason, { hint: firstHint, isFatal });
      }
      // What was reported and not thrown is allowed; a truncated row is used, any other is dropped.
      return faults.every((fault) => fault.truncated === true);
    });
  }

  /** Reads one batch, or all of them where the file has to be sorted. */
  async pull(): Promise<void> {
    do {
      const next = await this.rows.next();
      if (next.done === true) {
        this.isDone = true;
        break;
      }
      this.onRows(next.value.count);
      this.clock.check(next.value);
      for (const [index, lane] of this.lanes.entries()) {
        const batch = this.projectors[index]!.project(next.value);
        if (batch.count === 0) continue;
        lane.waiting.push(batch);
        this.note(batch);
      }
    } while (this.sorts);
    if (this.sorts) for (const lane of this.lanes) sortLane(lane, this.source.layout.newestFirst === true);
  }

  private note({ timeMs, count }: EventBatch): void {
    const first = timeMs[0]!;
    if (this.fromMs === 0 || first < this.fromMs) this.fromMs = first;
    this.toMs = Math.max(this.toMs, timeMs[count - 1]!);
  }

  /** Stops reading and closes the file. */
  async close(): Promise<void> {
    await this.rows.return(undefined);
  }
}

/** Sorts all that waits by time; equal times keep their order, or turn it where the newest row comes first. */
function sortLane(lane: Lane, newestFirst: boolean): void {
  if (lane.waiting.length === 0) return;
  const all = concatenate(lane.waiting);
  const order = Uint32Array.from({ length: all.count }, (_, index) => index);
  order.sort((a, b) => all.timeMs[a]! - all.timeMs[b]! || (newestFirst ? b - a : a - b));
  lane.waiting.splice(0, lane.waiting.length, permute(all, order));
}

/** Rank of a kind at equal times. */
export function rankOf(kind: EventKindName): number {
  return EVENT_KINDS.indexOf(kind);
}
