// Where the arrow keys lead.

/** @type {Record<string, [number, number]>} right and down */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
