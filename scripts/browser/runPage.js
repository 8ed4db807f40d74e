/** Runs a page with the parameters of its address, and posts its observations. A page that reloads posts nothing. */
export async function runPage(run) {
  const seen = [];
  let isLeaving = false;
  try {
    isLeaving =
      (await run(Object.fromEntries(new URLSearchParams(location.search)), (what) => seen.push(what))) === "again";
  } catch (error) {
    seen.push(String(error), String(error.cause));
  }
  if (isLeaving) location.reload();
  else await fetch("/result", { method: "POST", body: seen.join(" | ") });
}
