// Opens the course with a live tool: runs the one cell of a notebook that is marked for it, and adds a launcher card.
//
// An extension of JupyterLab is a container that gets the modules which JupyterLab shares and gives a list of plugins.
// This one is written by hand, so that it can be read as it runs.

(() => {
  const NAME = "dcrc-explore";
  const TAG = "dcrc-live";
  const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="1.5">
    <path d="M12 5 5 18M12 5l7 13" stroke="#888"/>
    <circle cx="12" cy="5" r="3.2" fill="#4477aa"/>
    <circle cx="5" cy="18" r="3.2" fill="#4477aa"/>
    <circle cx="19" cy="18" r="3.2" fill="#ee6677"/></svg>`;

  let scope;

  /** Load a module that JupyterLab shares. */
  async function shared(name) {
    const [module] = Object.values(scope[name] ?? {});
    return module ? (await module.get())() : {};
  }

  /** What the command tells about the course: its folder, its first notebook, and which code may run by itself. */
  function course() {
    const settings = JSON.parse(document.getElementById("jupyter-config-data").textContent);
    return settings.dcrcExplore ?? { folder: "", first: "", cells: [] };
  }

  /** The SHA-256 of a text, as Python writes it. */
  async function digest(text) {
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** Find the marked cell of a notebook, if it is the code that we wrote. */
  async function liveCell(panel) {
    const { folder, cells } = course();
    const path = panel.context.path.split("/").slice(0, -1).join("/");
    if (path !== folder) return undefined;
    const marked = panel.content.widgets.find((cell) => cell.model.getMetadata("tags")?.includes(TAG));
    if (!marked || marked.model.type !== "code") return undefined;
    return cells.includes(await digest(marked.model.sharedModel.getSource())) ? marked : undefined;
  }

  /** Run the marked cell of a notebook that was opened, once its kernel listens. */
  async function bringToLife(panel, NotebookActions) {
    await Promise.all([panel.context.ready, panel.revealed, panel.sessionContext.ready]);
    await panel.sessionContext.session?.kernel?.info;
    const cell = await liveCell(panel);
    if (!cell) return;
    await NotebookActions.runCells(panel.content, [cell], panel.sessionContext);
    // The notebook scrolls to where it was when it has laid out its cells; the tool shall be seen whole after that.
    await new Promise((resolve) => setTimeout(resolve, 300));
    cell.outputArea.node.scrollIntoView({ block: "start" });
  }

  /** Close the list of files, once for each tab of the browser: the whole tool is in sight then. */
  function makeRoom(shell) {
    if (sessionStorage.getItem(NAME)) return;
    sessionStorage.setItem(NAME, "opened");
    shell.collapseLeft();
  }

  /** Take the token out of the address: it has done its work, and stays in a cookie. */
  function hideToken() {
    const address = new URL(location.href);
    if (!address.searchParams.has("token")) return;
    address.searchParams.delete("token");
    history.replaceState(history.state, "", address);
  }

  async function plugins() {
    const names = ["@jupyterlab/notebook", "@jupyterlab/launcher", "@jupyterlab/ui-components"];
    const [notebook, { ILauncher }, { LabIcon }] = await Promise.all(names.map(shared));
    const live = {
      id: `${NAME}:live`,
      autoStart: true,
      requires: [notebook.INotebookTracker],
      activate: (app, tracker) => {
        void app.restored.then(() => {
          hideToken();
          if (course().first) makeRoom(app.shell);
        });
        tracker.widgetAdded.connect((_, panel) => {
          bringToLife(panel, notebook.NotebookActions).catch((error) => console.error(`${NAME}: ${error}`));
        });
      },
    };
    const card = {
      id: `${NAME}:launcher`,
      autoStart: true,
      optional: [ILauncher],
      activate: (app, launcher) => {
        const { folder, first } = course();
        const command = `${NAME}:open`;
        app.commands.addCommand(command, {
          label: "DCRC Explorer",
          caption: "Open the first notebook of the course, with the tool",
          icon: new LabIcon({ name: `${NAME}:icon`, svgstr: ICON }),
          execute: () => app.commands.execute("docmanager:open", { path: `${folder}/${first}` }),
        });
        if (first) launcher?.add({ command, category: "DCRC", rank: 0 });
      },
    };
    return [live, card];
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB[NAME] = {
    init: (modules) => {
      scope = modules;
    },
    get: async () => {
      const all = await plugins();
      return () => ({ __esModule: true, default: all });
    },
  };
})();
