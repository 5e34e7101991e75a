"""The optimisation problem that ITML and LSML share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from dcrc_explore.arrays import FloatArray

Loss = Callable[[FloatArray, FloatArray], tuple[float, FloatArray, FloatArray]]


def objective(L: FloatArray, near: FloatArray, far: FloatArray, loss: Loss) -> tuple[float, FloatArray]:
    r"""Return the LogDet divergence of A = L L' from the identity plus a loss, and its gradient by L.

    .. math:: \mathrm{tr} A - \log \det A - d + \ell(p, q), \quad p_s = u_s' A u_s, \quad q_s = v_s' A v_s

    Parameters
    ----------
    L : ndarray of shape (d, d)
    near, far : ndarray of shape (S, d) and (T, d)
        Rows u_s and v_s.
    loss : callable
        Takes p and q, returns the loss and its derivatives by p and q.
    """
    near_L, far_L = near @ L, far @ L
    value, by_p, by_q = loss(np.sum(near_L**2, axis=1), np.sum(far_L**2, axis=1))
    divergence = np.sum(L**2) - 2 * np.linalg.slogdet(L)[1] - len(L)
    gradient = L - np.linalg.inv(L).T + near.T @ (by_p[:, None] * near_L) + far.T @ (by_q[:, None] * far_L)
    return divergence + value, 2 * gradient


def minimise_logdet(near: FloatArray, far: FloatArray, loss: Loss) -> FloatArray:
    """Return the L that minimises :func:`objective`.

    The problem is convex in A. In L it is not convex, but smooth, unconstrained and without other minima. The log
    determinant keeps L regular, and where L is regular a zero gradient by L is a zero gradient by A.
    """
    d = near.shape[1]

    def function(parameters: FloatArray) -> tuple[float, FloatArray]:
        L = parameters.reshape(d, d)
        if not np.linalg.det(L):  # a step of the search can land on a singular L: look just beside it
            L = L + 1e-9 * np.eye(d)
        value, gradient = objective(L, near, far, loss)
        return value, gradient.ravel()

    options = {"maxiter": 1000, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-6}
    return minimize(function, np.eye(d).ravel(), jac=True, method="L-BFGS-B", options=options).x.reshape(d, d)
