/** What is damaged in a Parquet file, before the file's name is added. */
export class PageFault extends Error {
  /** Column of the damaged page. */
  readonly column: string | undefined;
  /** Byte of the file at which the page's header begins. */
  readonly offset: number | undefined;

  constructor(reason: string, place: { column?: string; offset?: number; cause?: unknown } = {}) {
    super(reason, place.cause === undefined ? undefined : { cause: place.cause });
    this.column = place.column;
    this.offset = place.offset;
  }
}
