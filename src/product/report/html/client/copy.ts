/** Buttons that copy the code next to them. */
export function startCopy(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-do=copy]")) {
    const code = button.parentElement?.querySelector("code");
    if (!navigator.clipboard || !code) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(code.textContent ?? "").then(() => {
        button.textContent = "Copied";
      });
    });
    button.addEventListener("blur", () => {
      button.textContent = "Copy";
    });
  }
}
