// Every message between Python and the browser, as widgets/protocol has them; a test compares the two.

/**
 * What the browser may ask for. Of `latest` ones only the newest matters; `passing` ones are about a picture that any
 * other action replaces; `passive` ones the browser sends by itself.
 */
export const VERBS = {
  hello: { latest: true, passive: true },
  answer: {},
  preview: { latest: true, passing: true },
  suggest: { latest: true },
  auto: { latest: true },
  person: {},
  points: {},
  shared: {},
  people: { latest: true, passing: true, passive: true },
  apart: {},
  skip: {},
  undo: {},
  redo: {},
  dismiss: {},
  flip: {},
  delete: {},
  replay: { latest: true, passing: true, passive: true },
  why: { latest: true, passing: true, passive: true },
  sweep: {},
  cancel: {},
  stop: {},
  epsilon: {},
  plant: {},
  cluster: {},
  panels: { latest: true, passing: true, passive: true },
  items: { passive: true },
  sheet: { passive: true },
  select: { latest: true },
  window: { latest: true, passing: true, passive: true },
  gallery: { latest: true, passing: true, passive: true },
  name: {},
  export: {},
  resume: {},
  set: { latest: true },
  press: {},
  follow: {},
  scene: {},
};

/**
 * @typedef {{do: string, request?: string, passive?: boolean} & Record<string, any>} Message
 *
 * @typedef {object} Points
 * @property {ArrayBufferView} xy
 * @property {number[]} extent
 * @property {string[] | null} classes
 * @property {string | null} items
 * @property {string} note
 * @property {string[]} colours
 * @property {string[]} markers
 *
 * @typedef {object} SceneCard
 * @property {string} title
 * @property {string} text
 * @property {string} outcome
 * @property {number} step
 * @property {number} steps
 * @property {boolean} first
 * @property {boolean} last
 *
 * @typedef {object} AnswersSent
 * @property {number} start
 * @property {ArrayBufferView} rows
 * @property {ArrayBufferView} [who]
 *
 * @typedef {object} Last
 * @property {number} answer
 * @property {number | string | null} surprise
 *
 * @typedef {object} Picture
 * @property {number} clusters
 * @property {string[]} names
 * @property {ArrayBufferView} labels
 * @property {number[]} counts
 * @property {ArrayBufferView | null} truth
 * @property {ArrayBufferView} violated
 * @property {ArrayBufferView | null} satisfied_by_q
 * @property {ArrayBufferView} [pairs]
 * @property {number} cluster
 * @property {ArrayBufferView | null} halo
 * @property {ArrayBufferView | null} regions
 * @property {number} [resolution]
 * @property {ArrayBufferView} [margin]
 * @property {ArrayBufferView} [value]
 * @property {ArrayBufferView} [places]
 * @property {number[]} [extent]
 * @property {string} [about]
 *
 * @typedef {object} MapSent
 * @property {number} resolution
 * @property {ArrayBufferView} regions
 * @property {ArrayBufferView} margin
 * @property {ArrayBufferView} value
 *
 * @typedef {object} Sharp
 * @property {number[]} window
 * @property {MapSent[]} maps
 * @property {ArrayBufferView | null} apart
 *
 * @typedef {object} Status
 * @property {number} version
 * @property {string[]} asserts
 * @property {Last | null} last
 * @property {string} person
 * @property {string[]} people
 * @property {string | null} undo
 * @property {string | null} redo
 * @property {string | null} saved
 * @property {string | null} unsaved
 * @property {boolean} in_memory
 * @property {Record<string, number>} milliseconds
 *
 * @typedef {object} ExplorerSceneAlone
 * @property {string} story
 * @property {ArrayBufferView} moved
 * @property {number | null} iteration
 * @property {number | null} satisfied
 * @property {number} epsilon
 *
 * @typedef {Picture & Status & ExplorerSceneAlone} ExplorerScene
 *
 * @typedef {object} Apart
 * @property {number} most
 * @property {number} changed
 * @property {number[]} entropy
 * @property {ArrayBufferView | null} halo
 * @property {ArrayBufferView | null} map
 *
 * @typedef {object} CompareSceneAlone
 * @property {Picture[]} models
 * @property {Apart} apart
 * @property {number[][]} disputes
 * @property {ArrayBufferView | null} own
 * @property {string} remark
 * @property {string[][]} differences
 *
 * @typedef {Status & CompareSceneAlone} CompareScene
 *
 * @typedef {object} Question
 * @property {number[]} triplet
 * @property {number[]} probabilities
 * @property {number} worth
 * @property {string} reason
 * @property {boolean} suggested
 * @property {boolean} automatic
 * @property {number} version
 * @property {RowDifference[]} differences
 *
 * @typedef {object} RowDifference
 * @property {string} feature
 * @property {string[]} values
 * @property {number[]} deviations
 *
 * @typedef {object} ItemSent
 * @property {number} row
 * @property {string} mime
 * @property {string} text
 * @property {string} problem
 *
 * @typedef {object} ItemsSent
 * @property {ItemSent[]} items
 * @property {number} key
 * @property {boolean} detail
 *
 * @typedef {object} SheetSent
 * @property {number[]} rows
 * @property {number} key
 * @property {number} side
 * @property {number} columns
 * @property {string[] | null} words
 *
 * @typedef {object} ClusterSent
 * @property {number} size
 * @property {number[]} certain
 * @property {number[]} doubtful
 * @property {number[]} mistaken
 *
 * @typedef {object} Notice
 * @property {string} text
 * @property {string} kind
 * @property {string[][]} buttons
 *
 * @typedef {object} PersonSent
 * @property {string} name
 * @property {number} triplets
 * @property {number} pairs
 * @property {number[][] | null} matrix
 * @property {string} source
 * @property {number | null} right
 * @property {number} errors
 * @property {number[][] | null} learned
 * @property {number | null} dnk
 * @property {number | null} surprise
 * @property {boolean} forced
 *
 * @typedef {object} AgreementSent
 * @property {string[]} names
 * @property {number} common
 * @property {number | null} share
 * @property {number | null} kappa
 * @property {boolean} few
 *
 * @typedef {object} PeopleSent
 * @property {number} version
 * @property {PersonSent[]} people
 * @property {AgreementSent[]} agreements
 * @property {string} noise
 * @property {boolean} several
 *
 * @typedef {object} SweepState
 * @property {(number | null)[][]} points
 * @property {number} total
 * @property {boolean} running
 * @property {boolean} current
 * @property {string | null} error
 *
 * @typedef {object} Options
 * @property {string} map
 * @property {number} cluster
 * @property {string} links
 * @property {boolean} truth
 * @property {string | [number, number]} plane
 * @property {boolean} auto
 * @property {boolean} teach
 * @property {number} points
 * @property {boolean} items
 *
 * @typedef {object} Sheet
 * @property {string} title
 * @property {string} [text]
 * @property {string} [query]
 *
 * @typedef {object} Curve
 * @property {string} name
 * @property {number[]} values
 *
 * @typedef {object} Information
 * @property {number[]} clusters
 * @property {Curve[]} curves
 * @property {number} current
 *
 * @typedef {object} ObjectiveTerms
 * @property {Curve[]} terms
 * @property {number} iteration
 * @property {number} iterations
 * @property {string} ending
 *
 * @typedef {object} QualityCurves
 * @property {number[]} answers
 * @property {Curve[]} curves
 *
 * @typedef {object} AnswerTable
 * @property {number[][]} counts
 *
 * @typedef {object} Balance
 * @property {number[]} shares
 *
 * @typedef {object} Panels
 * @property {Information} information
 * @property {ObjectiveTerms} objective
 * @property {QualityCurves | null} quality
 * @property {AnswerTable | null} answers
 * @property {Balance} balance
 * @property {number} version
 *
 * @typedef {object} AnswerPart
 * @property {number} index
 * @property {number} answer
 * @property {number} place
 * @property {number[]} values
 * @property {number[] | null} pair
 *
 * @typedef {object} NoPoint
 * @property {number} point
 *
 * @typedef {object} PointWhy
 * @property {number} point
 * @property {string} sentence
 * @property {number[]} proba
 * @property {number[]} compatibility
 * @property {number[]} factor
 * @property {number[]} q
 * @property {number} epsilon
 * @property {number | null} alpha
 * @property {number[]} set
 * @property {AnswerPart[]} parts
 * @property {number} unused
 *
 * @typedef {object} BothWhy
 * @property {number} point
 * @property {string} sentence
 * @property {PointWhy[]} models
 *
 * @typedef {object} ErrorsWhy
 * @property {number} answers
 * @property {number} errors
 * @property {number} found
 * @property {number[]} precision
 * @property {number[]} recall
 * @property {[number, number, boolean][]} rows
 *
 * @typedef {object} WhyHead
 * @property {"point" | "errors"} view
 * @property {string} key
 *
 * @typedef {object} Gallery
 * @property {ClusterSent[]} clusters
 * @property {number} version
 */
