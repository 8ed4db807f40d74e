import type { ApiRequest, ApiResponse } from "../../../src/client/api/endpoint.ts";

/** Holds every answer to what tags promise: one of each height, and none of another; and no body for who has it. */
export class TagWatch {
  readonly #heights = new Map<string, number>();
  #newest: { readonly tag: string; readonly height: number } | undefined;

  /** The tag of a height, if it was seen. */
  at(height: number): string | undefined {
    return this.#newest?.height === height ? this.#newest.tag : undefined;
  }

  /** @param between height of the venue when it was asked and when it had answered */
  findFaults(
    { headers: asked }: ApiRequest,
    { status, headers, body }: ApiResponse,
    [from, to]: readonly [number, number],
  ): string[] {
    const tag = headers["etag"];
    if (status === 304) {
      if (tag === undefined) return ["it is a 304 without a tag"];
      const known = this.#heights.get(tag);
      const isOld = known !== undefined && (known < from || known > to);
      return isOld ? [`nothing changed, it says, since ${known}`] : [];
    }
    if (status !== 200 || tag === undefined) return [];
    const faults: string[] = [];
    if (asked?.["if-none-match"] === tag) faults.push("who has it already is sent it again");
    const height = body.startsWith("{") ? (JSON.parse(body).asOf?.height as number | undefined) : undefined;
    if (height === undefined) return faults;
    const known = this.#heights.get(tag) ?? height;
    if (known !== height) faults.push(`its tag is that of height ${known}, and it is of ${height}`);
    const other = this.at(height) ?? tag;
    if (other !== tag) faults.push(`its tag is ${tag}, that of the height ${other}`);
    this.#heights.set(tag, known);
    this.#newest = { tag, height };
    return faults;
  }
}
