// Shapes that several modules of the browser's half share: what a widget's model holds, the tool that the modules build
// together, and what elements are made from. Written by hand, for tsc alone. What Python sends is in types.d.ts, and what
// one function returns is ReturnType of that function: nothing of either is written again here.

import type {
  AnswersSent, ClassSent, CompareScene, ControlSent, BothWhy, ErrorsWhy, ExplorerScene, GallerySent, Information, ItemsSent,
  ListingSent, Message, MethodsState, NoPoint, Notice, Numbers, Options, Panels, PeopleSent, PointWhy, Points, Proposal,
  QuestionSent, SceneCard, Sharp, Sheet, SheetSent, Status, SweepState, WhyHead,
} from "./types.d.ts";

type Bounds = import("./camera.js").Bounds;

// ---- elements

/** What an element holds: nodes, texts and lists of them; what is null, false or empty is left out. */
export type Child = Node | string | number | false | null | undefined | Child[];

type Listeners = {
  [Type in keyof GlobalEventHandlersEventMap as `on${Type}`]?: (event: GlobalEventHandlersEventMap[Type]) => void;
};

/** A name that begins with "on" takes a listener, "style" a record. */
export interface Attributes extends Listeners {
  style?: Record<string, string | number>;
  [name: string]: string | number | boolean | null | undefined | Attributes["style"] | ((event: never) => void);
}

/** Listen to a target as long as the tool lives. */
type Heeded = WindowEventMap & ElementEventMap;
export type Listen = <Type extends keyof Heeded>(
  target: EventTarget, type: Type, handler: (event: Heeded[Type]) => unknown, options?: AddEventListenerOptions,
) => void;

// ---- the model of a widget: its traits

/** What Python sends, or an empty record before. */
export type OrNothing<T> = T | { [Name in keyof T]?: undefined };

export interface Traits {
  data: Points;
  given: AnswersSent;
  scene: Status;
  sharp: OrNothing<SharpMaps>;
  question: OrNothing<QuestionSent>;
  options: Options;
  controls: Record<string, ControlSent[]>;
  values: Record<string, Value>;
  notice: OrNothing<Notice>;
  playing: OrNothing<SceneCard>;
  busy: boolean;
  doing: string;
  done: string;
  door: string;
  view: "whole" | "lecture";
  hidden: string[];
  models: number;
  draw: "" | "on" | "cleared" | "empty";
}

export interface ExplorerTraits extends Traits {
  scene: ExplorerScene;
  why: Why;
  panels: OrNothing<Panels>;
  gallery: OrNothing<GallerySent>;
  people: OrNothing<PeopleSent>;
  sweep: OrNothing<SweepState>;
  classroom: OrNothing<ClassSent>;
  selection: number[];
}

/** Why a point is where it is, or which answers the model disbelieves. */
export type Why =
  | (WhyHead & { view: "point" } & (NoPoint | PointWhy))
  | (WhyHead & { view: "errors" } & ErrorsWhy)
  | { view?: undefined; key?: undefined };

export interface CompareTraits extends Traits {
  scene: CompareScene;
  why: OrNothing<Pick<WhyHead, "key"> & BothWhy> | (Pick<WhyHead, "key"> & NoPoint & { models?: undefined });
  methods: OrNothing<MethodsState>;
  information: { models?: Information[] };
}

export type PanelName = Exclude<keyof Panels, "version">;

/** What panels draw, by their names. A page knows the number of an iteration, and not how its fit ended. */
export type PanelValues = { [Name in Exclude<PanelName, "objective" | "information">]: NonNullable<Panels[Name]> } & {
  information: import("./information.js").Information;
  objective: Omit<Panels["objective"], "ending"> & { ending?: string; number?: number };
};

/** Maps of the window that is in sight. */
export interface SharpMaps extends Sharp {
  window: Bounds;
}

/** What a control shows. */
export type Value = string | number | boolean | null | string[];

/** What Python tells beside the traits, with bytes for items and sheets. */
export type Extra = Partial<ItemsSent> & {
  sheet?: SheetSent;
  listing?: ListingSent;
  proposal?: Proposal;
  show?: Sheet;
  share?: number; // how far the search for a question is
  progress?: string; // of an export
  fitting?: string; // at which EM iteration a fit is
};

type Handler = (extra: Extra, buffers?: DataView<ArrayBuffer>[]) => void;

/** What a kernel says of a message: "idle" when it is through with it. */
export type Finished = { content: { execution_state: string } };

/** A widget's model, as anywidget gives it. */
export interface Model<T extends Traits = Traits> {
  get<Name extends keyof T>(name: Name): T[Name];
  set<Name extends keyof T>(name: Name, value: T[Name]): void;
  save_changes(): void;
  send(message: Message, callbacks?: { iopub: { status(status: Finished): void } }): void;
  on(event: string, handler: Handler): void;
  off(event: string, handler: Handler): void;
  widget_manager?: { kernel?: Kernel };
}

/** Where one model or two are drawn; `change` draws the other number, and `opened` notes the tab that is open. */
export interface Screen<T extends Traits> {
  model: Model<T>;
  el: HTMLElement;
  tab: string;
  opened(tab: string): void;
  replaced: boolean;
  change(): void;
}

type Slot = (sender: unknown, now: string) => void;
type Signal = { connect(slot: Slot): void; disconnect(slot: Slot): void };

/** JupyterLab's or Voila's connection to a kernel. */
export interface Kernel {
  createComm?(target: string): { open(message: Message): void; close(): void };
  statusChanged?: Signal;
  connectionStatusChanged?: Signal;
}

// ---- the plane

export type Plane = import("./plane.js").Plane;

/** A map: rows of cells from the bottom up, each with its region, and bytes for its margin and its value. */
export interface Surface {
  window: Bounds;
  size: number;
  regions: Numbers;
  margin: Numbers;
  value: Numbers;
}

/** Colours of the theme, and how strong those of clusters and the darkest are. */
export type Ink = Record<
  "ink" | "shade" | "accent" | "bad" | "label" | "muted" | "first" | "second" | "surface" | "labelInk", string
> & { tint: number; dark: number };

/** How a picture is drawn. */
export type Look = Pick<Options, "map" | "links" | "items">;

/** What is drawn above a picture, because it follows the pointer. */
export interface Marks {
  picks: number[];
  hover: number;
  marked: number; // an answer, as the pointer is on its row
  pointed?: number; // the answer that a scene speaks of
  explained: number;
  explaining?: boolean; // whether a click asks why
  size?: number; // of a question, in points
}

// ---- the tool

/** What a person is about to do. */
export interface ToolState extends Marks {
  hoverOn: number; // the plane
  suggestedAt: number;
  suggestion?: QuestionSent;
  pointing: boolean; // whether the mouse was used last
}

/** The points that are selected. */
export interface Selected {
  rows(): number[];
  select(rows: number[]): void;
}

/** What is drawn on stages. */
export interface Drawn<T extends Traits = Traits> {
  model: Model<T>;
  planes: Plane[];
  state: ToolState;
  listen: Listen;
}

/** What every part of a tool may stand on. */
export interface Ground<T extends Traits = Traits>
  extends Drawn<T>, ReturnType<typeof import("./stages.js").makeStages> {
  root: HTMLElement;
  inApp: boolean;
  watch(event: string, handler: Handler): void;
  stopped(): boolean;
  request(message: Message): void;
  requests: ReturnType<typeof import("./requests.js").makeRequests>;
  check(): void;
  redraw(): void;
}

/** What one model, or two, build their screen on. */
export interface Tool<T extends Traits = Traits> extends Ground<T> {
  controls: ReturnType<typeof import("./controls.js").makeControls>;
  items: ReturnType<typeof import("./items.js").makeItems>;
  question: ReturnType<typeof import("./question.js").makeQuestion>;
  sheet: ReturnType<typeof import("./notices.js").makeSheet>;
  card: HTMLElement;
  links: HTMLElement;

  follow(handlers: Record<string, (now: Set<string>) => unknown>): void;
  newPoints(): void;
  newAnswers(): boolean;
  newScene(rest: () => void): void;
  begin(parts: Node[], ...resizing: Element[]): void;
  end(): void;
}

export type ExplorerTool = Tool<ExplorerTraits>;
export type CompareTool = Tool<CompareTraits>;
