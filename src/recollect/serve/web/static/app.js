// Shortcuts, command palette, theme, clock bar and live updates. Every page also works without this file.
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
const workspace = document.body.dataset.workspace;
const base = workspace && `/w/${encodeURIComponent(workspace)}/`;

// Theme: system, then the opposite of what is seen, remembered in a cookie so that the server renders it.
$("[data-theme-switch]")?.addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  document.cookie = `recollect_theme=${root.dataset.theme};path=/;max-age=31536000;samesite=strict`;
});

if (/Mac|iP/.test(navigator.platform)) for (const key of $$("[data-palette] kbd")) key.textContent = "⌘K";

// Clock bar: a day picked in the calendar is shown at once; one that is typed fills its field and waits for Enter or
// the button, since a year of four digits is a valid year after each of them.
const isTypedDay = new WeakSet();
document.addEventListener("keydown", (event) => {
  const picker = event.target;
  if (!picker.dataset?.fills) return;
  if (/^([0-9]|ArrowUp|ArrowDown|Backspace|Delete)$/.test(event.key)) isTypedDay.add(picker);
  if (event.key === "Enter" && picker.value) { event.preventDefault(); showDay(picker); }
});
document.addEventListener("focusin", (event) => isTypedDay.delete(event.target));
document.addEventListener("change", (event) => {
  const picker = event.target;
  if (!picker.dataset?.fills || !picker.value) return;
  if (isTypedDay.has(picker)) picker.form.elements[picker.dataset.fills].value = picker.value; else showDay(picker);
});
function showDay(picker) {
  picker.form.elements[picker.dataset.fills].value = picker.value;
  picker.form.requestSubmit();
}
function startSlide(slide) {
  const range = $("input", slide), shown = $("output", slide), field = slide.closest("form").elements[slide.dataset.moments];
  const moments = $$("option", slide).map((each) => ({ value: each.dataset.value, label: each.label }));
  // A moment between two stops belongs to the earlier one; a time that is no stop is written beside the slider.
  const asked = field.value.replace("tx:", ""), same = moments.findIndex((each) => each.value === asked);
  const isBefore = (each) => each.value && (field.name === "at" ? each.value <= asked : Number(each.value) <= Number(asked));
  range.value = same >= 0 ? same : Math.max(0, moments.findLastIndex(isBefore));
  const show = () => { shown.value = moments[range.value].label; };
  range.addEventListener("input", show);
  range.addEventListener("change", () => {
    field.value = moments[range.value].value;
    range.form.requestSubmit();
  });
  if (same >= 0) show(); else shown.value = field.value;
  slide.hidden = false;
}
$$("[data-moments]").forEach(startSlide);
document.addEventListener("htmx:afterSwap", () => $$("[data-moments][hidden]").forEach(startSlide));
// Empty fields stay out of the address.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "get") return;
  for (const field of event.target.elements) if (field.name && !field.value) field.disabled = true;
  setTimeout(() => { for (const field of event.target.elements) field.disabled = false; });
});

// Fields that take an entity suggest names while somebody types.
let typed = 0;
document.addEventListener("input", (event) => {
  const field = event.target, query = field.value?.trim(), turn = ++typed;
  if (!base || !field.dataset || !("entities" in field.dataset) || query.length < 2) return;
  setTimeout(() => { if (turn === typed) suggestNames(field, query, turn); }, 120);
});
async function suggestNames(field, query, turn) {
  const reply = await fetch(`${base}palette.json?q=${encodeURIComponent(query)}`);
  if (!reply.ok || turn !== typed) return;
  const { entities } = await reply.json(), list = $("#names") ?? document.body.appendChild(document.createElement("datalist"));
  list.id = "names";
  list.replaceChildren(...entities.map((each) => Object.assign(document.createElement("option"), { value: each.name, label: each.type })));
  field.setAttribute("list", "names");
}

// Copy buttons: data-copy names the element whose text is copied.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText($(button.dataset.copy).textContent.trim());
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1500);
});

// Import: files may be dropped anywhere on the page.
document.addEventListener("dragover", (event) => { if ($("#files")) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  const field = $("#files");
  if (!field || !event.dataTransfer.files.length) return;
  event.preventDefault();
  field.files = event.dataTransfer.files;
});

// Live updates: pages marked data-live update by themselves, the others say that something changed.
export function reload() {
  const address = location.pathname + location.search;
  return window.htmx && !$("#graph") ? htmx.ajax("GET", address, { target: "#main", select: "#main", swap: "outerHTML" }) : location.reload();
}
let known = Number(document.body.dataset.tx), heard = known, facts = 0, source = null;
function hear(event) {
  const { tx, facts: more } = JSON.parse(event.data);
  if (tx <= heard) return;
  heard = tx; facts += more;
  document.dispatchEvent(new CustomEvent("recollect:transaction", { detail: { tx, since: known } }));
  const isFilledIn = $$("main :is(input, textarea, select)").some((field) => field === document.activeElement || field.type === "text" && field.value !== field.defaultValue);
  const update = () => { known = heard; facts = 0; return reload(); };
  if ($("main").dataset.live === "itself" && !isFilledIn) return update();
  if ($("main").dataset.page === "import") return; // It follows its own import.
  const [count, word] = facts > 0 ? [facts, "fact"] : [tx - known, "change"], news = $("#news");
  const button = document.createElement("button");
  button.textContent = "Show";
  button.addEventListener("click", update);
  news.replaceChildren(`${count} new ${word}${count === 1 ? "" : "s"} `, button);
  news.hidden = false;
}
function listen() {
  if (document.hidden) { source?.close(); source = null; return; }
  if (source || !base || !document.body.dataset.tx) return;
  source = new EventSource(`${base}events?since=${heard}`);
  source.addEventListener("transaction", hear);
}
// A hidden tab gives its connection back: browsers allow only six for each server.
document.addEventListener("visibilitychange", listen);
addEventListener("pagehide", () => { source?.close(); source = null; });
listen();

// Command palette: pages by name at once, entities from the server.
const dialog = $("#palette"), input = $("#palette-input"), list = $("#palette-list");
const pages = $$(".sections a").map((link) => ({ label: link.textContent, kind: "page", go: () => location.assign(link.href) }));
pages.push({ label: "Switch between light and dark", kind: "action", go: () => { $("[data-theme-switch]").click(); dialog.close(); } });
const actions = { "Import files": "import", "Compare two moments": "activity/compare", "Create a token": "settings#tokens", "Download a backup": "settings#storage", "Create a workspace": "settings#workspaces", "Take a snapshot of the identity": "identity", "Run the checks": "world#checks", "Show conflicts": "review?kind=conflict", "Show possible duplicates": "review?kind=duplicate" };
const isOffered = (place) => !place.startsWith("settings#") || "admin" in document.body.dataset;
for (const [label, place] of Object.entries(actions)) if (isOffered(place)) pages.push({ label, kind: "action", go: () => location.assign(base + place) });
let choices = [], chosen = 0, asked = 0;
export function fuzzy(query, text) {
  let at = -1, cost = 0;
  for (const letter of query.toLowerCase()) {
    const next = text.toLowerCase().indexOf(letter, at + 1);
    if (next < 0) return Infinity;
    cost += next - at - 1; at = next;
  }
  return cost;
}
function draw() {
  list.replaceChildren(...choices.map((choice, number) => {
    const item = document.createElement("li"), kind = document.createElement("small");
    item.role = "option"; item.id = `choice-${number}`; item.ariaSelected = String(number === chosen);
    kind.textContent = choice.kind;
    item.append(choice.label, kind);
    item.addEventListener("click", choice.go);
    return item;
  }));
  input.setAttribute("aria-activedescendant", choices.length ? `choice-${chosen}` : "");
  list.children[chosen]?.scrollIntoView({ block: "nearest" });
}
// Pages are there at once, so that Enter never takes what an earlier letter chose; names follow from the server.
function refine() {
  const query = input.value.trim(), turn = ++asked;
  const ranked = pages.map((page) => [fuzzy(query, page.label), page]).filter(([cost]) => cost < Infinity);
  const found = ranked.sort((a, b) => a[0] - b[0]).map(([, page]) => page);
  const search = { label: `Search for “${query}”`, kind: "search", go: () => location.assign(`${base}search?q=${encodeURIComponent(query)}`) };
  choices = query ? [...found.slice(0, 6), search] : found; chosen = 0; draw();
  if (query) setTimeout(() => { if (turn === asked) addNames(query, turn, [...found.slice(0, 6), search]); }, 80);
}
async function addNames(query, turn, others) {
  const reply = await fetch(`${base}palette.json?q=${encodeURIComponent(query)}`);
  if (!reply.ok || turn !== asked) return;
  const { entities } = await reply.json();
  const named = entities.map((each) => ({ label: each.name, kind: each.type, go: () => location.assign(`${base}entity/${each.id}`) }));
  choices = [...named.slice(0, 8), ...others]; draw();
}
function openPalette() { input.value = ""; dialog.showModal(); refine(); }
if (dialog) {
  input.addEventListener("input", refine);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && choices.length) { event.preventDefault(); chosen = (chosen + step + choices.length) % choices.length; draw(); }
    if (event.key === "Enter") { event.preventDefault(); choices[chosen]?.go(); }
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  $("[data-palette]").addEventListener("click", openPalette);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    const isShortcut = (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
    if (!isShortcut || dialog.open) return;
    event.preventDefault(); openPalette();
  });
}
