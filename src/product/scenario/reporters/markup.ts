const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text in XML or HTML, in attributes, too. Control characters, which XML cannot hold, become a replacement mark. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\p{Cc}/gu, (mark) => (/\s/.test(mark) ? mark : "\ufffd"))
    .replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}
