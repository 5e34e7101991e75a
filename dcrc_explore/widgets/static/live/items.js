// What a visitor sees of a point: pictures and texts that Python wrote into the page, as widgets/scene.py sends them.

const [SIDE, COLUMNS] = [64, 8]; // of a sheet of small pictures

/**
 * @typedef {{kind: string, cards: {text: string, mime: string, data: string}[]}} ItemsSent
 * @typedef {import("./session.js").Subject} Subject
 * @typedef {{sheet: import("../types.d.ts").SheetSent, buffers: DataView[]}} Sheet
 */

/** @param {string} text in base64 */
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** @param {Subject} subject @param {number[]} rows */
export function cardsOf({ items }, rows) {
  const known = rows.flatMap((row) => (items?.cards[row] ? [{ row, problem: "", ...items.cards[row] }] : []));
  return {
    items: known.map(({ row, problem, text, mime }) => ({ row, problem, text, mime })),
    buffers: known.map(({ data }) => new DataView(bytes(data).buffer)),
  };
}

/** @type {(subject: Subject, rows: number[], key: number) => Promise<Sheet>} small pictures on one sheet, or words */
export const sheetOf = async ({ items }, rows, key) => {
  const cards = rows.map((row) => items?.cards[row]);
  const sheet = { rows, key, side: SIDE, columns: COLUMNS, words: cards.map((card) => card?.text.slice(0, 80) ?? "") };
  if (items?.kind === "texts") return { sheet, buffers: [] };
  const canvas = new OffscreenCanvas(SIDE * COLUMNS, SIDE * Math.ceil(rows.length / COLUMNS));
  const ctx = canvas.getContext("2d");
  await Promise.all(cards.map(async (card, at) => {
    if (!card) return;
    const image = await createImageBitmap(new Blob([bytes(card.data)], { type: card.mime }));
    const side = Math.min(image.width, image.height);
    const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
    ctx?.drawImage(image, x, y, side, side, (at % COLUMNS) * SIDE, Math.floor(at / COLUMNS) * SIDE, SIDE, SIDE);
  }));
  const picture = await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer();
  return { sheet: { ...sheet, words: null }, buffers: [new DataView(picture)] };
};
