import type { AsOf, Page } from "../../../client/api/schemas/common.ts";
import { closePage, type ListKey, type OpenPage, openPage } from "../cursor.ts";
import type { Call } from "../handler.ts";
import type { Services } from "../services.ts";

interface ListCall extends Pick<Call, "path"> {
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

/** Begins a page of a list that the history holds. */
export function openList(
  { config }: Services,
  { path, query }: ListCall,
  { asOf, epoch, oldest }: { readonly asOf: AsOf; readonly epoch: number; readonly oldest: number },
  rises = false,
): OpenPage {
  return openPage({ path, query, secret: config.cursorSecret, epoch, height: asOf.height, oldest, rises });
}

/** The answer of a list: a page of it, the height that it belongs to, and where the next page is. */
export function answerList<T, View>(
  page: OpenPage,
  asOf: AsOf,
  items: Iterable<T>,
  keyOf: (item: T) => ListKey,
  view: (item: T) => View,
): { status: 200; body: { data: View[]; page: Page; asOf: AsOf }; headers: Record<string, string> } {
  const { data, page: body, headers } = closePage(page, items, keyOf, view);
  return { status: 200, body: { data, page: body, asOf }, headers };
}

/** `answerList` of an account's list: for its reader alone, where the network says so. */
export function answerGuarded<T, View>(
  guarded: boolean,
  ...list: Parameters<typeof answerList<T, View>>
): ReturnType<typeof answerList<T, View>> & { guarded: boolean } {
  return { ...answerList(...list), guarded };
}
