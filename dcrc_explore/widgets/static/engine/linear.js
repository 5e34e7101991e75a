// As much linear algebra as the engine needs; matrices are rows one after the other.

/**
 * Solve A x = b for several b by elimination; both are overwritten, and b becomes x.
 * @param {Float64Array} A (n, n) @param {Float64Array} B (n, m) @param {number} n @param {number} m
 */
export function solve(A, B, n, m) {
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(A[r * n + c]) > Math.abs(A[best * n + c])) best = r;
    if (best !== c) swapRows(A, c, best, n), swapRows(B, c, best, m);
    for (let r = c + 1; r < n; r++) {
      const share = A[r * n + c] / A[c * n + c];
      if (share) takeAway(A, r, c, share, n, c), takeAway(B, r, c, share, m, 0);
    }
  }
  for (let r = n - 1; r >= 0; r--) {
    for (let c = r + 1; c < n; c++) takeAway(B, r, c, A[r * n + c], m, 0);
    for (let e = 0; e < m; e++) B[r * m + e] /= A[r * n + r];
  }
  return B;
}

/** @param {Float64Array} A @param {number} one @param {number} other @param {number} width */
function swapRows(A, one, other, width) {
  const kept = A.slice(one * width, (one + 1) * width);
  A.copyWithin(one * width, other * width, (other + 1) * width);
  A.set(kept, other * width);
}

/**
 * Take a share of a row away from another one, from a column on.
 * @param {Float64Array} A @param {number} row @param {number} other @param {number} share @param {number} width
 * @param {number} from
 */
function takeAway(A, row, other, share, width, from) {
  for (let c = from; c < width; c++) A[row * width + c] -= share * A[other * width + c];
}

/**
 * Eigenvalues, rising, and eigenvectors of a symmetric matrix: Householder's tridiagonal form, then implicit QL.
 * @param {Float64Array} matrix (n, n) @param {number} n
 * @returns {{values: Float64Array, vectors: Float64Array[]}} vectors[e] belongs to values[e]
 */
export function eigen(matrix, n) {
  const { diagonal, beside, turns } = tridiagonal(matrix.slice(), n);
  for (let low = 0; low < n; low++) {
    for (let rounds = 0; rounds < 60; rounds++) {
      let high = low;
      const isNone = (/** @type {number} */ e) =>
        Math.abs(beside[e]) <= 1e-17 * (Math.abs(diagonal[e]) + Math.abs(diagonal[e + 1]));
      while (high < n - 1 && !isNone(high)) high++;
      if (high === low) break;
      implicitStep(diagonal, beside, turns, low, high);
    }
  }
  const order = [...diagonal.keys()].sort((a, b) => diagonal[a] - diagonal[b]);
  return { values: Float64Array.from(order, (e) => diagonal[e]), vectors: order.map((e) => turns[e]) };
}

/**
 * One QL step with Wilkinson's shift on the rows low to high.
 * @param {Float64Array} diagonal @param {Float64Array} beside @param {Float64Array[]} turns
 * @param {number} low @param {number} high
 */
function implicitStep(diagonal, beside, turns, low, high) {
  const slope = (diagonal[low + 1] - diagonal[low]) / (2 * beside[low]);
  const root = Math.hypot(slope, 1);
  let g = diagonal[high] - diagonal[low] + beside[low] / (slope + (slope < 0 ? -root : root));
  let [sine, cosine, moved] = [1, 1, 0];
  for (let i = high - 1; i >= low; i--) {
    const [f, b] = [sine * beside[i], cosine * beside[i]];
    const size = Math.hypot(f, g);
    beside[i + 1] = size;
    if (size === 0) {
      diagonal[i + 1] -= moved;
      beside[high] = 0;
      return;
    }
    [sine, cosine] = [f / size, g / size];
    g = diagonal[i + 1] - moved;
    const r = (diagonal[i] - g) * sine + 2 * cosine * b;
    moved = sine * r;
    diagonal[i + 1] = g + moved;
    g = cosine * r - b;
    const [one, other] = [turns[i], turns[i + 1]];
    for (let e = 0; e < one.length; e++) {
      const [x, y] = [one[e], other[e]];
      other[e] = sine * x + cosine * y;
      one[e] = cosine * x - sine * y;
    }
  }
  diagonal[low] -= moved;
  beside[low] = g;
  beside[high] = 0;
}

/**
 * Reflect a symmetric matrix, which is overwritten, to one with entries on and beside its diagonal.
 * @param {Float64Array} A @param {number} n
 */
function tridiagonal(A, n) {
  const beside = new Float64Array(n);
  const turns = Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (__, e) => Number(e === i)));
  /** @type {{from: number, v: Float64Array, scale: number}[]} */
  const mirrors = [];
  for (let c = 0; c < n - 2; c++) {
    const v = Float64Array.from({ length: n - c - 1 }, (_, r) => A[(c + 1 + r) * n + c]);
    const size = Math.hypot(...v);
    beside[c] = v[0];
    const rest = v.subarray(1).some((value) => value !== 0);
    if (!rest) continue;
    const head = v[0] > 0 ? -size : size;
    v[0] -= head;
    beside[c] = head;
    const scale = 2 / v.reduce((sum, value) => sum + value * value, 0);
    mirrors.push({ from: c + 1, v, scale });
    // A - v w' - w v' in the lower right corner.
    const m = v.length;
    const w = new Float64Array(m);
    for (let r = 0; r < m; r++) {
      const at = (c + 1 + r) * n + c + 1;
      for (let e = 0; e < m; e++) w[r] += A[at + e] * v[e];
      w[r] *= scale;
    }
    let along = 0;
    for (let r = 0; r < m; r++) along += w[r] * v[r];
    for (let r = 0; r < m; r++) w[r] -= 0.5 * scale * along * v[r];
    for (let r = 0; r < m; r++) {
      const at = (c + 1 + r) * n + c + 1;
      for (let e = 0; e < m; e++) A[at + e] -= v[r] * w[e] + w[r] * v[e];
    }
  }
  if (n > 1) beside[n - 2] = A[(n - 1) * n + n - 2];
  // turns[e] is the column e of the product of all reflections.
  for (const { from, v, scale } of mirrors.reverse()) {
    for (const column of turns) {
      let along = 0;
      for (let r = 0; r < v.length; r++) along += v[r] * column[from + r];
      for (let r = 0; r < v.length; r++) column[from + r] -= scale * along * v[r];
    }
  }
  return { diagonal: Float64Array.from({ length: n }, (_, i) => A[i * n + i]), beside, turns };
}

/**
 * Eigenvectors of D v = value S v with the largest values, each with v'Sv = 1.
 * @param {Float64Array} D @param {Float64Array} S positive definite @param {number} n @param {number} count
 * @returns {Float64Array[] | null} null where S is not positive definite
 */
export function largestDirections(D, S, n, count) {
  const L = S.slice(); // S = L L', below and on the diagonal
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= r; c++) {
      for (let e = 0; e < c; e++) L[r * n + c] -= L[r * n + e] * L[c * n + e];
      if (r === c && !(L[r * n + r] > 0)) return null;
      L[r * n + c] = r === c ? Math.sqrt(L[r * n + r]) : L[r * n + c] / L[c * n + c];
    }
  }
  const below = (/** @type {Float64Array} */ A) => { // L^-1 A
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < r; c++) takeAway(A, r, c, L[r * n + c], n, 0);
      for (let e = 0; e < n; e++) A[r * n + e] /= L[r * n + r];
    }
    return A;
  };
  const { vectors } = eigen(below(transposed(below(D.slice()), n)), n);
  return vectors.slice(-count).map((v) => {
    for (let r = n - 1; r >= 0; r--) {
      for (let e = r + 1; e < n; e++) v[r] -= L[e * n + r] * v[e];
      v[r] /= L[r * n + r];
    }
    return v;
  });
}

/** @param {Float64Array} A @param {number} n */
const transposed = (A, n) => A.map((_, at) => A[(at % n) * n + Math.floor(at / n)]);
