/** HTML that is already safe. Made by `html` alone; everything else that enters a template is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | null | false | readonly Part[];

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * Text that is safe between tags or in a quoted attribute. Control characters, and those that turn the direction of
 * text around, become a visible replacement: a name must not be able to disguise itself.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character]!)
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (/[\n\t]/.test(character) ? character : "\ufffd"));
}

/** Builds markup. Strings are escaped, lists joined, null and false left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  for (let i = 0; i < parts.length; i++) text += toText(parts[i]!) + strings[i + 1]!;
  return new Markup(text);
}

function toText(part: Part): string {
  if (part === null || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(toText).join("");
  return escapeHtml(String(part));
}

/**
 * JSON that is safe inside a script element. No character of it can close the element or open a comment, and those that
 * turn the direction of text around are escaped.
 */
export function toScriptJson(value: unknown): Markup {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Markup(text);
}

/** The typographic minus before numbers; dates keep their hyphens. */
export function toMinus(text: string): string {
  return text.replace(/(?<!\w)-(?=\d)/g, "\u2212");
}
