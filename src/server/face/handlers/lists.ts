import type { AsOf, Page } from "../../../client/api/schemas/common.ts";
import type { Services } from "../services/services.ts";
import { closePage, type ListKey, type OpenPage, openPage } from "./cursor.ts";
import type { Call } from "./handler.ts";

interface ListCall extends Pick<Call, "path"> {
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

/** Opens a page of a list from the history. */
export function openList(
  { config }: Services,
  { path, query }: ListCall,
  { asOf, epoch, oldest }: { readonly asOf: AsOf; readonly epoch: number; readonly oldest: number },
  rises = false,
): OpenPage {
  return openPage({ path, query, secret: config.cursorSecret, epoch, height: asOf.height, oldest, rises });
}

/** The answer of a list: one of its pages, its height, and the cursor of the next page. */
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

/** `answerList` for an account's list: only for its reader, if the network requires a session. */
export function answerGuarded<T, View>(
  guarded: boolean,
  ...list: Parameters<typeof answerList<T, View>>
): ReturnType<typeof answerList<T, View>> & { guarded: boolean } {
  return { ...answerList(...list), guarded };
}
