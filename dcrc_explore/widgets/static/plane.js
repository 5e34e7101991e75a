// The plane: points, map, boundaries and answers on two canvases, and small helpers that all tools use.

const LETTERS = ["A", "B", "C"];
const SAID = { 1: "yes", "-1": "no", 0: "don't know" };
const SHORT = { ...SAID, 0: "dnk" };
const PICK_RADIUS = 28; // CSS pixels around the pointer in which the nearest point is taken

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
const packed = ([r, g, b]) => 0xff000000 | (b << 16) | (g << 8) | r;
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

// One cluster in a legend; with many clusters the stylesheet puts the count under the number.
const keySvg = (plane, k, count, word = "") =>
  `${markerSvg(plane.shape(k), plane.colour(k))}<span class="name">${word}${k + 1}</span><span class="count"><i> · </i>${count}</span>`;
const keysClass = (clusters) => `keys${clusters > 4 ? " many" : ""}${clusters > 7 ? " crowd" : ""}`;

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
    this.unit = clamp((width / 660) ** 0.7, 1, 1.6); // on a large picture points, lines and letters grow too
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
    this.sprites = null;
    this.place();
  }

  get radius() {
    return this.unit * (this.n <= 250 ? 5 : this.n <= 800 ? 4.2 : this.n <= 3000 ? 3 : 2);
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
    if (this.surface && options.map !== "none") this.drawMap(ctx, options);
    if (this.halo) this.drawHalos(ctx, options);
    this.drawLinks(ctx, options.links);
    if (this.surface) this.drawBoundaries(ctx);
    this.drawPoints(ctx);
  }

  drawMap(ctx, options) {
    const { size, regions, value } = this.surface;
    const table = this.colourTable(options);
    this.fillMap(ctx, size, (cell) => table[regions[cell] * 256 + value[cell]]);
  }

  // Draw a grid; `pixel` gives the colour of a cell as 0xaabbggrr.
  fillMap(ctx, size, pixel) {
    const image = new ImageData(size, size);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = 0; row < size; row++) {
      const from = (size - 1 - row) * size; // row 0 of the grid is at the bottom
      for (let column = 0; column < size; column++) {
        pixels[row * size + column] = pixel(from + column);
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
        table[k * 256 + v] = packed([r, g, b]);
      }
    }
    return table;
  }

  drawBoundaries(ctx, surface = this.surface, colour = this.ink.ink, width = 1.3) {
    // Marching squares for several classes: on an edge between two grid points of different region the boundary
    // lies where the margin, positive on both sides, falls to zero.
    const { size, regions, margin } = surface;
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
    ctx.strokeStyle = colour;
    ctx.globalAlpha = 0.8;
    ctx.lineWidth = width * this.unit;
    ctx.lineCap = "round";
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  }

  drawHalos(ctx, options) {
    // Without a plane to map, the value of each point stands around it, in the colours of the legend. They are opaque,
    // the highest on top: transparent ones would add up to a value that no point has.
    const { surface, shade, dark } = this.ink;
    const [full, share] = options.map === "entropy" ? [shade, dark] : [this.colour(this.scene.cluster), 0.6];
    for (const i of Array.from(this.halo.keys()).sort((a, b) => this.halo[a] - this.halo[b])) {
      ctx.fillStyle = `rgb(${mix(rgb(surface), rgb(full), (share * this.halo[i]) / 255).join(" ")})`;
      ctx.fill(markerPath("circle", this.at[2 * i], this.at[2 * i + 1], this.radius * 2.2));
    }
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
    const faint = (count) => clamp(10 / count, 0.12, 0.8); // however many, they give about the same amount of ink
    const draw = (t, emphasis) => {
      const { violated } = this.link(t);
      const strength = emphasis ? 0.9 : faint(violated ? broken : last);
      ctx.strokeStyle = violated ? this.ink.bad : this.ink.ink;
      ctx.globalAlpha = strength;
      ctx.lineWidth = this.unit * (emphasis ? 1.6 : (violated ? 0.9 : 0.6) + strength);
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

  // `clusterOf` gives the cluster whose marker a point gets, or -1 for none.
  drawPoints(ctx, clusterOf = (i) => this.labels[i]) {
    const r = this.radius;
    const edge = Math.ceil(r * 1.6) + 2;
    if (!this.sprites) {
      this.sprites = Array.from({ length: 256 }, () => null);
    }
    for (let i = 0; i < this.n; i++) {
      const k = clusterOf(i);
      if (k < 0) continue;
      const [x, y] = [this.at[2 * i], this.at[2 * i + 1]];
      if (this.truth) {
        ctx.strokeStyle = this.colour(this.truth[i]);
        ctx.lineWidth = 2 * this.unit;
        ctx.stroke(markerPath("circle", x, y, r + 3.5 * this.unit));
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

  // What is known about a point under the pointer.
  hint(i) {
    return `x${subscript(i)} · cluster ${this.labels[i] + 1}${this.truth ? ` · true class ${this.points.classes[i]}` : ""}`;
  }

  drawAbove({ picks, hover, marked, explained, answerable }) {
    if (!this.at || !this.ink) return;
    const ctx = this.begin(this.above);
    const { ink, accent, surface, label, labelInk } = this.ink;
    if (explained >= 0) {
      const [x, y] = [this.at[2 * explained], this.at[2 * explained + 1]];
      for (const [colour, width, dash] of [[surface, 5, []], [accent, 2.4, [4, 3]]]) {
        ctx.setLineDash(dash);
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.stroke(markerPath("circle", x, y, this.radius + 9));
      }
      ctx.setLineDash([]);
    }
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
    const reach = this.radius + 10 * this.unit;
    const edge = 10 * this.unit;
    const cx = x + reach > this.size.width - edge ? x - reach : x + reach;
    const cy = y - reach < edge ? y + reach : y - reach;
    ctx.fillStyle = background;
    ctx.fill(markerPath("circle", cx, cy, 9.5 * this.unit));
    ctx.fillStyle = letterInk;
    ctx.font = `600 ${12 * this.unit}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(letter, cx, cy + 0.5);
  }
}
