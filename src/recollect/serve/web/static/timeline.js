// Keys and the wheel on the timeline follow its zoom links, so that the address stays the state.
const KEYS = { "+": "in", "=": "in", "-": "out", ArrowLeft: "earlier", ArrowRight: "later" };
const follow = (name) => document.querySelector(`.timeline [data-zoom="${name}"]`)?.click();
let wheeled = 0;

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.ctrlKey || event.metaKey || event.altKey || !event.target.closest(".timeline")) return;
  event.preventDefault();
  follow(name);
});
document.addEventListener("wheel", (event) => {
  if (!event.ctrlKey || !event.target.closest?.(".timeline svg")) return;
  event.preventDefault();
  if (event.timeStamp - wheeled < 250) return;
  wheeled = event.timeStamp;
  follow(event.deltaY < 0 ? "in" : "out");
}, { passive: false });
// After a step the focus stays where it was.
document.addEventListener("htmx:afterSwap", () => document.querySelector(".timeline")?.focus({ preventScroll: true }));
