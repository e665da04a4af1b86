// Draws the graph on its canvas, and as SVG for export. Colours come from the style sheet.
const LABELS = 40;

let known = null;
// The colours, read again when the theme changes and not for every frame.
function palette(stage) {
  const theme = [document.documentElement.dataset.theme, matchMedia("(prefers-color-scheme: dark)").matches, document.body.className].join();
  if (known?.theme !== theme) known = { theme, ...readColours(stage) };
  return known;
}
function readColours(stage) {
  // A variable may depend on the colour scheme; the colour of an element is what it comes to.
  const probe = stage.appendChild(document.createElement("span")), style = getComputedStyle(probe);
  const value = (name) => { probe.style.color = `var(${name})`; return style.color; };
  const colours = {
    ink: value("--ink"), soft: value("--soft"), line: value("--graph-line"), paper: value("--paper"), accent: value("--accent"), font: style.fontFamily,
    types: Array.from({ length: 8 }, (_, number) => value(`--type-${number}`)),
  };
  probe.remove();
  return colours;
}
const isFound = (state, node) => state.found !== null && node.name.toLowerCase().includes(state.found);
const shorten = (name) => (name.length > 28 ? `${name.slice(0, 27)}…` : name);
// However far away, a node is seen: its least radius is in pixels, and so is the rim that is drawn over it.
const dotRadius = (node, scale) => Math.max(node.radius, 3.75 / scale);

// Where names are written: for the focus, the chosen, the path, and then for the highest ranks, the outermost first,
// below or beside the node, as long as they cover neither another name nor a node that is as important.
export function placeNames(state, scale) {
  const size = 12 / scale, seen = state.nodes.filter((node) => node.isVisible), places = [];
  const middle = seen.find((node) => state.focus.has(node.id)) ?? { x: 0, y: 0 };
  const importance = (node) => (node === state.hovered || node === state.chosen ? 2 : state.focus.has(node.id) || state.path.has(node.id) ? 1 : 0);
  const known = seen.map((node) => ({ node, importance: importance(node), rank: Math.round(node.rank * 1e5), away: Math.hypot(node.x - middle.x, node.y - middle.y), dot: dotArea(node, scale) }));
  known.sort((a, b) => b.importance - a.importance || b.rank - a.rank || b.away - a.away);
  for (const { node, importance, rank } of known) {
    const isFree = importance || isFound(state, node) || seen.length <= LABELS || scale > 1.8;
    if (places.length >= LABELS && !isFree) continue;
    const text = shorten(node.name), half = text.length * size * 0.31, beside = (node.x < middle.x ? -1 : 1) * (half + dotRadius(node, scale) + 3 / scale);
    const spots = [[node.x, node.y + dotRadius(node, scale) + 3 / scale], [node.x + beside, node.y - size * 0.55]];
    const free = spots.find(([x, top]) => {
      const area = areaOf(x, top, half, size);
      const hides = (other) => other.node !== node && (other.importance || other.rank >= rank) && overlap(area, other.dot);
      return !places.some((each) => overlap(area, each.area)) && !known.some(hides);
    });
    if (!free && !importance) continue;
    const [x, top] = free ?? spots[0];
    places.push({ node, text, x, top, area: areaOf(x, top, half, size) });
  }
  return places;
}
const areaOf = (x, top, half, size) => [x - half, top, x + half, top + size * 1.1];
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
function dotArea(node, scale) {
  const radius = dotRadius(node, scale);
  return [node.x - radius, node.y - radius, node.x + radius, node.y + radius];
}

export function drawGraph(canvas, state, stage) {
  const box = canvas.getBoundingClientRect(), ratio = Math.min(2, devicePixelRatio || 1);
  const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  const pen = canvas.getContext("2d"), colours = palette(stage), { x, y, scale } = state.view;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(scale * ratio, 0, 0, scale * ratio, width / 2 + x * scale * ratio, height / 2 + y * scale * ratio);
  drawEdges(pen, state, colours);
  drawNodes(pen, state, colours);
  drawNames(pen, state, colours);
}

function drawEdges(pen, state, colours) {
  const near = state.hovered ?? state.chosen;
  // Edges of the same look are one path: a stroke for each would cost half of the frame.
  const plain = new Path2D(), strong = new Path2D(), fading = [];
  for (const edge of state.edges) {
    if (edge.opacity === 0) continue;
    const path = edge.opacity < 1 ? new Path2D() : isStrong(state, edge, near) ? strong : plain;
    path.moveTo(edge.source.x, edge.source.y); path.lineTo(edge.target.x, edge.target.y);
    if (edge.opacity < 1) fading.push([path, edge.opacity]);
  }
  pen.lineWidth = 1 / state.view.scale; pen.strokeStyle = colours.line;
  for (const [path, opacity] of fading) { pen.globalAlpha = opacity; pen.stroke(path); }
  pen.globalAlpha = near || state.found ? 0.45 : 1; pen.stroke(plain);
  pen.globalAlpha = 1; pen.strokeStyle = colours.accent; pen.lineWidth = 1.6 / state.view.scale; pen.stroke(strong);
}
function isStrong(state, edge, near) {
  return edge.source === near || edge.target === near || (state.path.has(edge.source.id) && state.path.has(edge.target.id));
}

function drawNodes(pen, state, colours) {
  for (const node of state.nodes) {
    if (!node.isVisible) continue;
    pen.globalAlpha = state.found !== null && !isFound(state, node) ? 0.2 : 1;
    const radius = dotRadius(node, state.view.scale);
    pen.beginPath(); pen.arc(node.x, node.y, radius, 0, 6.2832);
    pen.fillStyle = colours.types[state.colours.get(node.type)]; pen.fill();
    pen.lineWidth = (node.isPinned ? 3 : 1.5) / state.view.scale; pen.strokeStyle = node.isPinned || node === state.chosen ? colours.ink : colours.paper; pen.stroke();
    if (state.focus.has(node.id)) { pen.beginPath(); pen.arc(node.x, node.y, radius + 3.5 / state.view.scale, 0, 6.2832); pen.lineWidth = 1.5 / state.view.scale; pen.strokeStyle = colours.accent; pen.stroke(); }
  }
  pen.globalAlpha = 1;
}

function drawNames(pen, state, colours) {
  pen.font = `${12 / state.view.scale}px ${colours.font}`; pen.textAlign = "center"; pen.textBaseline = "top"; pen.lineJoin = "round";
  for (const { node, text, x, top } of placeNames(state, state.view.scale)) {
    pen.globalAlpha = state.found !== null && !isFound(state, node) ? 0.25 : 1;
    pen.lineWidth = 3.5 / state.view.scale; pen.strokeStyle = colours.paper; pen.strokeText(text, x, top);
    pen.fillStyle = colours.ink; pen.fillText(text, x, top);
  }
  pen.globalAlpha = 1;
}

export function drawSvg(state, stage) {
  const colours = palette(stage), seen = state.nodes.filter((node) => node.isVisible), safe = (text) => text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
  const xs = seen.map((node) => node.x), ys = seen.map((node) => node.y), left = Math.min(...xs, 0) - 80, top = Math.min(...ys, 0) - 40;
  const width = Math.max(...xs, 0) - left + 80, height = Math.max(...ys, 0) - top + 60;
  const lines = state.edges.filter((edge) => edge.isVisible).map(({ source, target, predicate }) => `<line x1="${source.x.toFixed(1)}" y1="${source.y.toFixed(1)}" x2="${target.x.toFixed(1)}" y2="${target.y.toFixed(1)}" stroke="${colours.line}"><title>${safe(`${source.name} ${state.predicates[predicate].replaceAll("_", " ")} ${target.name}`)}</title></line>`);
  const dots = seen.map((node) => `<circle cx="${node.x.toFixed(1)}" cy="${node.y.toFixed(1)}" r="${node.radius.toFixed(1)}" fill="${colours.types[state.colours.get(node.type)]}"><title>${safe(node.name)}</title></circle>`);
  const names = placeNames(state, 1).map(({ text, x, top }) => `<text x="${x.toFixed(1)}" y="${(top + 9).toFixed(1)}" text-anchor="middle">${safe(text)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" font-family="sans-serif" font-size="12" fill="${colours.ink}"><rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colours.paper}"/>${lines.join("")}${dots.join("")}${names.join("")}</svg>`;
}
