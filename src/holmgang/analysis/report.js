// The curve: a click goes to a round, and the round that is shown is marked.
for (const column of document.querySelectorAll("#curve .column")) {
  column.addEventListener("click", () => go(Number(column.dataset.round)));
}
function markColumn() {
  document.querySelector("#curve .column.shown")?.classList.remove("shown");
  document.querySelector(`#curve [data-round="${at}"]`)?.classList.add("shown");
}
new MutationObserver(markColumn).observe(number, { childList: true });
markColumn();
