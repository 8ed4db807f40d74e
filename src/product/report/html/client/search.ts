import { isTyping } from "./theme.ts";

/** A field that hides the cards without its words: `[data-search]` names the class of the cards. */
export function startSearch(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-search]")) {
    const cards = [...document.querySelectorAll<HTMLElement>(`.${field.dataset["search"]}`)];
    const texts = cards.map((card) => (card.textContent ?? "").toLowerCase());
    const count = field.parentElement?.querySelector("output");
    field.closest<HTMLElement>("[hidden]")?.removeAttribute("hidden");
    const apply = () => {
      const words = field.value.toLowerCase().split(/\s+/);
      let shown = 0;
      for (const [i, card] of cards.entries()) {
        card.hidden = !words.every((word) => texts[i]!.includes(word));
        if (!card.hidden) shown++;
      }
      for (const group of document.querySelectorAll<HTMLElement>("[data-group]"))
        group.hidden = [...group.querySelectorAll<HTMLElement>(`.${field.dataset["search"]}`)].every(
          (card) => card.hidden,
        );
      if (count) count.textContent = shown === cards.length ? `${shown}` : `${shown} of ${cards.length}`;
    };
    field.addEventListener("input", apply);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      field.focus();
    });
    apply();
  }
}
