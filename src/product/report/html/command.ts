import { html, type Markup } from "./markup.ts";

/** A command in a box with a button that copies it. */
export function renderCommand(command: string): Markup {
  return html`<div class="box"><code>${command}</code><button data-do="copy" type="button" hidden>Copy</button></div>`;
}
