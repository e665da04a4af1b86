// The graph canvas: force layout, time slider, filters, pins, paths and export. The table on the page says the same.
import { drawGraph, drawSvg } from "./graph-drawing.js";
import { createLayout } from "./graph-layout.js";

const stage = document.querySelector("#graph");
if (stage) start(stage);

function start(stage) {
  const canvas = stage.querySelector("canvas"), tools = document.querySelector(".graph-tools");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const state = {
    nodes: [], edges: [], predicates: [], focus: new Set(), path: new Set(), axis: null, at: null,
    off: { type: new Set(), predicate: new Set() }, view: { x: 0, y: 0, scale: 1 }, hovered: null, chosen: null, found: null, colours: new Map(),
  };
  const layout = createLayout(state);
  let frame = 0, playing = null, drawn = 0;

  // In the page an edge is one list: ends, predicate, number of facts, then the bounds of its periods.
  function unpack([source, target, predicate, facts, ...bounds]) {
    return { source, target, predicate, facts, periods: Array.from({ length: bounds.length / 2 }, (_, number) => bounds.slice(2 * number, 2 * number + 2)) };
  }
  function load(data) {
    const old = new Map(state.nodes.map((node) => [node.id, node]));
    state.nodes = data.nodes.map((node, index) => ({ ...place(old, data, index), ...node, index, isVisible: true }));
    state.edges = data.edges.map((edge) => ({ ...edge, source: state.nodes[edge.source], target: state.nodes[edge.target], opacity: 1 }));
    state.predicates = data.predicates;
    state.focus = new Set(data.focus); state.path = new Set(data.path); state.axis = data.axis;
    state.at ??= data.at;
    colourTypes(); fillLegends(); setSlider(); settle(); show(old.size ? 0.5 : 1);
    if (!old.size) { fit(); state.isOurs = true; } // until somebody moves it, the view is ours to set
  }
  // A new node starts beside the one it hangs on, so that the picture does not jump.
  function place(old, data, index) {
    const known = old.get(data.nodes[index].id);
    if (known) return { x: known.x, y: known.y, isPinned: known.isPinned };
    const edge = data.edges.find((each) => each.source === index || each.target === index);
    const near = edge && old.get(data.nodes[edge.source === index ? edge.target : edge.source].id);
    const angle = index * 2.399963, radius = near ? 30 : 18 * Math.sqrt(index);
    return { x: (near?.x ?? 0) + radius * Math.cos(angle), y: (near?.y ?? 0) + radius * Math.sin(angle), isPinned: false };
  }
  function colourTypes() {
    const counts = new Map();
    for (const node of state.nodes) counts.set(node.type, (counts.get(node.type) ?? 0) + 1);
    const types = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a.localeCompare(b));
    state.colours = new Map(types.map((type, number) => [type, number % 8]));
    state.counts = counts;
  }

  // What holds at the moment of the slider, less what the legend switches off.
  function holds(edge) {
    const [first, last] = state.at;
    return edge.periods.some(([from, until]) => (from === null || from <= last) && (until === null || until >= first));
  }
  function settle() {
    for (const node of state.nodes) node.isVisible = false;
    for (const edge of state.edges) {
      edge.isVisible = holds(edge) && !state.off.predicate.has(state.predicates[edge.predicate]) && !state.off.type.has(edge.source.type) && !state.off.type.has(edge.target.type);
      if (edge.isVisible) edge.source.isVisible = edge.target.isVisible = true;
    }
    let nodes = 0, edges = 0;
    for (const node of state.nodes) {
      if (state.focus.has(node.id) && !state.off.type.has(node.type)) node.isVisible = true;
      nodes += node.isVisible;
    }
    for (const edge of state.edges) edges += edge.isVisible;
    stage.dataset.nodes = nodes; stage.dataset.edges = edges;
    stage.querySelector(".graph-status").textContent = `${nodes} ${nodes === 1 ? "entity" : "entities"}, ${edges} ${edges === 1 ? "connection" : "connections"}`;
  }

  // Frames: only while something moves.
  function show(heat = 0) {
    layout.warm(heat);
    if (still && heat) { for (let turn = 0; turn < 150; turn++) layout.step(); }
    if (!frame) frame = requestAnimationFrame(tick);
  }
  function tick(now) {
    frame = 0;
    const isMoving = layout.step() | play(now) | fade();
    if (!isMoving && state.isOurs) { state.isOurs = false; frameAll(); }
    drawGraph(canvas, state, stage);
    stage.dataset.frames = ++drawn; stage.dataset.moving = isMoving ? "yes" : "no";
    if (isMoving) frame = requestAnimationFrame(tick);
  }
  function fade() {
    let isMoving = 0;
    for (const edge of state.edges) {
      const wanted = edge.isVisible ? 1 : 0;
      if (edge.opacity === wanted) continue;
      edge.opacity += still ? wanted - edge.opacity : Math.sign(wanted - edge.opacity) * Math.min(0.12, Math.abs(wanted - edge.opacity));
      isMoving = 1;
    }
    return isMoving;
  }

  // Time: the slider, and playing it.
  const player = tools.querySelector(".graph-play"), slider = player.querySelector("input"), moment = player.querySelector("output"), button = player.querySelector("[data-play]");
  const PLAY_MS = 20000;
  function setSlider() {
    player.hidden = !state.axis;
    if (state.axis) { slider.value = Math.round(1000 * (state.at[0] - state.axis.lo) / (state.axis.hi - state.axis.lo)); label(); }
  }
  function label() {
    const marks = state.axis.marks;
    let low = 0, high = marks.length;
    while (low < high) { const middle = (low + high) >> 1; if (marks[middle].at <= state.at[0]) low = middle + 1; else high = middle; }
    state.mark = low ? marks[low - 1] : null;
    moment.value = state.mark?.label ?? `before ${marks[0]?.label ?? ""}`;
    slider.setAttribute("aria-valuetext", moment.value);
  }
  function moveTo(share) {
    const at = state.axis.lo + share * (state.axis.hi - state.axis.lo);
    state.at = [at, at];
    label(); settle();
  }
  slider.addEventListener("input", () => { stop(); moveTo(slider.value / 1000); show(0.05); });
  slider.addEventListener("change", () => remember((query) => query.set("at", state.mark?.value ?? "")));
  function play(now) {
    if (!playing) return 0;
    const share = Math.min(1, playing.from + (now - (playing.since ??= now)) / PLAY_MS);
    slider.value = Math.round(share * 1000); moveTo(share); layout.warm(0.03);
    if (share === 1) stop();
    return 1;
  }
  function stop() { playing = null; button.textContent = "▶ Play"; button.setAttribute("aria-pressed", "false"); }
  button.addEventListener("click", () => {
    if (playing) return stop();
    const at = slider.value / 1000;
    playing = { from: at >= 0.97 ? 0 : at, since: null };
    button.textContent = "❚❚ Pause"; button.setAttribute("aria-pressed", "true"); show();
  });

  // Legends: every type and predicate can be switched off.
  function fillLegends() {
    const edgeCounts = new Map();
    for (const edge of state.edges) { const name = state.predicates[edge.predicate]; edgeCounts.set(name, (edgeCounts.get(name) ?? 0) + 1); }
    legend("type", [...state.colours.keys()].map((type) => [type, state.counts.get(type), state.colours.get(type)]));
    legend("predicate", [...edgeCounts].sort((a, b) => b[1] - a[1]).map(([name, count]) => [name, count, null]));
  }
  function legend(kind, entries) {
    const box = tools.querySelector(`[data-legend="${kind}"]`);
    box.replaceChildren(box.querySelector("legend"), ...entries.slice(0, 24).map(([name, count, colour]) => {
      const line = document.createElement("label"), input = document.createElement("input"), swatch = document.createElement("i"), number = document.createElement("small");
      input.type = "checkbox"; input.checked = !state.off[kind].has(name);
      input.addEventListener("change", () => {
        state.off[kind][input.checked ? "delete" : "add"](name); settle(); show(0.2);
        remember((query) => { query.delete("off"); for (const each of ["type", "predicate"]) for (const value of state.off[each]) query.append("off", `${each}:${value}`); });
      });
      if (colour !== null) swatch.className = `type-${colour}`; else swatch.hidden = true;
      number.textContent = count;
      line.append(input, swatch, name.replaceAll("_", " "), number);
      return line;
    }));
  }

  // The address is the state.
  function remember(change, isStep = false) {
    const query = new URLSearchParams(location.search);
    change(query);
    const address = `${location.pathname}?${query}`;
    history[isStep ? "pushState" : "replaceState"](null, "", address);
    linkJson();
  }
  const linkJson = () => { tools.querySelector("[data-export-json]").href = `${location.pathname}.json${location.search}`; };
  async function fetchGraph() {
    const reply = await fetch(`${location.pathname}.json${location.search}`);
    if (!reply.ok) return false;
    const { drawing } = await reply.json();
    load(drawing);
    return true;
  }
  function readOff() {
    for (const each of new URLSearchParams(location.search).getAll("off")) {
      const [kind, ...name] = each.split(":");
      state.off[kind]?.add(name.join(":"));
    }
  }
  addEventListener("popstate", () => { choose(null); state.at = null; fetchGraph(); });

  async function expand(node) {
    if (state.focus.has(node.id)) return;
    remember((query) => { query.delete("focus"); for (const id of [...state.focus, node.id].slice(-12)) query.append("focus", id); }, true);
    stage.setAttribute("aria-busy", "true");
    await fetchGraph();
    stage.removeAttribute("aria-busy");
    choose(state.nodes.find((each) => each.id === node.id) ?? null);
  }
  async function hide(node) {
    remember((query) => {
      query.append("hide", node.id);
      const left = [...state.focus].filter((id) => id !== node.id);
      query.delete("focus"); for (const id of left) query.append("focus", id);
    }, true);
    choose(null);
    await fetchGraph();
  }

  // The card of the node that was chosen.
  const card = stage.querySelector(".graph-card");
  function choose(node) {
    state.chosen = node; card.hidden = !node;
    if (!node) return show();
    const title = document.createElement("a"), facts = document.createElement("p"), actions = document.createElement("p");
    title.href = stage.dataset.entityHref.replace("__ID__", node.id); title.dataset.entity = node.id; title.textContent = node.name;
    facts.className = "soft"; facts.textContent = `${node.type}, ${node.degree}${node.degree >= 1000 ? "+" : ""} ${node.degree === 1 ? "connection" : "connections"}`;
    actions.append(action(node.isPinned ? "Unpin" : "Pin", () => { node.isPinned = !node.isPinned; choose(node); }), action("Hide", () => hide(node)), action("Close", () => choose(null)));
    if (!state.focus.has(node.id)) actions.prepend(action("Expand", () => expand(node)));
    if (!state.focus.has(node.id)) actions.append(action("Path", () => { const query = new URLSearchParams(location.search); query.set("to", node.id); location.search = query; }));
    card.replaceChildren(title, facts, actions);
    show();
  }
  function action(text, run) {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = text; button.addEventListener("click", run);
    return button;
  }

  // Mouse, touch and keys.
  const toWorld = (event) => {
    const box = canvas.getBoundingClientRect(), { x, y, scale } = state.view;
    return { x: (event.clientX - box.left - box.width / 2) / scale - x, y: (event.clientY - box.top - box.height / 2) / scale - y };
  };
  function nodeAt(event) {
    const at = toWorld(event);
    let best = null, least = 14 / state.view.scale;
    for (const node of state.nodes) {
      const distance = Math.hypot(node.x - at.x, node.y - at.y) - node.radius;
      if (node.isVisible && distance < least) { least = distance; best = node; }
    }
    return best;
  }
  let grip = null;
  const touches = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    state.isOurs = false; canvas.setPointerCapture(event.pointerId); touches.set(event.pointerId, event);
    grip = { node: nodeAt(event), from: toWorld(event), moved: 0, x: event.clientX, y: event.clientY };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!grip) { const over = nodeAt(event); if (over !== state.hovered) { state.hovered = over; canvas.classList.toggle("over", !!over); show(); } return; }
    if (touches.size === 2) return pinch(event);
    grip.moved += Math.abs(event.clientX - grip.x) + Math.abs(event.clientY - grip.y);
    if (grip.node && grip.moved > 4) { const at = toWorld(event); grip.node.x = at.x; grip.node.y = at.y; grip.node.isPinned = true; show(0.15); }
    else if (!grip.node) { state.view.x += (event.clientX - grip.x) / state.view.scale; state.view.y += (event.clientY - grip.y) / state.view.scale; show(); }
    grip.x = event.clientX; grip.y = event.clientY;
  });
  function pinch(event) {
    const other = [...touches.values()].find((each) => each.pointerId !== event.pointerId), before = touches.get(event.pointerId);
    const spread = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    zoom(spread(event, other) / Math.max(1, spread(before, other)));
    touches.set(event.pointerId, event);
  }
  function release(event) {
    touches.delete(event.pointerId);
    const { node, moved } = grip ?? {};
    grip = null;
    if (event.type !== "pointerup" || moved > 4) return;
    choose(node ?? null);
    if (node && node.degree > countDrawn(node)) expand(node);
  }
  const countDrawn = (node) => state.edges.reduce((sum, edge) => sum + (edge.source === node || edge.target === node ? edge.facts : 0), 0);
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY * 0.0015)); }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 40 / state.view.scale, moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
    if (moves) { state.isOurs = false; state.view.x += moves[0]; state.view.y += moves[1]; } else if (event.key === "+" || event.key === "=") zoom(1.3); else if (event.key === "-") zoom(0.77);
    else if (event.key === "n" || event.key === "p") step_node(event.key === "n" ? 1 : -1); else if (event.key === "Enter" && state.chosen) expand(state.chosen); else return;
    event.preventDefault(); show();
  });
  // `n` and `p` go from node to node, so that the drawing can be read without a mouse.
  function step_node(step) {
    const seen = state.nodes.filter((node) => node.isVisible);
    if (seen.length) choose(seen[(seen.indexOf(state.chosen) + step + seen.length) % seen.length]);
  }
  function zoom(factor) { state.isOurs = false; state.view.scale = Math.min(6, Math.max(0.08, state.view.scale * factor)); show(); }
  function fit() {
    for (let turn = 0; turn < 60; turn++) layout.step();
    frameAll(); show();
  }
  function frameAll() {
    const seen = state.nodes.filter((node) => node.isVisible);
    if (!seen.length) return;
    const xs = seen.map((node) => node.x), ys = seen.map((node) => node.y);
    const left = Math.min(...xs), right = Math.max(...xs), top = Math.min(...ys), bottom = Math.max(...ys), box = canvas.getBoundingClientRect();
    state.view = { x: -(left + right) / 2, y: -(top + bottom) / 2, scale: Math.min(1.6, box.width / (right - left + 160), box.height / (bottom - top + 100)) };
  }
  for (const each of tools.querySelectorAll("[data-zoom]")) each.addEventListener("click", () => zoom(Number(each.dataset.zoom)));
  tools.querySelector("[data-fit]").addEventListener("click", fit);
  tools.querySelector("[data-unpin]").addEventListener("click", () => { for (const node of state.nodes) node.isPinned = false; show(0.4); });
  const find = tools.querySelector("[data-find]");
  find.addEventListener("input", () => { state.found = find.value.trim().toLowerCase() || null; show(); });
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !state.found) return;
    const hit = state.nodes.find((node) => node.isVisible && node.name.toLowerCase().includes(state.found));
    if (hit) { state.view.x = -hit.x; state.view.y = -hit.y; choose(hit); }
  });

  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob); link.download = name; link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  tools.querySelector('[data-export="png"]').addEventListener("click", () => canvas.toBlob((blob) => save(blob, "graph.png")));
  tools.querySelector('[data-export="svg"]').addEventListener("click", () => save(new Blob([drawSvg(state, stage)], { type: "image/svg+xml" }), "graph.svg"));

  // Where a node is on the canvas, for whoever points at it from outside.
  stage.placeOf = (name) => {
    const node = state.nodes.find((each) => each.name === name), { x, y, scale } = state.view;
    return node && { x: canvas.clientWidth / 2 + (node.x + x) * scale, y: canvas.clientHeight / 2 + (node.y + y) * scale };
  };

  new ResizeObserver(() => show()).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show());
  new MutationObserver(() => show()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  tools.hidden = false;
  readOff(); linkJson();
  const data = JSON.parse(document.querySelector("#graph-data").textContent);
  load({ ...data, edges: data.edges.map(unpack) });
}
