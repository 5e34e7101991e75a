"""The planes of a page as scripts of the tests see them. The product shows them to nobody."""

# `planeOf` finds the plane of a stage: every plane tells the pair that it marks, and nothing else on a page has one.
FIND = """
if (!window.planeOf) {
    const planes = new WeakMap();
    window.planeOf = (stage) => planes.get(stage?.querySelector("canvas"));
    Object.defineProperty(Object.prototype, "markedPair", {
        set(value) {
            Object.defineProperty(this, "markedPair", { value, writable: true, enumerable: true });
            planes.set(this.below, this);
        },
    });
}
"""
# Collects every picture that comes from now on: when the key of an answer was pressed if one was, when the picture
# came, was drawn and was on the screen, and the times that Python measured.
WATCH = """(root) => {
    window.drawn = [];
    const last = [...root.querySelectorAll(".dcrc-plane")].map(planeOf).at(-1);
    const { drawAbove } = last;
    let key = null, come = null;
    window.addEventListener("keydown", (event) => {
        if ("ynd".includes(event.key)) key = performance.now();
    }, { capture: true });
    for (const take of ["setScene", "setBoth"]) {
        const own = last[take];
        last[take] = (scene) => {
            come ??= { received: performance.now(), milliseconds: scene.milliseconds };
            own.call(last, scene);
        };
    }
    last.drawAbove = (state) => {
        drawAbove.call(last, state);
        if (!come) return;
        const moment = { key, ...come, drawn: performance.now() };
        key = come = null;
        requestAnimationFrame(() => window.drawn.push({ ...moment, shown: performance.now() }));
    };
}"""
