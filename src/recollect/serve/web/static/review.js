// Keys of the review queue: j and k move, a number decides, u takes the last decision back, then the one before it. The buttons do the same.
const KEPT = "recollect-review-place";
const questions = () => [...document.querySelectorAll("[data-review]")];
let current = Number(sessionStorage.getItem(KEPT) ?? 0);

function mark(isMoved) {
  const all = questions();
  if (!all.length) return;
  current = Math.max(0, Math.min(current, all.length - 1));
  sessionStorage.setItem(KEPT, current);
  all.forEach((each, number) => each.classList.toggle("current", number === current));
  all.forEach((each, number) => (number === current ? each.setAttribute("aria-current", "true") : each.removeAttribute("aria-current")));
  if (isMoved) { all[current].focus({ preventScroll: true }); all[current].scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" }); }
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
  const step = { j: 1, k: -1 }[event.key];
  if (step) { event.preventDefault(); current += step; mark(true); return; }
  if (event.key === "u") { document.querySelector("#last-decision [data-undo]")?.click(); return; }
  if (/^[1-9]$/.test(event.key)) questions()[current]?.querySelectorAll("[data-decide]")[event.key - 1]?.click();
});
document.addEventListener("focusin", (event) => {
  const place = questions().indexOf(event.target.closest("[data-review]"));
  if (place >= 0 && place !== current) { current = place; mark(false); }
});
// The list is swapped when something changed elsewhere.
document.addEventListener("htmx:afterSwap", () => mark(false));
mark(current > 0);
