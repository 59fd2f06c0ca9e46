// The table of runs, sortable by column and filtered by words and by column values. The rows are
// embedded in the page as JSON; the table shows PAGE rows at a time, so that thousands stay fast.
(() => {
  const PAGE = 100;
  const { columns, rows } = JSON.parse(document.getElementById("runs-data").textContent);
  const part = (name) => document.getElementById(`runs-${name}`);
  const texts = rows.map((row) => row.join(" ").toLowerCase());
  const choosers = [...document.querySelectorAll("#runs-filters select")];
  let sorted = { column: null, down: false };
  let shown = PAGE;

  // Compare numerically where possible; missing values come last in either direction.
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order =
      typeof a === "number" && typeof b === "number"
        ? a - b
        : String(a).localeCompare(String(b), "en", { numeric: true });
    return sorted.down ? -order : order;
  };

  const chosen = () => {
    const words = part("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = choosers
      .filter((each) => each.value)
      .map((each) => [columns.indexOf(each.name), each.value]);
    const found = [];
    rows.forEach((row, index) => {
      if (
        words.every((word) => texts[index].includes(word)) &&
        wanted.every(([column, value]) => String(row[column]) === value)
      )
        found.push(row);
    });
    if (sorted.column !== null) {
      found.sort((a, b) => compare(a[sorted.column], b[sorted.column]));
    }
    return found;
  };

  const cell = (value, column) => {
    const made = document.createElement("td");
    made.dataset.label = columns[column];
    made.textContent = value === null ? "\u2013" : value;
    if (typeof value === "number") made.className = "number";
    return made;
  };

  const draw = () => {
    const found = chosen();
    const lines = found.slice(0, shown).map((row) => {
      const line = document.createElement("tr");
      line.append(...row.map(cell));
      return line;
    });
    part("body").replaceChildren(...lines);
    part("count").textContent =
      found.length === rows.length
        ? `${rows.length} runs`
        : `${found.length} of ${rows.length} runs`;
    const left = found.length - lines.length;
    part("more").hidden = left <= 0;
    part("more").textContent = `Show ${Math.min(left, PAGE)} more of ${left}`;
  };

  const redraw = () => {
    shown = PAGE;
    draw();
  };

  document.querySelectorAll("#runs-head button").forEach((button, column) => {
    button.addEventListener("click", () => {
      sorted = { column, down: sorted.column === column && !sorted.down };
      document.querySelectorAll("#runs-head th").forEach((head, other) => {
        const way = sorted.down ? "descending" : "ascending";
        head.setAttribute("aria-sort", other === column ? way : "none");
      });
      redraw();
    });
  });
  choosers.forEach((each) => {
    const values = [...new Set(rows.map((row) => row[columns.indexOf(each.name)]))];
    values
      .filter((value) => value !== null)
      .map(String)
      .sort()
      .forEach((value) => {
        each.append(new Option(value, value));
      });
    each.addEventListener("change", redraw);
  });
  part("words").addEventListener("input", redraw);
  part("more").addEventListener("click", () => {
    shown += PAGE;
    draw();
  });
  part("table").hidden = false;
  draw();

  // A report that a server shows leads back to its pages.
  const served = /^(.*\/)results\//.exec(location.pathname);
  const home = document.getElementById("home");
  home.hidden = !location.protocol.startsWith("http") || served === null;
  if (served) home.firstElementChild.href = served[1];
})();
