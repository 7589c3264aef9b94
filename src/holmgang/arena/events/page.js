// Shows the games of the two bots named after the # of the address, or all listed games.
const rows = [...document.querySelectorAll(".games tbody tr")];
const said = document.querySelector("#said");
const all = document.querySelector("#all");

function show() {
  if (!rows.length) return;
  const couple = decodeURIComponent(location.hash.slice(1));
  const bots = couple.split("--");
  const known = rows.some((row) => row.dataset.couple === couple);
  let shown = 0;
  for (const row of rows) {
    row.hidden = known ? row.dataset.couple !== couple : shown >= 50;
    shown += !row.hidden;
  }
  all.hidden = !known;
  said.textContent = known ? `${bots[0]} against ${bots[1]}: the last ${shown} games` : `The last ${shown} games`;
}

all?.addEventListener("click", () => { location.hash = ""; });
addEventListener("hashchange", () => { show(); if (location.hash) said.scrollIntoView({ behavior: "smooth" }); });
show();
