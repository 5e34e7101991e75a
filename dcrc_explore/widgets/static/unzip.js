// Makes a script of the page of one that is in it as text of a quarter of its size. The content policy names its hash.

const text = document.getElementById("zipped")?.textContent ?? "";
const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const code = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const script = document.createElement("script");
script.type = "module";
script.id = "code";
void new Response(code).text().then((whole) => {
  script.textContent = whole;
  document.body.append(script);
});
