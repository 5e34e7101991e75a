// An export, which may take long: how far it is, and that it is begun once.

/**
 * @param {any} tool
 * @param {() => void} show called when there is something else to say
 */
export function followExports(tool, show) {
  let words = "";

  tool.watch("msg:custom", ({ progress, exported }) => {
    if (!progress && !exported) return;
    words = progress ?? "";
    if (exported) tool.root?.removeAttribute("data-exporting");
    show();
  });

  return {
    /** How far an export is; empty when there is none. */
    get words() {
      return words;
    },
    /** From the click on its button until Python has written it, no other one is begun. @param {HTMLElement} root */
    guard(root) {
      tool.listen(root, "click", (event) => {
        if (!event.target.closest(".dcrc-export")) return;
        if (root.hasAttribute("data-exporting")) event.stopPropagation();
        root.setAttribute("data-exporting", "");
      }, { capture: true });
    },
  };
}
