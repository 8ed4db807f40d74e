/** Runs a page with what its address says, and posts what it saw; nothing where it is loaded anew. */
export async function tell(run) {
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
