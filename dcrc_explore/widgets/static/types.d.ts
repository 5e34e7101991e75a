// Written by `python tests/js/protocol.py` from widgets/protocol and the modules sent.py.

/** Numbers that the browser made itself, as a film's, need no unpacking. */
export type Numbers = Uint8Array | Uint16Array | Int32Array | Float32Array;

export interface PackedArray {
  dtype: "bits" | "uint8" | "uint16" | "int32" | "float32";
  shape: number[];
  data: ArrayBufferView | string;
}

export interface Curve {
  name: string;
  values: number[];
}

export interface AnswerInformation {
  curves: Curve[];
  impossible: number[];
  left: number[][];
  words: string[];
}

export interface ClusterInformation {
  clusters: number[];
  current: number;
  ideal: Curve[];
  model: Curve[];
  words: string[];
}

export interface Places {
  xy: PackedArray | Numbers;
  extent: number[];
  names: string[] | null;
  classes: string[] | null;
  colours: string[];
  markers: string[];
}

export interface PageItem {
  text: string;
  image?: string;
}

export interface FilmSent {
  title: string;
  settings: Record<string, string>;
  names: string[];
  truth: PackedArray | Numbers | null;
  labels: PackedArray | Numbers;
  weights: PackedArray | Numbers | null;
  depths: PackedArray | Numbers | null;
  deepest: number[] | null;
  entropy: PackedArray | Numbers | null;
  captions: string[];
  why: string[];
  examples: number[][];
  quality: Curve[] | null;
  terms: Curve[] | null;
  by_answers: AnswerInformation | null;
  worth: ClusterInformation | null;
  worths: number[][][];
}

export interface PageSent {
  name: string;
  about: string[];
  version: string;
  points: Places;
  triplets: PackedArray | Numbers;
  pairs: PackedArray | Numbers;
  triplet_steps: number[];
  pair_steps: number[];
  triplet_numbers: number[];
  pair_numbers: number[];
  surprise: (number | string | null)[];
  frames: "answers" | "iterations";
  steps: number[];
  items: PageItem[] | null;
  films: FilmSent[];
}

export interface Points {
  xy: PackedArray | Numbers;
  extent: number[];
  names: string[] | null;
  classes: string[] | null;
  colours: string[];
  markers: string[];
  items: string | null;
  note: string;
  brushes: PackedArray | Numbers | null;
  blank: number[];
}

export interface SceneCard {
  title: string;
  text: string;
  outcome: string;
  pointed: [number, string] | null;
  step: number;
  steps: number;
  tab: string;
  first: boolean;
  last: boolean;
}

export interface VoteSent {
  number: number;
  round: number;
  revealed: boolean;
  voted: number;
  counts: number[][];
  expected: number[];
  would: string[];
}

export interface GuestSent {
  number: number;
  name: string;
  answers: number;
  errors: number | null;
  violated: number;
  together: number;
}

export interface ClassSent {
  state: string;
  address: string;
  code: string;
  qr: string;
  open: boolean;
  door: string;
  here: number;
  answering: number;
  answers: number;
  vote: VoteSent | null;
  votes: number;
  agreement: string;
  people: GuestSent[];
  names: boolean;
  file: string;
  problem: string;
}

export interface AnswersSent {
  start: number;
  rows: PackedArray | Numbers;
  who?: PackedArray | Numbers;
}

export interface Last {
  answer: number;
  surprise: number | string | null;
}

export interface Picture {
  clusters: number;
  names: string[];
  labels: PackedArray | Numbers;
  counts: number[];
  truth: PackedArray | Numbers | null;
  violated: PackedArray | Numbers;
  satisfied_by_q: PackedArray | Numbers | null;
  pairs?: PackedArray | Numbers;
  cluster: number;
  halo: PackedArray | Numbers | null;
  regions: PackedArray | Numbers | null;
  resolution?: number;
  margin?: PackedArray | Numbers;
  value?: PackedArray | Numbers;
  places?: PackedArray | Numbers;
  extent?: number[];
  about?: string;
}

export interface MapSent {
  resolution: number;
  regions: PackedArray | Numbers;
  margin: PackedArray | Numbers;
  value: PackedArray | Numbers;
}

export interface Sharp {
  window: number[];
  maps: MapSent[];
  apart: PackedArray | Numbers | null;
}

export interface Status {
  version: number;
  asserts: string[];
  last: Last | null;
  person: string;
  people: string[];
  undo: string | null;
  redo: string | null;
  saved: string | null;
  unsaved: string | null;
  in_memory: boolean;
  milliseconds: Record<string, number>;
  changed: string;
}

export interface ExplorerScene {
  clusters: number;
  names: string[];
  labels: PackedArray | Numbers;
  counts: number[];
  truth: PackedArray | Numbers | null;
  violated: PackedArray | Numbers;
  satisfied_by_q: PackedArray | Numbers | null;
  pairs?: PackedArray | Numbers;
  cluster: number;
  halo: PackedArray | Numbers | null;
  regions: PackedArray | Numbers | null;
  resolution?: number;
  margin?: PackedArray | Numbers;
  value?: PackedArray | Numbers;
  places?: PackedArray | Numbers;
  extent?: number[];
  about?: string;
  version: number;
  asserts: string[];
  last: Last | null;
  person: string;
  people: string[];
  undo: string | null;
  redo: string | null;
  saved: string | null;
  unsaved: string | null;
  in_memory: boolean;
  milliseconds: Record<string, number>;
  changed: string;
  story: string;
  moved: PackedArray | Numbers;
  iteration: number | null;
  satisfied: number | null;
  epsilon: number;
}

export interface Apart {
  most: number;
  changed: number;
  entropy: number[];
  halo: PackedArray | Numbers | null;
  map: PackedArray | Numbers | null;
}

export interface CompareScene {
  version: number;
  asserts: string[];
  last: Last | null;
  person: string;
  people: string[];
  undo: string | null;
  redo: string | null;
  saved: string | null;
  unsaved: string | null;
  in_memory: boolean;
  milliseconds: Record<string, number>;
  changed: string;
  models: Picture[];
  apart: Apart;
  disputes: [number, number, number, number][];
  own: PackedArray | Numbers | null;
  remark: string;
  differences: string[][];
}

export interface RowDifference {
  feature: string;
  values: string[];
  deviations: number[];
}

export interface QuestionSent {
  triplet: number[];
  probabilities: number[];
  worth: number;
  surprises: (number | null)[];
  words: string[];
  reason: string;
  suggested: boolean;
  automatic: boolean;
  version: number;
  differences: RowDifference[];
}

export interface ItemSent {
  row: number;
  mime: string;
  text: string;
  problem: string;
}

export interface ItemsSent {
  items: ItemSent[];
  key: number;
  detail: boolean;
}

export interface SheetSent {
  rows: number[];
  key: number;
  side: number;
  columns: number;
  words: string[] | null;
}

export interface EntrySent {
  name: string;
  folder: boolean;
}

export interface ListingSent {
  folder: string;
  start: string;
  entries: EntrySent[];
  holds: string;
  more: number;
}

export interface Notice {
  text: string;
  kind: string;
  buttons: string[][];
}

export interface Options {
  map: string;
  cluster: number;
  links: string;
  truth: boolean;
  plane: string | [number, number];
  auto: boolean;
  teach: boolean;
  points: number;
  items: boolean;
}

export interface Sheet {
  title: string;
  text?: string;
  query?: string;
}

export interface Choice {
  value: string | number | boolean | null;
  label: string;
  help: string;
}

export interface Mark {
  value: number;
  label: string;
}

export interface ControlSent {
  name: string;
  kind: string;
  label?: string;
  words?: string;
  help?: string;
  options?: Choice[];
  limits?: number[];
  marks?: Mark[];
  off?: boolean;
  late?: boolean;
  enter?: string;
  doing?: string;
}

export interface Information {
  answers: AnswerInformation;
  clusters: ClusterInformation;
  random: number;
}

export interface ObjectiveTerms {
  terms: Curve[];
  iteration: number;
  iterations: number;
  ending: string;
}

export interface QualityCurves {
  answers: number[];
  curves: Curve[];
}

export interface AnswerTable {
  counts: number[][];
}

export interface Balance {
  shares: number[];
}

export interface Panels {
  information: Information;
  objective: ObjectiveTerms;
  quality: QualityCurves | null;
  answers: AnswerTable | null;
  balance: Balance;
  version: number;
}

export interface AnswerPart {
  index: number;
  answer: number;
  place: number;
  values: number[];
  pair: number[] | null;
}

export interface NoPoint {
  point: number;
}

export interface PointWhy {
  point: number;
  sentence: string;
  proba: number[];
  compatibility: number[];
  factor: number[];
  q: number[];
  epsilon: number;
  alpha: number | null;
  set: number[];
  parts: AnswerPart[];
  unused: number;
}

export interface BothWhy {
  point: number;
  sentence: string;
  models: PointWhy[];
}

export interface ErrorsWhy {
  answers: number;
  errors: number;
  found: number;
  precision: number[];
  recall: number[];
  rows: [number, number, boolean][];
}

export interface WhyHead {
  view: "point" | "errors";
  key: string;
}

export interface ClusterSent {
  size: number;
  certain: number[];
  doubtful: number[];
  mistaken: number[];
}

export interface GroupsSent {
  words: string;
  numbers: number[];
  values: number[];
  best: number;
  current: number;
}

export interface Proposal {
  number: number;
  title: string;
  points: number[][];
  clusters: number[];
}

export interface GallerySent {
  clusters: ClusterSent[];
  names: string[][];
  order: PackedArray | Numbers;
  groups: GroupsSent | null;
  version: number;
}

export interface PersonSent {
  name: string;
  n_triplets: number;
  n_pairs: number;
  matrix: number[][] | null;
  source: string;
  pairs_right: number | null;
  n_errors: number;
  learned: number[][] | null;
  dnk_rate: number | null;
  surprise: number | null;
  forced: boolean;
  habit: string;
}

export interface AgreementSent {
  names: string[];
  common: number;
  share: number | null;
  kappa: number | null;
  few: boolean;
}

export interface PeopleSent {
  version: number;
  people: PersonSent[];
  agreements: AgreementSent[];
  noise: string;
  several: boolean;
}

export interface GatheringSent {
  total: number;
  running: boolean;
  current: boolean;
  error: string;
}

export interface SweepState {
  total: number;
  running: boolean;
  current: boolean;
  error: string;
  points: ([number, number, number, number | null, number])[];
}

export interface MethodSent {
  method: string;
  labels: PackedArray | Numbers | null;
  ari: number | null;
  satisfied: number | null;
  held_out: number | null;
  seconds: number;
  note: string;
}

export interface MethodsState {
  total: number;
  running: boolean;
  current: boolean;
  error: string;
  results: MethodSent[];
}

export interface TextCard {
  kind: "text";
  text: string;
}

export interface PointCard {
  kind: "point";
  at: number[];
}

export interface MediaCard {
  kind: "image" | "sound";
  src: string;
}

export interface StepHead {
  id: string;
  label?: string;
  back?: boolean;
  progress?: number | null;
}

export interface QuestionStep {
  id: string;
  label?: string;
  back?: boolean;
  progress?: number | null;
  kind: "question";
  items: (TextCard | PointCard | MediaCard)[];
  dnk: boolean;
  feedback: Record<string, string>;
  right: string;
}

export interface PageStep {
  id: string;
  label?: string;
  back?: boolean;
  progress?: number | null;
  kind: "page";
  title: string;
  text: string;
  button: string;
  agree: string;
}

export interface FieldSent {
  id: string;
  text: string;
  kind: string;
  options: string[];
  required: boolean;
}

export interface FormStep {
  id: string;
  label?: string;
  back?: boolean;
  progress?: number | null;
  kind: "form";
  title: string;
  text: string;
  fields: FieldSent[];
}

export interface EndStep {
  id: string;
  label?: string;
  back?: boolean;
  progress?: number | null;
  kind: "end";
  title: string;
  text: string;
  code: string;
}

export interface StepsSent {
  version: number;
  state: "open" | "paused" | "closed";
  steps: (QuestionStep | PageStep | FormStep | EndStep)[];
  saved?: "new" | "before";
}

export interface JoinedSent {
  title: string;
  nicknames: boolean;
  token?: string;
  name?: string;
  nickname?: string;
  number?: number;
}

export interface PlaneSent {
  points: number[][];
}

/** What the browser asks for. */
export type Wish =
  | { do: "hello" }
  | { do: "answer"; triplet: number[]; answer: number; by?: string }
  | { do: "preview"; triplet: number[] }
  | { do: "suggest" }
  | { do: "auto"; on: boolean }
  | { do: "person"; name: string }
  | { do: "points"; points: 2 | 3 }
  | { do: "shared"; on: boolean }
  | { do: "people" }
  | { do: "apart"; on: boolean }
  | { do: "skip"; triplet: number[] }
  | { do: "undo" }
  | { do: "redo" }
  | { do: "dismiss" }
  | { do: "flip"; index: number; answer: number }
  | { do: "delete"; index: number }
  | { do: "replay"; iteration: number; key?: string; why?: number }
  | { do: "why"; view: "point" | "errors"; key: string; point?: number }
  | { do: "sweep" }
  | { do: "methods" }
  | { do: "cancel" }
  | { do: "stop" }
  | { do: "epsilon"; value: number }
  | { do: "plant"; errors: number; person?: string }
  | { do: "cluster"; cluster: number }
  | { do: "panels" }
  | { do: "items"; rows: number[]; key: number; detail: boolean }
  | { do: "sheet"; rows: number[]; key: number }
  | { do: "browse"; folder: string }
  | { do: "select"; rows: number[] }
  | { do: "window"; window: number[] }
  | { do: "gallery" }
  | { do: "name"; cluster: number; name: string }
  | { do: "propose"; gesture: "merge" | "split" | "together" | "move" | "group"; clusters: number[]; rows: number[] }
  | { do: "confirm"; number: number; clusters: boolean; lines: number[] }
  | { do: "export"; kind: "clusters" | "selection" }
  | { do: "resume" }
  | { do: "set"; name: string; value: unknown }
  | { do: "press"; name: string }
  | { do: "follow" }
  | { do: "decide" }
  | { do: "scene"; to: "next" | "back" | "leave" }
  | { do: "class"; to: "open" | "shut" | "vote" | "reveal" | "again" | "own" | "pause" | "resume" | "minute" | "forget" | "forget_address" | "names" | "page" | "close"; triplet?: number[]; number?: number }
  | { do: "draw"; n: number; empty: boolean; erased: number[]; rows: number[]; places: number[][]; added: number[][]; brushes: number[] }
  | { do: "drawing"; to: "" | "on" | "cleared" };

export type Verb = Wish["do"];
export type Message = Wish & { request?: string; passive?: boolean };
