import { describe, type Heatmap, type HeatmapView, renderMaps } from "../heatmap.ts";

const ROLES = ["across", "down", "panels"] as const;
type Role = (typeof ROLES)[number];

/** Choices of metric, axes and values of a map; a chosen cell without a report shows the command that makes it. */
export function startHeatmap(map: Heatmap | undefined, first: HeatmapView | undefined): void {
  const element = document.querySelector<HTMLElement>(".heatmap");
  if (element === null || map === undefined || first === undefined) return;
  const choices = element.querySelector<HTMLElement>(".choices")!;
  const body = element.querySelector<HTMLElement>(".map")!;
  const box = element.querySelector<HTMLElement>(".chosen-run")!;
  let view = first;

  const show = (changed: Partial<HeatmapView>) => {
    view = { ...view, ...changed };
    body.innerHTML = renderMaps(map, view).text;
    drawChoices();
  };
  const choose = (label: string, names: readonly string[], at: number, onChoose: (place: number) => void) => {
    const field = document.createElement("label");
    const select = document.createElement("select");
    for (const [place, name] of names.entries()) select.add(new Option(name, String(place), false, place === at));
    select.addEventListener("change", () => {
      onChoose(Number(select.value));
      const again = [...choices.querySelectorAll("label")].find(({ dataset }) => dataset["name"] === label);
      again?.querySelector("select")?.focus();
    });
    field.dataset["name"] = label;
    field.append(label, " ", select);
    choices.append(field);
  };
  const drawChoices = () => {
    const { axes, metrics } = map;
    const names = axes.map(({ name }) => name);
    choices.replaceChildren();
    choose(
      "Metric",
      metrics.map(({ label }) => label),
      view.metric,
      (metric) => show({ metric }),
    );
    // An axis that takes the place of another one changes places with it.
    const exchange = (role: Role, taken: number): Partial<HeatmapView> => {
      const other = ROLES.find((one) => one !== role && view[one] === taken);
      return { [role]: taken, ...(other === undefined ? {} : { [other]: view[role] }) };
    };
    if (axes.length > 1) {
      choose("Across", names, view.across, (axis) => show(exchange("across", axis)));
      choose("Down", names, view.down, (axis) => show(exchange("down", axis)));
    }
    if (axes.length > 2) {
      const free = axes.flatMap((_, at) => (at === view.across || at === view.down ? [] : [at]));
      const chosen = free.indexOf(view.panels) + 1;
      choose("A map for each", ["none", ...free.map((at) => names[at]!)], chosen, (place) =>
        show({ panels: place === 0 ? -1 : free[place - 1]! }),
      );
    }
    for (const [at, { name, values }] of axes.entries()) {
      if (at === view.across || at === view.down || at === view.panels) continue;
      choose(name, values, view.fixed[at]!, (place) => show({ fixed: view.fixed.with(at, place) }));
    }
  };
  body.addEventListener("click", (event) => {
    const target = (event.target as Element).closest<HTMLElement>("button[data-cell]");
    if (target === null) return;
    const place = Number(target.dataset["cell"]);
    const cell = map.cells[place]!;
    box.querySelector("p")!.textContent = describe(map, cell);
    box.querySelector("code")!.textContent = cell.command;
    box.hidden = false;
    box.scrollIntoView({ block: "nearest" });
  });
  choices.hidden = false;
  drawChoices();
}
