// Makes a script of the page of one that is in it as text of a quarter of its size. The content policy names its hash.

export const unzip = async () => {
  const text = document.getElementById("zipped")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const code = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.type = "module";
  script.id = "code";
  script.textContent = await new Response(code).text();
  document.body.append(script);
};

if (document.querySelector(".dcrc-live")) void unzip();
