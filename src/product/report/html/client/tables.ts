import { type DataTable, formatShown, ROWS_PER_PAGE, renderRow, selectRows, toCsv } from "../dataTable.ts";

/** Sorting, filtering, paging and CSV of the tables; a chosen row shows its time in the charts. */
export function startTables(tables: readonly DataTable[], focus: (fromMs: number, toMs: number) => void): void {
  for (const element of document.querySelectorAll<HTMLElement>(".data[data-table]")) {
    const table = tables[Number(element.dataset["table"])];
    if (table !== undefined) startTable(element, table, focus);
  }
}

function startTable(element: HTMLElement, table: DataTable, focus: (fromMs: number, toMs: number) => void): void {
  const body = element.querySelector("tbody")!;
  const tools = element.querySelector<HTMLElement>(".tools")!;
  const field = element.querySelector("input")!;
  const count = element.querySelector(".count")!;
  const more = document.createElement("button");
  more.type = "button";
  more.textContent = "Show more";
  element.querySelector(".pager")!.append(more);
  const heads = [...element.querySelectorAll<HTMLElement>("th[data-key]")];
  let sort: { key: string; isDown: boolean } | null = null;
  let size = ROWS_PER_PAGE;
  let places: number[] = [];

  const draw = () => {
    places = selectRows(table, field.value, sort);
    const shown = places.slice(0, size);
    body.innerHTML = shown.map((place) => renderRow(table, table.rows[place]!, place).text).join("");
    count.textContent = formatShown(shown.length, places.length, table);
    more.hidden = shown.length === places.length;
    for (const head of heads) {
      const isSorted = head.dataset["key"] === sort?.key;
      head.setAttribute("aria-sort", isSorted ? (sort!.isDown ? "descending" : "ascending") : "none");
    }
  };
  const sortBy = (key: string) => {
    const isText = table.columns.find((column) => column.key === key)?.kind === "text";
    if (sort?.key !== key) sort = { key, isDown: !isText };
    else if (sort.isDown !== isText) sort = { key, isDown: !sort.isDown };
    else sort = null;
    size = ROWS_PER_PAGE;
    draw();
  };
  for (const head of heads) {
    head.tabIndex = 0;
    head.classList.add("sorts");
    head.addEventListener("click", () => sortBy(head.dataset["key"]!));
    head.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      sortBy(head.dataset["key"]!);
    });
  }
  field.addEventListener("input", () => {
    size = ROWS_PER_PAGE;
    draw();
  });
  more.addEventListener("click", () => {
    size += ROWS_PER_PAGE * 4;
    draw();
  });
  element.querySelector("[data-do=csv]")!.addEventListener("click", () => {
    download(`${table.name}.csv`, toCsv(table, places));
  });
  if (table.zoom !== undefined) {
    const [from, to] = table.zoom.map((key) => table.columns.findIndex((column) => column.key === key));
    const choose = (target: EventTarget | null) => {
      const row = (target as Element).closest<HTMLElement>("tr[data-row]");
      if (row === null) return;
      for (const other of element.querySelectorAll(".chosen")) other.classList.remove("chosen");
      row.classList.add("chosen");
      const cells = table.rows[Number(row.dataset["row"])]!;
      focus(Number(cells[from!]), Number(cells[to!] ?? cells[from!]));
    };
    body.addEventListener("click", (event) => choose(event.target));
    body.addEventListener("keydown", (event) => {
      if (event.key === "Enter") choose(event.target);
    });
    element.classList.add("zooms-charts");
  }
  tools.hidden = false;
  draw();
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.click();
  URL.revokeObjectURL(link.href);
}
