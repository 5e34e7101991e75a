// Words that Python sets. They are text, whatever is in them.

function render({ model, el }) {
  const show = () => (el.textContent = model.get("value"));
  model.on("change:value", show);
  show();
  return () => model.off("change:value", show);
}

export default { render };
