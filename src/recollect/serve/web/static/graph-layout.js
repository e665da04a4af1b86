// Force layout: repulsion between all visible nodes, springs along the edges, a pull to the middle.
// At most 300 nodes are drawn, so every pair is computed; a quadtree would cost more than it saves.
const REPULSION = 900, SPRING = 0.06, LENGTH = 70, PULL = 0.012, DECAY = 0.97;

export function createLayout(state) {
  let heat = 0;
  function warm(amount) { heat = Math.max(heat, amount); }
  function step() {
    if (heat < 0.004) return 0;
    const nodes = state.nodes, count = nodes.length;
    size(nodes);
    for (const node of nodes) { node.dx = -node.x * PULL; node.dy = -node.y * PULL; }
    for (let i = 0; i < count; i++) {
      const one = nodes[i];
      for (let j = i + 1; j < count; j++) {
        const two = nodes[j];
        let x = one.x - two.x, y = one.y - two.y, square = x * x + y * y;
        if (square > 160000) continue;
        if (square < 1) { x = (i % 7) - 3 || 1; y = (j % 5) - 2 || 1; square = x * x + y * y; }
        const push = REPULSION / square;
        one.dx += x * push; one.dy += y * push; two.dx -= x * push; two.dy -= y * push;
      }
    }
    for (const { source, target, isVisible } of state.edges) {
      if (!isVisible) continue;
      const x = target.x - source.x, y = target.y - source.y, distance = Math.hypot(x, y) || 1;
      // A hub's springs are softer, or its neighbours would collapse onto it.
      const pull = SPRING * (distance - LENGTH - source.radius - target.radius) / distance / Math.sqrt(Math.min(source.ties, target.ties) || 1);
      source.dx += x * pull; source.dy += y * pull; target.dx -= x * pull; target.dy -= y * pull;
    }
    for (const node of nodes) {
      if (node.isPinned) continue;
      const length = Math.hypot(node.dx, node.dy), most = 40 * heat + 2, share = length > most ? most / length : 1;
      node.x += node.dx * share * Math.min(1, heat * 2 + 0.1); node.y += node.dy * share * Math.min(1, heat * 2 + 0.1);
    }
    heat *= DECAY;
    return 1;
  }
  // The radius follows PageRank; ties are counted once per load.
  function size(nodes) {
    if (nodes.sizedFor === state.edges) return;
    const most = Math.max(...nodes.map((node) => node.rank), 1e-9);
    for (const node of nodes) { node.radius = 4 + 14 * Math.sqrt(node.rank / most); node.ties = 0; }
    for (const { source, target } of state.edges) { source.ties++; target.ties++; }
    nodes.sizedFor = state.edges;
  }
  return { warm, step };
}
