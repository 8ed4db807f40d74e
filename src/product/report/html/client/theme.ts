const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "perplab-theme";
const SIGNS: Readonly<Record<Theme, string>> = { system: "◐", light: "☀", dark: "☾" };

/**
 * The button and the key that choose between light, dark and the system's colours. The choice is kept where it can be.
 */
export function startTheme(): void {
  const button = document.getElementById("theme");
  if (button === null) return;
  const show = (theme: Theme) => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    button.textContent = SIGNS[theme];
    button.dataset["now"] = theme;
    button.setAttribute("aria-label", `Colours: ${theme === "system" ? "as the system" : theme}`);
  };
  const next = () => {
    const now = THEMES.indexOf(button.dataset["now"] as Theme);
    const theme = THEMES[(now + 1) % THEMES.length]!;
    show(theme);
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A page from a file may have no storage.
    }
  };
  button.hidden = false;
  show(readTheme());
  button.addEventListener("click", next);
  document.addEventListener("keydown", (event) => {
    if (event.key === "t" && !isTyping(event)) next();
  });
}

function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

/** Whether a key belongs to a field or to the browser. */
export function isTyping(event: KeyboardEvent): boolean {
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    (event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]") !== null)
  );
}
