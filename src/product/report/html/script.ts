/**
 * The page's script: moves a crosshair through all charts and shows every curve's value at that time in its legend.
 * The page is whole without it. Plain JavaScript for browsers; it reads the data element and touches nothing else.
 */
export const script = `
(function () {
  "use strict";
  var charts = JSON.parse(document.getElementById("data").textContent);
  var from = charts.from, to = charts.to;
  var figures = Array.prototype.slice.call(document.querySelectorAll("figure[data-chart]"));
  var views = figures.map(function (figure) {
    var lines = charts.charts[Number(figure.dataset.chart)].map(function (line, i) {
      var time = line.from;
      return {
        times: line.times.map(function (step) { return (time += step * line.unit); }),
        values: line.values, digits: line.digits, suffix: line.suffix,
        output: figure.querySelector('output[data-line="' + i + '"]')
      };
    });
    lines.forEach(function (line) { line.rest = line.output.textContent; });
    return { plot: figure.querySelector(".plot"), cross: figure.querySelector(".cross"), lines: lines };
  });
  function rowAt(times, time) {
    var low = 0, high = times.length;
    while (low < high) { var mid = (low + high) >> 1; if (times[mid] <= time) low = mid + 1; else high = mid; }
    return low - 1;
  }
  function format(value, line) {
    if (value === null || value === undefined) return "n/a";
    var text = value.toFixed(line.digits);
    if (!/[1-9]/.test(text)) text = text.replace("-", "");
    var parts = text.split(".");
    parts[0] = parts[0].replace(/\\B(?=(\\d{3})+$)/g, ",");
    return parts.join(".").replace("-", "\\u2212") + line.suffix;
  }
  function show(time, active) {
    var left = ((time - from) / (to - from || 1)) * 100;
    var label = new Date(time).toISOString().slice(0, 16).replace("T", " ");
    views.forEach(function (view) {
      view.cross.hidden = false;
      view.cross.style.left = left + "%";
      view.cross.classList.toggle("right", left > 50);
      view.cross.firstChild.textContent = view === active ? label : "";
      view.lines.forEach(function (line) {
        var row = rowAt(line.times, time);
        line.output.textContent = row < 0 ? "n/a" : format(line.values[row], line);
      });
    });
  }
  function rest() {
    views.forEach(function (view) {
      view.cross.hidden = true;
      view.lines.forEach(function (line) { line.output.textContent = line.rest; });
    });
  }
  views.forEach(function (view) {
    view.plot.addEventListener("pointermove", function (event) {
      var box = view.plot.getBoundingClientRect();
      var share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      show(from + share * (to - from), view);
    });
    view.plot.addEventListener("pointerleave", rest);
  });
  var copy = document.getElementById("copy");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", function () {
      navigator.clipboard.writeText(document.getElementById("command").textContent).then(function () {
        copy.textContent = "Copied";
        setTimeout(function () { copy.textContent = "Copy"; }, 1500);
      });
    });
  }
})();
`;
