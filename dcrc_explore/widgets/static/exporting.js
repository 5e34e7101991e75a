// An export, which may take long: how far it is.

/**
 * @param {import("./shapes.d.ts").Ground} ground
 * @param {() => void} show called when there is something else to say
 */
export function followExports({ watch }, show) {
  let words = "";

  watch("msg:custom", ({ progress }) => {
    if (!progress) return;
    words = progress;
    show();
  });

  return {
    /** How far an export is; empty when there is none. */
    get words() {
      return words;
    },
    /** Nothing goes on any more. */
    end: () => (words = ""),
  };
}
