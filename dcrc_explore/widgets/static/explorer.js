// The browser's half of the Explorer: draws what Python sends, finds the point under the pointer, handles keys.
// Every decision about answers, settings and the model is Python's; one message per action goes there.
//
// Python -> browser (traits): points (once per data set), scene (once per refresh), question, panels, options, notice,
//                             busy, hidden, done (number of the last request that Python has finished)
// browser -> Python (custom messages): {do, request, ...}; see Stage in canvas.py

const LETTERS = ["A", "B", "C"];
const SAID = { 1: "yes", "-1": "no", 0: "don't know" };
const TABS = [["data", "Data"], ["model", "Model"], ["ask", "Ask"], ["answers", "Answers"], ["session", "Session"]];
const PICK_RADIUS = 28; // CSS pixels around the pointer in which the nearest point is taken
const BUSY_AFTER = 200; // ms
const LOST_AFTER = 8000; // ms without an answer from the kernel before we say so
const DOUBLE_CLICK = 400; // ms in which a second click on a suggested question counts as a slip

const TRASH = `<svg viewBox="0 0 16 16" width="13" height="13" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" aria-hidden="true"><path d="M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4"/></svg>`;

// ---------------------------------------------------------------------------------------------- small helpers

function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const aligned = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
const floats = (view) => new Float32Array(aligned(view));
const integers = (view) => new Int32Array(aligned(view));
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const subscript = (i) => String(i).replace(/\d/g, (d) => "₀₁₂₃₄₅₆₇₈₉"[d]);
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const mix = (a, b, share) => a.map((value, c) => value + (b[c] - value) * share);

function setDisabled(button, disabled) {
  // A natively disabled button drops the focus to the page, where JupyterLab's own keys wait.
  button.setAttribute("aria-disabled", disabled);
}

// ---------------------------------------------------------------------------------------------- markers

const polygon = (n, turn = 0, inner = 1) =>
  Array.from({ length: inner === 1 ? n : 2 * n }, (_, t) => {
    const steps = inner === 1 ? n : 2 * n;
    const angle = -Math.PI / 2 + turn + (2 * Math.PI * t) / steps;
    const radius = inner !== 1 && t % 2 ? inner : 1;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
const PLUS = [[-1, -3], [1, -3], [1, -1], [3, -1], [3, 1], [1, 1], [1, 3], [-1, 3], [-1, 1], [-3, 1], [-3, -1], [-1, -1]];
const turned = (corners, angle) =>
  corners.map(([x, y]) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]);
const plus = PLUS.map(([x, y]) => [x / 2.9, y / 2.9]);
const SHAPES = {
  circle: null,
  triangle: polygon(3).map(([x, y]) => [1.22 * x, 1.22 * y + 0.15]),
  square: turned(polygon(4), Math.PI / 4).map(([x, y]) => [1.22 * x, 1.22 * y]),
  diamond: polygon(4).map(([x, y]) => [1.05 * x, 1.3 * y]),
  "triangle-down": polygon(3, Math.PI).map(([x, y]) => [1.22 * x, 1.22 * y - 0.15]),
  plus,
  star: polygon(5, 0, 0.5).map(([x, y]) => [1.4 * x, 1.4 * y]),
  pentagon: polygon(5).map(([x, y]) => [1.15 * x, 1.15 * y]),
  cross: turned(plus, Math.PI / 4),
  "triangle-left": polygon(3, -Math.PI / 2).map(([x, y]) => [1.22 * x + 0.15, 1.22 * y]),
  "triangle-right": polygon(3, Math.PI / 2).map(([x, y]) => [1.22 * x - 0.15, 1.22 * y]),
  hexagon: polygon(6).map(([x, y]) => [1.1 * x, 1.1 * y]),
};

function markerPath(shape, x, y, r) {
  const path = new Path2D();
  const corners = SHAPES[shape];
  if (!corners) path.arc(x, y, r, 0, 2 * Math.PI);
  else {
    corners.forEach(([u, v], t) => path[t ? "lineTo" : "moveTo"](x + r * u, y + r * v));
    path.closePath();
  }
  return path;
}

function markerSvg(shape, colour) {
  const corners = SHAPES[shape];
  const body = corners
    ? `<polygon points="${corners.map(([u, v]) => `${8 + 5 * u},${8 + 5 * v}`).join(" ")}"/>`
    : `<circle cx="8" cy="8" r="5"/>`;
  return `<svg viewBox="0 0 16 16" width="14" height="14" fill="${colour}" aria-hidden="true">${body}</svg>`;
}

// ---------------------------------------------------------------------------------------------- the plane

// Two stacked canvases: below the picture that a refresh changes, above it what follows the pointer.
class Plane {
  constructor() {
    this.below = h("canvas", { "aria-hidden": "true" });
    this.above = h("canvas", { "aria-hidden": "true" });
    this.size = { width: 0, height: 0 };
    this.ink = null; // colours of the theme
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    if (width === this.size.width && height === this.size.height && ratio === this.ratio) return false;
    this.size = { width, height };
    this.ratio = ratio;
    for (const canvas of [this.below, this.above]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.sprites = null;
    this.place();
    return true;
  }

  readTheme(element) {
    const style = getComputedStyle(element);
    const read = (name) => style.getPropertyValue(`--dcrc-${name}`).trim();
    this.ink = { surface: read("plane"), ink: read("ink"), shade: read("shade"), accent: read("accent"), bad: read("bad"),
      label: read("label"), labelInk: read("label-ink"), tint: Number(read("tint")), dark: Number(read("darkest")) };
    this.sprites = null;
  }

  setPoints(points) {
    this.points = points;
    this.xy = floats(points.xy);
    this.n = this.xy.length / 2;
    this.radius = this.n <= 250 ? 5 : this.n <= 800 ? 4.2 : this.n <= 3000 ? 3 : 2;
    this.sprites = null;
    this.place();
  }

  setScene(scene) {
    this.scene = scene;
    this.labels = bytes(scene.labels);
    this.truth = scene.truth && bytes(scene.truth);
    this.halo = scene.halo && bytes(scene.halo);
    this.links = integers(scene.links);
    this.surface = scene.regions && {
      size: scene.resolution, regions: bytes(scene.regions), margin: bytes(scene.margin),
      value: bytes(scene.value),
    };
  }

  place() {
    if (!this.xy || !this.size.width) return;
    const { width, height } = this.size;
    const [left, right, bottom, top] = this.points.extent;
    this.at = new Float32Array(this.xy.length);
    for (let i = 0; i < this.n; i++) {
      this.at[2 * i] = ((this.xy[2 * i] - left) / (right - left)) * width;
      this.at[2 * i + 1] = (1 - (this.xy[2 * i + 1] - bottom) / (top - bottom)) * height;
    }
  }

  nearest(x, y, radius = PICK_RADIUS) {
    let best = -1;
    let closest = radius * radius;
    for (let i = 0; i < this.n; i++) {
      const distance = (this.at[2 * i] - x) ** 2 + (this.at[2 * i + 1] - y) ** 2;
      if (distance < closest) [best, closest] = [i, distance];
    }
    return best;
  }

  towards(i, dx, dy) {
    // The nearest point in the direction of an arrow key; from nowhere, the one nearest to the middle.
    if (i < 0) return this.nearest(this.size.width / 2, this.size.height / 2, Infinity);
    let best = i;
    let closest = Infinity;
    for (let j = 0; j < this.n; j++) {
      const [x, y] = [this.at[2 * j] - this.at[2 * i], this.at[2 * j + 1] - this.at[2 * i + 1]];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy - y * dx);
      if (j !== i && along > 0 && aside <= along && along + 2 * aside < closest) [best, closest] = [j, along + 2 * aside];
    }
    return best;
  }

  begin(canvas) {
    const ctx = canvas.getContext("2d");
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, this.size.width, this.size.height);
    ctx.lineJoin = "round";
    return ctx;
  }

  drawBelow(options) {
    if (!this.scene || !this.at || !this.ink) return;
    const ctx = this.begin(this.below);
    if (this.surface) {
      if (options.map !== "none") this.drawMap(ctx, options);
      this.drawBoundaries(ctx);
    } else if (this.halo) this.drawHalos(ctx, options);
    this.drawLinks(ctx, options.links);
    this.drawPoints(ctx);
  }

  drawMap(ctx, options) {
    const { size, regions, value } = this.surface;
    const table = this.colourTable(options);
    const image = new ImageData(size, size);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = 0; row < size; row++) {
      const from = (size - 1 - row) * size; // row 0 of the grid is at the bottom
      for (let column = 0; column < size; column++) {
        pixels[row * size + column] = table[regions[from + column] * 256 + value[from + column]];
      }
    }
    this.buffer ??= document.createElement("canvas");
    this.buffer.width = this.buffer.height = size;
    this.buffer.getContext("2d").putImageData(image, 0, 0);
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(this.buffer, 0, 0, this.size.width, this.size.height);
  }

  colourTable(options) {
    const { surface, shade, tint, dark } = this.ink;
    const [paper, black] = [rgb(surface), rgb(shade)];
    const clusters = this.scene.clusters;
    const table = new Uint32Array(256 * 256);
    for (let k = 0; k < clusters; k++) {
      const colour = rgb(this.colour(k));
      for (let v = 0; v < 256; v++) {
        const share = v / 255;
        const [r, g, b] =
          options.map === "entropy" ? mix(mix(paper, colour, tint), black, dark * share ** 1.6)
          : options.map === "regions" ? mix(paper, colour, tint + 0.3 * share)
          : mix(paper, rgb(this.colour(this.scene.cluster)), 0.6 * share);
        table[k * 256 + v] = 0xff000000 | (b << 16) | (g << 8) | r;
      }
    }
    return table;
  }

  drawBoundaries(ctx) {
    // Marching squares for several classes: on an edge between two grid points of different region the boundary
    // lies where the margin, positive on both sides, falls to zero.
    const { size, regions, margin } = this.surface;
    const [dx, dy] = [this.size.width / size, this.size.height / size]; // a value belongs to the centre of its cell
    const path = new Path2D();
    const crossing = (a, b) => {
      const total = margin[a] + margin[b];
      const share = total ? margin[a] / total : 0.5;
      const [ca, ra, cb, rb] = [a % size, (a / size) | 0, b % size, (b / size) | 0];
      return [(ca + (cb - ca) * share + 0.5) * dx, this.size.height - (ra + (rb - ra) * share + 0.5) * dy];
    };
    for (let row = 0; row < size - 1; row++) {
      for (let column = 0; column < size - 1; column++) {
        const a = row * size + column;
        const [b, c, d] = [a + 1, a + size + 1, a + size];
        const [ka, kb, kc, kd] = [regions[a], regions[b], regions[c], regions[d]];
        if (ka === kb && kb === kc && kc === kd) continue;
        const ends = [];
        if (ka !== kb) ends.push(crossing(a, b));
        if (kb !== kc) ends.push(crossing(b, c));
        if (kc !== kd) ends.push(crossing(c, d));
        if (kd !== ka) ends.push(crossing(d, a));
        if (ends.length === 2) {
          path.moveTo(...ends[0]);
          path.lineTo(...ends[1]);
        } else {
          const centre = [0, 1].map((axis) => ends.reduce((sum, end) => sum + end[axis], 0) / ends.length);
          for (const end of ends) {
            path.moveTo(...end);
            path.lineTo(...centre);
          }
        }
      }
    }
    ctx.strokeStyle = this.ink.ink;
    ctx.globalAlpha = 0.8;
    ctx.lineWidth = 1.3;
    ctx.lineCap = "round";
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  }

  drawHalos(ctx, options) {
    // Without a plane to map, the value of each point stands around it.
    ctx.fillStyle = options.map === "entropy" ? this.ink.ink : this.colour(this.scene.cluster);
    for (let i = 0; i < this.n; i++) {
      ctx.globalAlpha = 0.6 * (this.halo[i] / 255);
      ctx.fill(markerPath("circle", this.at[2 * i], this.at[2 * i + 1], this.radius * 2.2));
    }
    ctx.globalAlpha = 1;
  }

  link(t) {
    const [i, j, k, answer, violated] = this.links.subarray(5 * t, 5 * t + 5);
    return { i, j, k, answer, violated };
  }

  get answers() {
    return this.links ? this.links.length / 5 : 0;
  }

  drawLinks(ctx, shown) {
    const last = this.answers - 1;
    if (shown === "none" || last < 0) return;
    let broken = 0;
    for (let t = 0; t <= last; t++) broken += this.link(t).violated;
    const faint = (count) => clamp(4 / Math.sqrt(count + 1), 0.16, 0.8); // many lines must not hide the points
    const draw = (t, emphasis) => {
      const { violated } = this.link(t);
      ctx.strokeStyle = violated ? this.ink.bad : this.ink.ink;
      ctx.globalAlpha = emphasis ? 0.9 : violated ? faint(broken) : faint(last);
      ctx.lineWidth = violated ? 1.7 : emphasis ? 1.5 : 1.1;
      this.strokeLink(ctx, t);
    };
    if (shown === "all") for (let t = 0; t < last; t++) if (!this.link(t).violated) draw(t, false);
    if (shown !== "last") for (let t = 0; t < last; t++) if (this.link(t).violated) draw(t, false);
    if (shown !== "violated" || this.link(last).violated) draw(last, true);
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
  }

  strokeLink(ctx, t) {
    const { i, j, k, answer } = this.link(t);
    const [near, far] = answer < 0 ? [k, j] : [j, k];
    ctx.lineCap = answer ? "butt" : "round";
    for (const [end, dash] of [[near, answer ? [] : [0.5, 4]], [far, answer ? [5, 4] : [0.5, 4]]]) {
      ctx.setLineDash(dash);
      ctx.beginPath();
      ctx.moveTo(this.at[2 * i], this.at[2 * i + 1]);
      ctx.lineTo(this.at[2 * end], this.at[2 * end + 1]);
      ctx.stroke();
    }
  }

  colour(k) {
    return this.points.colours[k % this.points.colours.length];
  }

  shape(k) {
    return this.points.markers[k % this.points.markers.length];
  }

  drawPoints(ctx) {
    const r = this.radius;
    const edge = Math.ceil(r * 1.6) + 2;
    if (!this.sprites) {
      this.sprites = Array.from({ length: 256 }, () => null);
    }
    for (let i = 0; i < this.n; i++) {
      const k = this.labels[i];
      const [x, y] = [this.at[2 * i], this.at[2 * i + 1]];
      if (this.truth) {
        ctx.strokeStyle = this.colour(this.truth[i]);
        ctx.lineWidth = 2;
        ctx.stroke(markerPath("circle", x, y, r + 3.5));
      }
      this.sprites[k] ??= this.sprite(k, r, edge);
      ctx.drawImage(this.sprites[k], x - edge, y - edge, 2 * edge, 2 * edge);
    }
  }

  sprite(k, r, edge) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * edge * this.ratio);
    const ctx = canvas.getContext("2d");
    ctx.scale(canvas.width / (2 * edge), canvas.height / (2 * edge));
    const path = markerPath(this.shape(k), edge, edge, r);
    ctx.lineJoin = "round";
    ctx.lineWidth = r < 4 ? 1 : 2;
    ctx.strokeStyle = "#fff";
    ctx.stroke(path);
    ctx.fillStyle = this.colour(k);
    ctx.fill(path);
    return canvas;
  }

  drawAbove({ picks, hover, marked, answerable }) {
    if (!this.at || !this.ink) return;
    const ctx = this.begin(this.above);
    const { ink, accent, surface, label, labelInk } = this.ink;
    if (marked >= 0 && marked < this.answers) {
      const { i, j, k, violated } = this.link(marked);
      ctx.strokeStyle = violated ? this.ink.bad : accent;
      ctx.lineWidth = 3;
      this.strokeLink(ctx, marked);
      ctx.setLineDash([]);
      [i, j, k].forEach((point, t) => this.drawPick(ctx, point, LETTERS[t], ctx.strokeStyle, labelInk, ctx.strokeStyle));
    }
    if (picks.length > 1) {
      ctx.strokeStyle = ink;
      ctx.lineWidth = 1.6;
      ctx.lineCap = "round";
      ctx.setLineDash([0.5, 4.5]);
      for (const end of picks.slice(1)) {
        ctx.beginPath();
        ctx.moveTo(this.at[2 * picks[0]], this.at[2 * picks[0] + 1]);
        ctx.lineTo(this.at[2 * end], this.at[2 * end + 1]);
        ctx.stroke();
      }
      ctx.setLineDash([]);
    }
    if (hover >= 0 && !picks.includes(hover) && answerable) {
      const [x, y] = [this.at[2 * hover], this.at[2 * hover + 1]];
      for (const [colour, width] of [[surface, 5], [accent, 2.4]]) {
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.stroke(markerPath("circle", x, y, this.radius + 5));
      }
      ctx.globalAlpha = 0.75;
      if (picks.length < 3) this.drawLetter(ctx, x, y, LETTERS[picks.length], accent, labelInk);
      ctx.globalAlpha = 1;
    }
    picks.forEach((point, t) => this.drawPick(ctx, point, LETTERS[t], ink, labelInk, label));
  }

  drawPick(ctx, point, letter, ring, letterInk, background) {
    const [x, y] = [this.at[2 * point], this.at[2 * point + 1]];
    for (const [colour, width] of [[this.ink.surface, 5], [ring, 2.4]]) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.stroke(markerPath("circle", x, y, this.radius + 5));
    }
    this.drawLetter(ctx, x, y, letter, background, letterInk);
  }

  drawLetter(ctx, x, y, letter, background, letterInk) {
    const reach = this.radius + 10;
    const cx = x + reach > this.size.width - 10 ? x - reach : x + reach;
    const cy = y - reach < 10 ? y + reach : y - reach;
    ctx.fillStyle = background;
    ctx.fill(markerPath("circle", cx, cy, 9.5));
    ctx.fillStyle = letterInk;
    ctx.font = "600 12px system-ui, sans-serif";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(letter, cx, cy + 0.5);
  }
}

// ---------------------------------------------------------------------------------------------- panels

// Each panel is a function of a few numbers to the text of an SVG; the viewBox is in CSS pixels.
const line = (points) => points.map(([x, y], t) => `${t ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const svg = (width, height, label, body) =>
  `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(label)}">${body}</svg>`;

function axes(width, height, { left = 26, right = 12, top = 8, bottom = 20 } = {}) {
  const frame = { left, right: width - right, top, bottom: height - bottom };
  frame.x = (share) => frame.left + share * (frame.right - frame.left);
  frame.y = (share) => frame.bottom - share * (frame.bottom - frame.top);
  frame.lines = `<path class="axis" d="M${left} ${top}V${frame.bottom}H${frame.right}"/>`;
  return frame;
}

const endLabel = (x, y, text, cls, anchor = "end") =>
  `<text x="${x}" y="${y}" class="${cls}" text-anchor="${anchor}">${escape(text)}</text>`;

function spreadLabels(labels, gap, low, high) {
  // Move labels apart so that neighbours stay readable.
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  sorted.forEach((label, t) => (label.y = Math.max(label.y, t ? sorted[t - 1].y + gap : low)));
  for (let t = sorted.length - 1; t >= 0; t--) {
    sorted[t].y = Math.min(sorted[t].y, t + 1 < sorted.length ? sorted[t + 1].y - gap : high);
  }
  return labels;
}

function informationPanel({ clusters, curves, current }, width, height) {
  const frame = axes(width, height, { right: 66 });
  const highest = Math.ceil(Math.max(...curves.flatMap((curve) => curve.values)) * 2) / 2;
  const [first, final] = [clusters[0], clusters.at(-1)];
  const x = (K) => frame.x((K - first) / (final - first));
  const y = (bits) => frame.y(bits / highest);
  const labels = spreadLabels(
    curves.map((curve, c) => ({ text: curve.name, cls: `curve-${c}`, y: y(curve.values.at(-1)) + 3 })), 11, frame.top + 8, frame.bottom + 2);
  const marks = curves.map((curve) => [x(current), y(curve.values[clusters.indexOf(current)])]);
  const body = frame.lines +
    endLabel(frame.left - 4, frame.top + 8, highest, "tick") + endLabel(frame.left - 4, frame.bottom, 0, "tick") +
    (x(current) - frame.left > 26 || current === first ? endLabel(frame.left, height - 6, first, "tick", "middle") : "") +
    endLabel(frame.right, height - 6, final, "tick", "middle") + `<path class="now" d="M${x(current)} ${frame.top}V${frame.bottom}"/>` +
    (current > first && frame.right - x(current) > 26 ? endLabel(x(current), height - 6, `K = ${current}`, "tick strong", "middle") : "") +
    curves.map((curve, c) => `<path class="curve curve-${c}" d="${line(clusters.map((K, t) => [x(K), y(curve.values[t])]))}"/>`).join("") +
    marks.map(([cx, cy], c) => `<circle class="dot curve-${c}" cx="${cx}" cy="${cy}" r="2.2"/>`).join("") +
    labels.map((label) => endLabel(frame.right + 5, label.y, label.text, `key ${label.cls}`, "start")).join("");
  const told = curves.map((curve) => `${curve.name} ${curve.values[clusters.indexOf(current)].toFixed(2)}`).join(", ");
  return svg(width, height, `Bits per answer at K = ${current}: ${told}`, body);
}

function objectivePanel({ terms, iteration }, width, height) {
  const frame = axes(width, height, { right: 66, bottom: 12 });
  const values = terms.flatMap((term) => term.values);
  if (!values.length) return svg(width, height, "No fit yet", frame.lines);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const steps = terms[0].values.length;
  const x = (t) => frame.x(steps > 1 ? t / (steps - 1) : 0);
  const y = (value) => frame.y(high > low ? (value - low) / (high - low) : 0.5);
  const labels = spreadLabels(terms.map((term, c) => ({ text: term.name, cls: `term-${c}`, y: y(term.values.at(-1)) + 3 })), 11, frame.top + 6, frame.bottom + 2);
  const body = frame.lines +
    endLabel(frame.left - 4, frame.top + 8, high.toFixed(1), "tick") + endLabel(frame.left - 4, frame.bottom, low.toFixed(1), "tick") +
    terms.map((term, c) => `<path class="curve term-${c}" d="${line(term.values.map((value, t) => [x(t), y(value)]))}"/>`).join("") +
    terms.map((term, c) => `<circle class="dot term-${c}" cx="${x(iteration)}" cy="${y(term.values[iteration])}" r="${c ? 2 : 3.4}"/>`).join("") +
    labels.map((label) => endLabel(frame.right + 5, label.y, label.text, `key ${label.cls}`, "start")).join("");
  const told = terms.map((term) => `${term.name} ${term.values[iteration].toFixed(3)}`).join(", ");
  return svg(width, height, `EM iteration ${iteration}: ${told}`, body);
}

function qualityPanel({ answers, curves }, width, height) {
  const frame = axes(width, height, { left: 18, right: 58 });
  const most = Math.max(answers.at(-1) ?? 0, 1);
  const low = Math.min(0, ...curves.flatMap((curve) => curve.values));
  const x = (n) => frame.x(n / most);
  const y = (value) => frame.y((value - low) / (1 - low));
  const labels = spreadLabels(
    curves.map((curve, c) => ({ text: `${curve.name} ${curve.values.at(-1).toFixed(2).replace("-0.00", "0.00")}`, cls: `measure-${c}`, y: y(curve.values.at(-1)) + 3 })),
    11, frame.top + 8, frame.bottom + 2);
  const body = frame.lines + endLabel(frame.left - 4, frame.top + 8, 1, "tick") +
    endLabel(frame.left - 4, y(0), 0, "tick") + endLabel(frame.left, height - 6, 0, "tick", "middle") +
    (answers.at(-1) ? endLabel(frame.right, height - 6, answers.at(-1), "tick", "middle") : "") +
    curves.map((curve, c) => `<path class="curve measure-${c}" d="${line(curve.values.map((value, t) => [x(answers[t]), y(value)]))}"/>`).reverse().join("") +
    curves.map((curve, c) => `<circle class="dot measure-${c}" cx="${x(answers.at(-1))}" cy="${y(curve.values.at(-1))}" r="2.4"/>`).reverse().join("") +
    labels.map((label) => endLabel(frame.right + 5, label.y, label.text, `key ${label.cls}`, "start")).join("");
  return svg(width, height, labels.map((label) => label.text).join(", "), body);
}

function tablePanel({ counts }, width, height) {
  const names = ["yes", "no", "dnk"];
  const [left, top] = [34, 16];
  const cell = [(width - left - 6) / 3, (height - top - 16) / 3];
  const most = Math.max(1, ...counts.flat());
  const cells = counts.flatMap((row, r) =>
    row.map((count, c) => {
      const [x, y] = [left + c * cell[0], top + r * cell[1]];
      const strength = count ? 0.25 + 0.75 * Math.sqrt(count / most) : 0;
      return `<rect class="${r === c ? "kept" : "broken"}" x="${x + 1}" y="${y + 1}" width="${cell[0] - 2}" height="${cell[1] - 2}" rx="3" style="--strength:${strength.toFixed(2)}"/>` +
        (count ? `<text class="count" x="${x + cell[0] / 2}" y="${y + cell[1] / 2 + 4}" text-anchor="middle">${count}</text>` : "");
    }));
  const heads = names.map((name, c) =>
    endLabel(left + (c + 0.5) * cell[0], top - 4, name, "tick", "middle") + endLabel(left - 5, top + (c + 0.5) * cell[1] + 3, name, "tick"));
  const told = counts.flatMap((row, r) => row.map((count, c) => (count ? `given ${names[r]}, model ${names[c]}: ${count}` : null))).filter(Boolean);
  return svg(width, height, told.join("; ") || "no answers",
    cells.join("") + heads.join("") + endLabel(left + 1.5 * cell[0], height - 3, "↓ given · model →", "tick", "middle"));
}

function balancePanel({ shares, colours }, width, height) {
  const frame = axes(width, height, { left: 8, right: 8 });
  const K = shares.length;
  const highest = Math.max(...shares, 1 / K) * 1.12;
  const slot = (frame.right - frame.left) / K;
  const y = (share) => frame.y(share / highest);
  const small = slot < 26;
  const bars = shares.map((share, k) => {
    const x = frame.left + k * slot + slot * 0.16;
    return `<rect x="${x}" y="${y(share)}" width="${slot * 0.68}" height="${Math.max(frame.bottom - y(share), 0.5)}" rx="2" fill="${colours[k]}"/>` +
      (small && K > 8 && k % 2 ? "" : endLabel(x + slot * 0.34, height - 6, small ? k + 1 : `${Math.round(100 * share)}%`, "tick", "middle"));
  });
  const even = y(1 / K);
  const body = bars.join("") + `<path class="axis" d="M${frame.left} ${frame.bottom}H${frame.right}"/>` +
    `<path class="even" d="M${frame.left} ${even}H${frame.right}"/>` + endLabel(frame.right, even - 4, `1/${K}`, "tick strong halo");
  return svg(width, height, shares.map((share, k) => `cluster ${k + 1}: ${Math.round(100 * share)} %`).join(", "), body);
}

// ---------------------------------------------------------------------------------------------- help

const HELP = `
<div class="dcrc-help-columns">
  <section><h4>Keys</h4><dl>
    <dt><kbd>Y</kbd> <kbd>N</kbd> <kbd>D</kbd></dt><dd>answer yes, no, don't know</dd>
    <dt><kbd>S</kbd></dt><dd>skip: leave the question, record nothing</dd>
    <dt><kbd>Z</kbd> <kbd>⇧ Z</kbd></dt><dd>undo, redo</dd>
    <dt><kbd>Enter</kbd></dt><dd>suggest the next question</dd>
    <dt><kbd>Esc</kbd></dt><dd>take back the last chosen point</dd>
    <dt><kbd>←</kbd> <kbd>↑</kbd> <kbd>→</kbd> <kbd>↓</kbd></dt><dd>move between points; <kbd>Space</kbd> takes one</dd></dl>
    <p>They work while the focus is in this tool and never reach JupyterLab.</p></section>
  <section><h4>Picture</h4><dl>
    <dt>colour and shape</dt><dd>the cluster of a point; it stays from fit to fit</dd>
    <dt>dark map</dt><dd>entropy of P(y|x): the model is unsure here</dd>
    <dt>line</dt><dd>decision boundary</dd>
    <dt>solid, dashed</dt><dd>an answer: A to the more similar point, and to the other</dd>
    <dt>dotted</dt><dd>an answer “don't know”</dd>
    <dt class="bad">red</dt><dd>the model implies another answer (violated)</dd>
    <dt>ring</dt><dd>the true class, in the colour of the cluster that fits it best</dd></dl></section>
  <section><h4>Symbols of the paper</h4><dl>
    <dt>x<sub>i</sub> x<sub>j</sub> x<sub>k</sub></dt><dd>the points A, B, C of a triplet</dd>
    <dt>l</dt><dd>the answer; yes: A and B share a cluster and C does not; no: A and C do and B does not; don't know: anything else, Eq. (1)</dd>
    <dt>ε</dt><dd>probability that an answer is wrong, Table I; 0 makes answers hard, 2/3 ignores them</dd>
    <dt>τ, λ</dt><dd>weight of cluster separation, and of small weights W, Eqs. (8), (9)</dd>
    <dt>K, M</dt><dd>number of clusters, number of answers</dd>
    <dt>bit</dt><dd>worth: mutual information of the answer and the three memberships; surprise: −log₂ of its probability</dd></dl></section>
</div>`;

// ---------------------------------------------------------------------------------------------- the view

function render({ model, el }) {
  const stop = new AbortController();
  const listen = (target, type, handler, options = {}) => target.addEventListener(type, handler, { ...options, signal: stop.signal });
  const plane = new Plane();
  const state = { picks: [], hover: -1, marked: -1, suggestedAt: -Infinity, tab: null, moment: {} };
  let root = null;

  el.classList.add("dcrc-stage");

  // ---- requests: one under way, the rest waits here in order; what a newer one replaces is dropped

  const LATEST = ["suggest", "preview", "replay", "panels"]; // only the latest of each matters
  const PASSING = ["preview", "replay", "panels"]; // about a picture that any other action replaces
  let waiting = [];
  let underway = null;
  let sent = 0;
  let panelsAsked = null; // version of the picture for which panels were requested

  function request(message) {
    const stale = LATEST.includes(message.do) ? [message.do] : PASSING;
    waiting = [...waiting.filter((other) => !stale.includes(other.do)), message];
    advance();
  }

  function advance() {
    if (underway || !waiting.length) return;
    // Numbered by the clock: another view of the same tool must not take our number for its own.
    underway = { ...waiting.shift(), request: Date.now() * 1000 + (sent++ % 1000) };
    state.moment.sent = performance.now();
    model.send(underway);
    root?.setAttribute("data-state", "waiting");
    expectReply();
  }

  function finish() {
    if (underway && model.get("done") === underway.request) {
      underway = null;
      settle();
      advance();
    }
    // Panels follow the picture as soon as nothing more urgent waits.
    const { version } = model.get("scene");
    if (!underway && version !== model.get("panels").version && version !== panelsAsked) {
      panelsAsked = version;
      request({ do: "panels" });
    }
    root?.setAttribute("data-state", underway || model.get("busy") ? "waiting" : "idle");
  }

  let timers = [];
  function expectReply() {
    timers.forEach(clearTimeout);
    timers = [
      setTimeout(() => root?.setAttribute("data-busy", ""), BUSY_AFTER),
      setTimeout(() => (busy.textContent = "No reply from the kernel yet. If it was restarted, run the cell again: your answers are kept."), LOST_AFTER),
    ];
  }
  function settle() {
    if (underway || model.get("busy")) return;
    timers.forEach(clearTimeout);
    root?.removeAttribute("data-busy");
    busy.textContent = "Fitting…";
  }

  // ---- the picture

  const busy = h("div", { class: "dcrc-busy", role: "status" }, "Fitting…");
  const badge = h("div", { class: "dcrc-badge" });
  const hint = h("div", { class: "dcrc-hint", "aria-hidden": "true" });
  const notice = h("div", { class: "dcrc-notice", role: "alert" });
  const stage = h("div", { class: "dcrc-plane", tabindex: "0", role: "application" },
    plane.below, plane.above, badge, hint, busy);
  const legend = h("div", { class: "dcrc-legend" });
  const picture = h("div", { class: "dcrc-picture" }, stage, notice, legend);
  stage.locate = (i) => ({ x: plane.at[2 * i], y: plane.at[2 * i + 1] }); // where a point is drawn, for tests

  const drawAbove = () => plane.drawAbove({ ...state, answerable: state.picks.length < 3 });
  const drawBelow = () => plane.drawBelow(model.get("options"));

  function pointAt(event) {
    const box = stage.getBoundingClientRect();
    return plane.at ? plane.nearest(event.clientX - box.left, event.clientY - box.top) : -1;
  }

  function hoverOver(i) {
    if (i === state.hover) return;
    state.hover = i;
    stage.style.cursor = i < 0 ? "default" : "pointer";
    const k = i < 0 ? 0 : plane.labels[i];
    hint.textContent = i < 0 ? "" : `x${subscript(i)} · cluster ${k + 1}${plane.truth ? ` · true class ${plane.points.classes[i]}` : ""}`;
    drawAbove();
  }

  function pick(i) {
    if (i < 0) return;
    const at = state.picks.indexOf(i);
    if (at >= 0) state.picks = state.picks.filter((other) => other !== i);
    else if (state.picks.length < 3) state.picks = [...state.picks, i];
    else state.picks = [i];
    expected = null;
    if (state.picks.length === 3) request({ do: "preview", triplet: state.picks });
    drawAbove();
    showQuestion();
  }

  listen(stage, "pointermove", (event) => hoverOver(pointAt(event)));
  listen(stage, "pointerleave", () => hoverOver(-1));
  listen(stage, "click", (event) => {
    hoverOver(pointAt(event));
    pick(state.hover);
  });

  // ---- the question

  let expected = null; // what the model expects of the current triplet, once Python has said so
  const pills = LETTERS.map((letter) => h("b", { class: "dcrc-pill" }, letter));
  const heading = h("h3", {}, "Is ", pills[0], " more similar to ", pills[1], " than to ", pills[2], "?");
  const answerButton = (label, key, value, cls) =>
    h("button", { type: "button", class: `dcrc-button dcrc-answer ${cls}`, "data-key": key, title: `Answer ${SAID[value]} (${key})`,
      onclick: (event) => answer(value, event.detail > 1) }, h("span", {}, label), h("kbd", {}, key));
  const answerButtons = [answerButton("Yes", "Y", 1, "yes"), answerButton("No", "N", -1, "no"), answerButton("Don't know", "D", 0, "dnk")];
  const small = (label, key, title, onclick) =>
    h("button", { type: "button", class: "dcrc-button", title, onclick }, h("span", {}, label), h("kbd", {}, key));
  const skipButton = small("Skip", "S", "Leave this question; nothing is recorded (S)", () => skip());
  const undoButton = small("Undo", "Z", "", () => undo());
  const redoButton = small("Redo", "⇧Z", "", () => redo());
  const suggestButton = small("Suggest", "Enter", "Let the program choose three points (Enter); the Ask tab says how", () => suggest());
  suggestButton.firstChild.append(h("span", { class: "long" }, " a question"));
  const bar = h("div", { class: "dcrc-bar", role: "img" }, h("i", { class: "yes" }), h("i", { class: "no" }), h("i", { class: "dnk" }));
  const told = h("span", { class: "dcrc-told", "aria-live": "polite" });
  const worth = h("b", { class: "dcrc-worth", title: "Mutual information between the answer and the three cluster memberships under the current model" });
  const card = h("section", { class: "dcrc-card", "aria-label": "Question" }, heading, h("div", { class: "dcrc-answers" }, ...answerButtons), bar,
    h("div", { class: "dcrc-expected" }, told, worth),
    h("div", { class: "dcrc-more" }, skipButton, undoButton, redoButton, h("span", { class: "dcrc-gap" }), suggestButton));

  function showQuestion() {
    const n = state.picks.length;
    pills.forEach((pill, t) => pill.classList.toggle("chosen", t < n));
    answerButtons.forEach((button) => setDisabled(button, n < 3));
    setDisabled(skipButton, n === 0);
    card.classList.toggle("asking", n === 3);
    const percent = expected?.probabilities.map((p) => Math.round(100 * p));
    [...bar.children].forEach((part, t) => (part.style.width = percent ? `${100 * expected.probabilities[t]}%` : "0"));
    worth.textContent = expected ? `worth ${expected.worth.toFixed(2)} bit` : "";
    const last = model.get("scene").last;
    if (percent) told.replaceChildren(h("span", { class: "word" }, "Expected: "), `yes ${percent[0]} · no ${percent[1]} · don't know ${percent[2]} %`);
    else if (n === 3) told.textContent = " ";
    else if (n) told.textContent = n === 1 ? "A is chosen: now B, then C" : "Now click C";
    else if (last) told.textContent = `Last answer ${SAID[last.answer]}${last.surprise == null ? "" : `: ${last.surprise.toFixed?.(2) ?? last.surprise} bit of surprise`}`;
    else told.textContent = "Click three points, or press Enter for a suggestion";
    bar.setAttribute("aria-label", told.textContent);
    stage.setAttribute("aria-label", `${plural(plane.n ?? 0, "point")} in ${plural(model.get("scene").clusters ?? 0, "cluster")}. ` +
      `${n ? `Chosen: ${state.picks.map((i, t) => `${LETTERS[t]} is point ${i}`).join(", ")}. ` : ""}Arrow keys move between points, Space takes one.`);
  }

  function answer(value, second = false) {
    if (state.picks.length < 3) return;
    if (second && performance.now() - state.suggestedAt < DOUBLE_CLICK) return;
    const triplet = state.picks;
    clearQuestion();
    state.moment = { key: state.keyAt ?? performance.now() };
    request({ do: "answer", triplet, answer: value });
    if (model.get("options").auto) suggest();
  }
  function clearQuestion() {
    state.picks = [];
    expected = null;
    drawAbove();
    showQuestion();
  }
  function skip() {
    if (!state.picks.length) return;
    const triplet = state.picks;
    clearQuestion();
    if (triplet.length === 3) request({ do: "skip", triplet });
    if (triplet.length === 3 && model.get("options").auto) suggest();
  }
  function back() {
    if (!state.picks.length) return;
    state.picks = state.picks.slice(0, -1);
    expected = null;
    drawAbove();
    showQuestion();
  }
  const undo = () => request({ do: "undo" });
  const redo = () => request({ do: "redo" });
  const suggest = () => request({ do: "suggest" });

  // ---- tabs; the controls of the other tabs are ipywidgets beside this view, shown by the attribute data-tab

  const tabButtons = TABS.map(([name, label]) =>
    h("button", { type: "button", role: "tab", "data-tab": name, onclick: () => openTab(name) }, label));
  const tabs = h("div", { class: "dcrc-tabs", role: "tablist", "aria-label": "Controls" }, ...tabButtons);

  function openTab(name) {
    state.tab = name;
    root?.setAttribute("data-tab", name);
    tabButtons.forEach((button) => {
      button.setAttribute("aria-selected", button.dataset.tab === name);
      button.tabIndex = button.dataset.tab === name ? 0 : -1;
    });
    showList();
  }
  listen(tabs, "keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const shown = tabButtons.filter((button) => !button.hidden);
    const next = shown.at((shown.indexOf(event.target) + step) % shown.length);
    next.focus();
    openTab(next.dataset.tab);
  });

  // ---- the list of answers

  const rows = h("div", { class: "dcrc-rows", role: "list" });
  const listHead = h("div", { class: "dcrc-list-head" });
  const list = h("section", { class: "dcrc-list", "aria-label": "Answers" }, listHead, rows);

  function showList() {
    const n = plane.answers;
    tabButtons.find((button) => button.dataset.tab === "answers").textContent = n ? `Answers (${n})` : "Answers";
    if (state.tab !== "answers") return;
    const focused = rows.contains(document.activeElement);
    const violated = Array.from({ length: n }, (_, t) => plane.link(t).violated).filter(Boolean).length;
    listHead.textContent = n ? `${n - violated} kept · ${violated} violated by the model` : "";
    const html = [];
    for (let t = n - 1; t >= 0; t--) {
      const link = plane.link(t);
      const flips = [1, -1, 0].map((value) => `<button type="button" data-flip="${value}" aria-pressed="${value === link.answer}" title="${
        value === link.answer ? "the answer given" : `change the answer to ${SAID[value]}`}">${value === 1 ? "yes" : value ? "no" : "dnk"}</button>`).join("");
      html.push(`<div role="listitem" class="dcrc-row${link.violated ? " violated" : ""}" data-t="${t}"><span class="number">${t + 1}</span>` +
        `<span class="triplet">${[link.i, link.j, link.k].map((i, at) => `<small>${LETTERS[at]}</small> x${subscript(i)}`).join(" ")}</span>` +
        `<span class="flip" role="group" aria-label="Answer ${t + 1}">${flips}</span>` +
        `<span class="state" title="${link.violated ? "violated: the model implies another answer" : "kept: the model implies the same answer"}">${link.violated ? "✕" : "✓"}</span>` +
        `<button type="button" class="delete" data-delete title="Delete answer ${t + 1}" aria-label="Delete answer ${t + 1}">${TRASH}</button></div>`);
    }
    rows.innerHTML = html.join("") || `<p class="dcrc-empty">No answers yet. Click three points and say whether A is more similar to B than to C; each answer appears here and can be changed.</p>`;
    if (focused) stage.focus({ preventScroll: true });
  }
  listen(rows, "click", (event) => {
    const row = event.target.closest("[data-t]");
    const button = event.target.closest("button");
    if (!row || !button) return;
    const t = Number(row.dataset.t);
    if ("delete" in button.dataset) request({ do: "delete", index: t });
    else if (button.getAttribute("aria-pressed") !== "true") request({ do: "flip", index: t, answer: Number(button.dataset.flip) });
  });
  const mark = (event) => {
    const t = Number(event.target.closest?.("[data-t]")?.dataset.t ?? -1);
    if (t === state.marked) return;
    state.marked = t;
    drawAbove();
  };
  listen(rows, "pointerover", mark);
  listen(rows, "focusin", mark);
  listen(rows, "pointerleave", () => mark({ target: rows }));
  listen(rows, "focusout", () => mark({ target: rows }));

  // ---- panels

  const panel = (name, title, explanation) => {
    const subtitle = h("span", { class: "dcrc-subtitle" });
    const body = h("div", { class: "dcrc-plot" });
    return { name, subtitle, body, node: h("section", { class: `dcrc-panel dcrc-panel-${name}`, title: explanation }, h("h4", {}, title, " ", subtitle), body) };
  };
  const information = panel("information", "Information", "What one answer tells about the memberships, Eqs. (3), (4), (5), over the number of clusters K");
  const objective = panel("objective", "Objective", "The bound of Eq. (10) and its terms by EM iteration; move the slider to see the model at that iteration");
  const quality = panel("quality", "Quality", "Agreement with the true classes against the number of answers");
  const table = panel("table", "Answers", "Rows: the answer given. Columns: the answer that the model implies, Eq. (1)");
  const balance = panel("balance", "Balance", "Share of the points in each cluster, against 1/K");
  const replay = h("input", { type: "range", class: "dcrc-replay", min: "0", max: "0", step: "1", "aria-label": "EM iteration shown",
    title: "Replay the fit: the picture shows the model at this EM iteration",
    oninput: () => request({ do: "replay", iteration: Number(replay.value) }) });
  objective.node.append(replay);
  const panels = h("div", { class: "dcrc-panels" }, information.node, objective.node, quality.node, table.node, balance.node);

  function showPanels() {
    const data = model.get("panels");
    if (!data.information) return;
    const draw = (target, plot, values) => {
      const { clientWidth: width, clientHeight: height } = target.body;
      if (width > 40 && height > 30) target.body.innerHTML = plot(values, width, height);
    };
    information.subtitle.textContent = "bits by K";
    draw(information, informationPanel, data.information);
    const { iteration, iterations, ending } = data.objective;
    objective.subtitle.textContent = `EM ${iteration} of ${iterations}${ending ? `, ${ending}` : ""}`;
    if (document.activeElement !== replay || Number(replay.max) !== iterations) {
      replay.max = iterations;
      replay.value = iteration;
    }
    draw(objective, objectivePanel, data.objective);
    quality.subtitle.textContent = data.quality ? "by answers" : "";
    if (data.quality) draw(quality, qualityPanel, data.quality);
    else quality.body.innerHTML = `<p class="dcrc-empty">These data have no true classes to compare with.</p>`;
    const { kept, violated } = data.table;
    table.subtitle.textContent = kept + violated ? `${kept}/${kept + violated} kept` : "";
    if (kept + violated) draw(table, tablePanel, data.table);
    else table.body.innerHTML = `<p class="dcrc-empty">Your answers against those that the model implies.</p>`;
    balance.subtitle.textContent = "shares";
    draw(balance, balancePanel, { ...data.balance, colours: data.balance.shares.map((_, k) => plane.colour(k)) });
  }

  // ---- status, help, notices

  const status = h("span", { class: "dcrc-status-text" });
  const help = h("button", { type: "button", class: "dcrc-link", "aria-haspopup": "dialog", onclick: () => openHelp() }, "? keys and symbols");
  const footer = h("div", { class: "dcrc-status" }, status, help);
  const sheet = h("div", { class: "dcrc-sheet", role: "dialog", "aria-modal": "true", "aria-label": "Keys and symbols", hidden: true });
  listen(sheet, "click", (event) => event.target === sheet && closeSheet());

  function openSheet(title, content) {
    const close = h("button", { type: "button", class: "dcrc-button", onclick: closeSheet }, h("span", {}, "Close"), h("kbd", {}, "Esc"));
    sheet.setAttribute("aria-label", title);
    sheet.replaceChildren(h("div", { class: "dcrc-sheet-body" }, h("header", {}, h("h3", {}, title), close), content));
    sheet.hidden = false;
    close.focus({ preventScroll: true });
  }
  function closeSheet() {
    sheet.hidden = true;
    stage.focus({ preventScroll: true });
  }
  function openHelp() {
    const content = h("div");
    content.innerHTML = HELP;
    openSheet("Keys and symbols", content);
  }
  function showText({ title, text }) {
    const copied = h("span", { role: "status" });
    const area = h("textarea", { readonly: true, rows: "14", spellcheck: "false", "aria-label": title });
    area.value = text;
    const copy = h("button", { type: "button", class: "dcrc-button", onclick: () => {
      area.select();
      document.execCommand("copy"); // works on a plain http page, where navigator.clipboard does not
      copied.textContent = "copied";
    } }, h("span", {}, "Copy"));
    openSheet(title, h("div", { class: "dcrc-text" }, area, h("div", { class: "dcrc-more" }, copy, copied)));
  }

  function showNotice() {
    const { text, kind, buttons = [] } = model.get("notice");
    notice.className = `dcrc-notice ${kind ?? ""}`;
    notice.hidden = !text;
    if (!text) return;
    notice.replaceChildren(h("span", {}, text),
      ...buttons.map(([label, action]) => h("button", { type: "button", class: "dcrc-button", onclick: () => request({ do: action }) }, h("span", {}, label))),
      h("button", { type: "button", class: "dcrc-dismiss", "aria-label": "Dismiss", onclick: () => request({ do: "dismiss" }) }, "×"));
  }

  function showStatus() {
    const { version, undo: undoable, redo: redoable, iteration, saved, unsaved, milliseconds } = model.get("scene");
    const F = model.get("panels").quality?.curves[0].values.at(-1);
    status.textContent = [plural(plane.answers, "answer"), `fitted in ${Math.max(1, Math.round(milliseconds.fit))} ms`,
      F != null && `F ${F.toFixed(2)}`, unsaved ? "not saved" : saved && `saved to ${saved}`].filter(Boolean).join(" · ");
    status.classList.toggle("bad", Boolean(unsaved));
    setDisabled(undoButton, !undoable);
    setDisabled(redoButton, !redoable);
    undoButton.title = undoable ? `Undo: ${undoable} (Z)` : "Nothing to undo";
    redoButton.title = redoable ? `Redo: ${redoable} (Shift+Z)` : "Nothing to redo";
    badge.textContent = iteration == null ? plane.points.note : `replay: model after EM iteration ${iteration}`;
    badge.hidden = !badge.textContent;
    root?.setAttribute("data-version", version);
    root?.setAttribute("data-answers", plane.answers);
  }

  function showLegend() {
    const { clusters, counts } = model.get("scene");
    const { map } = model.get("options");
    const keys = Array.from({ length: clusters }, (_, k) =>
      `<button type="button" data-cluster="${k}" title="Cluster ${k + 1}: ${plural(counts[k], "point")}. Click to map its probability, P(y = ${k + 1} | x)">` +
      `${markerSvg(plane.shape(k), plane.colour(k))}${clusters <= 4 ? `<span class="word">cluster</span> ` : ""}${k + 1}${clusters <= 7 ? ` · ${counts[k]}` : ""}</button>`);
    const scale = map === "entropy" ? `<span class="scale"><i>certain</i><b class="entropy"></b><i>uncertain</i></span>`
      : map === "probability" ? `<span class="scale"><i>0</i><b style="--to:color-mix(in srgb, ${plane.colour(model.get("scene").cluster)} 60%, var(--dcrc-plane))"></b><i>P(y = ${model.get("scene").cluster + 1})</i></span>` : "";
    legend.innerHTML = `<span class="keys">${keys.join("")}</span>${scale}`;
  }

  listen(legend, "click", (event) => {
    const key = event.target.closest("[data-cluster]");
    if (key) request({ do: "cluster", cluster: Number(key.dataset.cluster) });
  });

  // ---- following Python

  function followPoints() {
    state.picks = [];
    state.hover = state.marked = -1;
    expected = null;
    plane.setPoints(model.get("points"));
  }

  function followScene() {
    const received = performance.now();
    plane.setScene(model.get("scene"));
    state.marked = -1;
    drawBelow();
    drawAbove();
    const drawn = performance.now();
    showStatus();
    showLegend();
    showQuestion();
    requestAnimationFrame(() => setTimeout(showList)); // hundreds of rows may follow the picture
    if (state.picks.length === 3) request({ do: "preview", triplet: state.picks }); // another model expects other answers
    root?.dispatchEvent(new CustomEvent("dcrc-drawn", { detail: { ...state.moment, received, drawn, milliseconds: model.get("scene").milliseconds } }));
    state.moment = {};
  }

  function followQuestion() {
    const question = model.get("question");
    if (question.suggested) {
      state.picks = question.triplet;
      state.suggestedAt = performance.now();
      expected = question;
    } else if (question.triplet && String(question.triplet) === String(state.picks)) expected = question;
    drawAbove();
    showQuestion();
  }

  function followHidden() {
    const hidden = model.get("hidden");
    tabButtons.forEach((button) => (button.hidden = hidden.includes(button.dataset.tab)));
    panels.hidden = hidden.includes("panels");
    if (!state.tab || hidden.includes(state.tab)) openTab(["model", ...TABS.map(([name]) => name)].find((name) => !hidden.includes(name)));
  }

  // One comm message may change several traits: draw once, when all of them are in.
  const changed = new Set();
  function flush() {
    const now = new Set(changed);
    changed.clear();
    if (now.has("points")) followPoints();
    if (now.has("scene") || now.has("points")) followScene();
    else if (now.has("options")) {
      drawBelow();
      showLegend();
    }
    if (now.has("question")) followQuestion();
    if (now.has("panels")) showPanels(), showStatus();
    if (now.has("notice")) showNotice();
    if (now.has("hidden")) followHidden();
    if (now.has("busy")) model.get("busy") ? expectReply() : settle();
    finish();
  }
  const follow = Object.fromEntries(["points", "scene", "question", "panels", "options", "notice", "hidden", "busy", "done"].map((name) =>
    [name, () => {
      if (!changed.size) queueMicrotask(flush);
      changed.add(name);
    }]));
  for (const [name, handler] of Object.entries(follow)) model.on(`change:${name}`, handler);
  const onMessage = (content) => content.show && showText(content.show);
  model.on("msg:custom", onMessage);

  // ---- keys and focus

  const KEYS = { y: () => answer(1), n: () => answer(-1), d: () => answer(0), s: skip, z: undo, Z: redo };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const types = (target) => target.closest("textarea, select, [contenteditable=true], input:not([type=range], [type=checkbox], [type=radio])");

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    state.pointing = false;
    const used = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (!sheet.hidden) {
      if (key === "Escape") used(), closeSheet();
      else event.stopPropagation();
      return;
    }
    if (types(target)) return;
    const action = KEYS[event.shiftKey ? key.toUpperCase() : key.toLowerCase()];
    if (action) {
      used();
      if (event.repeat) return; // a key held down is one answer
      state.keyAt = performance.now();
      action();
      state.keyAt = null;
    } else if (key === "Escape") used(), back();
    else if (key === "Enter" && !target.closest("button, a, input")) used(), event.repeat || suggest();
    else if (key === "?") used(), openHelp();
    else if (target === stage && ARROWS[key]) used(), hoverOver(plane.towards(state.hover, ...ARROWS[key]));
    else if (target === stage && key === " ") used(), pick(state.hover);
    else event.stopPropagation();
  }

  let guarded = null; // the element that keeps the last key from JupyterLab
  function attach() {
    const found = el.closest(".dcrc-explorer") ?? el;
    if (found === root) return;
    root = found;
    root.tabIndex = -1; // a click beside every control keeps the focus inside the tool
    listen(root, "keydown", onKey);
    // JupyterLab looks for the attribute on the focused element, before any listener in here. Its shortcuts with Ctrl
    // and the like, as saving the notebook, stay: those keys are not ours.
    listen(window, "keydown", (event) => {
      guarded?.removeAttribute("data-lm-suppress-shortcuts");
      guarded = root.contains(event.target) && !(event.ctrlKey || event.metaKey || event.altKey) ? event.target : null;
      guarded?.setAttribute("data-lm-suppress-shortcuts", "true");
    }, { capture: true });
    listen(root, "focusin", ({ target }) => {
      const name = target.closest(".dcrc-line")?.querySelector(".widget-label")?.textContent;
      if (name && !target.hasAttribute("aria-label")) target.setAttribute("aria-label", name);
    });
    // A button pressed with the mouse hands the focus to the picture: Enter then suggests and does not press again.
    listen(root, "mousedown", (event) => {
      if (!event.target.closest("button, .dcrc-plane") || !sheet.hidden) return;
      event.preventDefault();
      stage.focus({ preventScroll: true });
    });
    // So does a menu once the mouse has chosen; who uses the keyboard stays there.
    listen(root, "pointerdown", () => (state.pointing = true), { capture: true });
    listen(root, "change", ({ target }) => state.pointing && target.matches("select, [type=checkbox]") && stage.focus({ preventScroll: true }));
    // When the focused control disappears or is disabled the focus comes back here, not to the notebook.
    listen(root, "focusout", (event) => event.relatedTarget || requestAnimationFrame(() => {
      const gone = !event.target.isConnected || event.target.disabled;
      if (gone && document.activeElement === document.body) stage.focus({ preventScroll: true });
    }));
    plane.readTheme(root);
    openTab(state.tab);
    showStatus();
    finish();
    markEpsilon();
  }

  function markEpsilon() {
    const track = root.querySelector(".dcrc-epsilon .slider-container");
    if (!track) return void requestAnimationFrame(() => stop.signal.aborted || markEpsilon()); // not drawn yet
    const marks = [[0.05, ".05"], [0.15, ".15"], [2 / 3, "⅔"]].map(([epsilon, text]) => {
      const mark = h("span", {}, text);
      mark.style.left = `${(100 * epsilon) / (2 / 3)}%`;
      return mark;
    });
    track.querySelector(".dcrc-marks") ?? track.append(h("div", { class: "dcrc-marks", "aria-hidden": "true" }, ...marks));
  }

  function fitSize() {
    attach();
    if (plane.resize(stage.clientWidth, stage.clientHeight)) drawBelow(), drawAbove();
    showPanels();
  }
  const sizes = new ResizeObserver(fitSize);
  function watchDensity() {
    // The window may move to a screen with other pixels.
    const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    listen(query, "change", () => (fitSize(), watchDensity()), { once: true });
  }
  watchDensity();
  const themes = new MutationObserver(() => {
    if (!root) return;
    plane.readTheme(root);
    drawBelow();
    drawAbove();
  });

  el.append(picture, card, tabs, list, panels, footer, sheet);
  followHidden();
  followPoints();
  plane.setScene(model.get("scene"));
  sizes.observe(stage);
  sizes.observe(panels);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  showNotice();
  followScene();
  followQuestion();
  finish();

  return () => {
    stop.abort();
    sizes.disconnect();
    themes.disconnect();
    timers.forEach(clearTimeout);
    for (const [name, handler] of Object.entries(follow)) model.off(`change:${name}`, handler);
    model.off("msg:custom", onMessage);
  };
}

export default { render };
