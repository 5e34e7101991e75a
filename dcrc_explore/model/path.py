"""The EM iterations of a fit, one by one, each with its state and a model that is built on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from dcrc_explore.arrays import FloatArray
from dcrc_explore.model.em import Bound, EMState, Problem
from dcrc_explore.model.softmax import Weights, log_proba
from dcrc_explore.model.starts import Start
from dcrc_explore.model.threads import one_thread

if TYPE_CHECKING:
    from dcrc_explore.model.estimator import DCRC


@dataclass(frozen=True, eq=False)
class Path:
    """EM from one start.

    Parameters
    ----------
    problem : Problem
    start : Start
    max_iter, tol
        As in :class:`~dcrc_explore.DCRC`.
    make_model : callable(EMStep)
        Makes a fitted estimator of a step.
    """

    problem: Problem
    start: Start
    max_iter: int
    tol: float
    make_model: Callable[[EMStep], DCRC]

    def steps(self) -> Iterator[EMStep]:
        """Yield the start, then the fit after each iteration; where tau changes, an iteration is yielded again."""
        start, step = self.start, None
        states = self.problem.run(start.W, start.Q, soft_start=start.soft, max_iter=self.max_iter, tol=self.tol)
        for state in states:
            moved = step is not None and state.W is not step.state.W
            iteration = 0 if step is None else step.iteration + moved
            step = EMStep(iteration, state, self, step)
            yield step


@dataclass(frozen=True, eq=False)
class EMStep:
    """The fit after an EM iteration, as :meth:`DCRC.iterate` yields it.

    Attributes
    ----------
    iteration : int
        0 for the initialisation.
    state : EMState
        W, Q and the bound that EM climbs here.
    path : Path
    before : EMStep or None

    Examples
    --------
    >>> from dcrc_explore import DCRC
    >>> X = [[0.0], [0.2], [5.0], [5.2]]
    >>> *_, last = DCRC(2, random_state=0).iterate(X, triplets=[(0, 1, 2)], answers=["yes"])
    >>> last.converged, last.model.predict_answers(X, [(3, 2, 0)])
    (True, array([1], dtype=int8))
    """

    iteration: int
    state: EMState = field(repr=False)
    path: Path = field(repr=False)
    before: EMStep | None = field(repr=False)

    @property
    def softened(self) -> bool:
        """Whether EM climbs with a smaller tau and a larger lambda here: then the bound may fall."""
        return self.state.factors != self.path.problem.factors

    @cached_property
    def bound(self) -> Bound:
        """The bound Eq. (10), term by term, with the full tau and lambda."""
        return self.state.bound.reweighed(self.state.factors, self.path.problem.factors)

    @property
    def converged(self) -> bool:
        """Whether fewer iterations than allowed led here."""
        return self.iteration < self.path.max_iter

    @property
    def lower_bounds(self) -> list[float]:
        """The bound after each iteration up to this one, softened ones left out."""
        bounds: list[float] = []
        step: EMStep | None = self
        while step is not None:
            bounds += [] if step.softened else [step.bound.total]
            step = step.before
        return bounds[::-1]

    @property
    def weights(self) -> Weights:
        """W of this iteration."""
        return Weights.from_matrix(self.state.W)

    @cached_property
    def proba(self) -> FloatArray:
        """P(y|x; W), shape (N, K)."""
        problem = self.path.problem
        with one_thread():
            _, P = log_proba(self.state.W, problem.X)
        return problem.in_order_of_rows(P)

    @cached_property
    def posterior(self) -> FloatArray:
        """Q for the constrained instances and P(y|x) for the others, shape (N, K)."""
        posterior = self.proba.copy()
        posterior[self.path.problem.graph.instances] = self.state.Q.T
        return posterior

    @cached_property
    def model(self) -> DCRC:
        """A fitted estimator with the weights of this iteration."""
        return self.path.make_model(self)


def best_steps(paths: list[Path], verbose: int = 0) -> list[EMStep]:
    """Follow every path to its end and return the steps of the one with the best bound.

    With `verbose` the end of each path is printed; if it is above 1, every step.
    """

    def followed(number: int, path: Path) -> list[EMStep]:
        steps = []
        for step in path.steps():
            steps.append(step)
            if verbose > 1:
                print(f"start {number} of {len(paths)}, iteration {step.iteration}: bound {step.bound.total:.6g}")
        if verbose:
            print(f"start {number} of {len(paths)}: bound {step.bound.total:.6g} after {step.iteration} iterations")
        return steps

    best, *others = map(followed, range(1, len(paths) + 1), paths)
    for steps in others:
        if steps[-1].bound.exceeds(best[-1].bound):
            best = steps
    return best
