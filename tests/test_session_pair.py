"""Two models of the same data and answers."""

import queue

import numpy as np
import pytest

from dcrc_explore.inspection import compare, disagreement
from dcrc_explore.metrics import adjusted_rand
from dcrc_explore.session import Change, Pair, Session, SessionError, Settings, differences


def a_pair(data="close", second=None, **options) -> Pair:
    return Pair(Session(data, autosave=None, **options), second)


def test_soft_is_compared_with_hard_unless_told_otherwise():
    assert (a_pair().first.settings.epsilon, a_pair().second.settings.epsilon) == (0.05, 0)
    assert a_pair(epsilon=0).second.settings.epsilon == 0.05
    assert a_pair(second={"tau": 3.0}).second.settings == Settings(tau=3.0)


def test_the_second_model_has_the_same_data_and_answers_whatever_is_done():
    pair = a_pair()
    first, second = pair.first, pair.second

    def together():
        assert second.dataset is first.dataset
        assert second.log == first.log
        assert second.fit.log is first.log
        assert len(second.fit.labels) == len(first.fit.labels)

    first.answer_by_oracle(20, strategy="random")
    together()
    first.answer((0, 1, 2), "no")
    together()
    first.flip(20)
    together()
    first.delete(3)
    together()
    first.undo()
    together()
    first.set(n_clusters=4)
    together()
    assert second.settings.n_clusters == 4
    first.set_data("moons")
    together()
    assert second.settings.n_clusters == 2
    first.undo()
    together()
    assert second.settings.n_clusters == 4
    assert not hasattr(second, "file")  # it is saved nowhere


@pytest.mark.parametrize(
    "changes", [{"epsilon": 0.0}, {"balance": False}, {"use_dnk": False}, {"kernel": "rbf"}, {"tau": 0.2}]
)
def test_any_setting_can_be_compared_and_is_stated_in_words(changes):
    pair = a_pair(second=changes)
    pair.first.answer_by_oracle(15, strategy="random")
    (difference,) = pair.differences
    assert str(difference) == f"{difference.setting}: {difference.first} against {difference.second}"
    assert pair.comparison.second.shape == (150, 3)
    alone = Session("close", autosave=None, **changes)
    alone.add(pair.first.log.triplets.indices, pair.first.log.triplets.answers)
    assert adjusted_rand(alone.fit.labels, pair.second.fit.labels) == 1


def test_settings_of_every_name_have_words():
    other = Settings(
        n_clusters=4,
        epsilon=0,
        repeats=False,
        tau=2,
        lam=1,
        balance=False,
        use_dnk=False,
        weighting="paper",
        per_person=False,
        kernel="rbf",
        gamma=2,
        restart=True,
        random_state=1,
        open_k=True,
    )
    for name in Settings.names():
        base = Settings(kernel="rbf") if name == "gamma" else Settings()
        assert len(differences(base, base.changed({name: getattr(other, name)}))) == 1, name
    assert differences(Settings(), Settings(gamma=2.0)) == []  # a width without a kernel is no difference
    words = [str(difference) for difference in differences(Settings(), other)]
    assert "Answers: soft, ε = 0.05 against hard, ε = 0" in words
    assert "Weights λ: 2⁻⁶ against 1" in words


def test_clusters_have_the_numbers_of_the_first_model():
    pair = a_pair("far")
    pair.first.answer_by_oracle(30, strategy="random")
    numbers = compare(pair.first.fit.proba, pair.second.fit.proba).numbers
    np.testing.assert_array_equal(numbers, np.arange(3))
    assert not pair.comparison.changed.any()


def test_models_with_different_k_can_be_compared():
    pair = a_pair(second={"n_clusters": 5})
    assert pair.comparison.first.shape == pair.comparison.second.shape == (150, 5)
    assert pair.disagreement(20).changed.shape == (20, 20)
    pair.first.answer_by_oracle(5, strategy="random")
    assert pair.second.settings.n_clusters == 5


def test_disputes_follow_every_answer():
    pair = a_pair()
    pair.first.answer_by_oracle(60, oracle="noisy", epsilon=0.3, strategy="random")
    first, second = pair.first.fit.violated, pair.second.fit.violated
    assert [dispute.index for dispute in pair.comparison.disputes] == np.flatnonzero(first != second).tolist()
    kept = pair.comparison
    assert pair.comparison is kept  # nothing changed, nothing is computed
    pair.first.answer((0, 1, 2), "yes")
    assert pair.comparison is not kept


def test_the_map_of_disagreement_is_that_of_the_two_maps():
    pair = a_pair(second={"tau": 3.0})
    pair.first.answer_by_oracle(10, strategy="random")
    apart = pair.disagreement(30)
    one, other = (session.fit.surface(30) for session in (pair.first, pair.second))
    np.testing.assert_array_equal(apart.changed, one.regions != other.regions)
    np.testing.assert_array_equal(np.sign(apart.entropy_difference), np.sign(other.entropy.astype(int) - one.entropy))
    assert abs(apart.entropy_difference).max() <= np.log2(3)
    with pytest.raises(ValueError, match=r"same grid, got shapes \(30, 30\) and \(20, 20\)"):
        disagreement(one, pair.second.fit.surface(20))
    assert a_pair(np.random.default_rng(0).normal(size=(20, 5))).disagreement() is None


def test_undo_takes_back_the_last_step_of_either_side():
    pair = a_pair()
    pair.first.answer((0, 1, 2), "yes")
    pair.second.set(tau=2.0)
    pair.first.answer((3, 4, 5), "no")
    steps = []

    def state():
        return len(pair.first.log), pair.second.settings.tau

    while pair.undo_label is not None:
        steps.append((pair.undo_label, state()))
        pair.undo()
    assert steps == [("answer 2", (2, 2.0)), ("second model: tau", (1, 2.0)), ("answer 1", (1, 1.0))]
    assert state() == (0, 1.0)
    labels = []
    while pair.redo_label is not None:
        labels.append(pair.redo_label)
        pair.redo()
    assert labels == ["answer 1", "second model: tau", "answer 2"]
    assert state() == (2, 2.0)


def test_undo_brings_back_the_same_fit_on_both_sides():
    pair = a_pair()
    pair.first.answer_by_oracle(30, oracle="noisy", epsilon=0.2, strategy="random")
    before = pair.second.fit.proba
    pair.first.answer((0, 50, 100), "yes")
    pair.first.answer((1, 51, 101), "yes")
    pair.undo()
    pair.undo()
    np.testing.assert_allclose(pair.second.fit.proba, before)


def test_the_second_takes_no_answers_of_its_own():
    pair = a_pair()
    for action in (lambda: pair.second.answer((0, 1, 2), "yes"), lambda: pair.second.set_data("moons")):
        with pytest.raises(SessionError, match="belong to the first"):
            action()
    assert pair.second.dataset is pair.first.dataset
    assert not pair.second.log


def test_observers_are_told_once_when_both_have_followed():
    pair = a_pair()
    events = []
    detach = pair.observe(lambda event: events.append((event.changed, len(pair.second.log))))
    pair.first.answer((0, 1, 2), "yes")
    pair.second.set(epsilon=0.1)
    pair.undo()
    detach()
    pair.undo()
    changes, n_answers = zip(*events, strict=True)
    assert n_answers == (1, 1, 1)
    assert Change.ANSWERS in changes[0]
    assert all(Change.SETTINGS in change for change in changes[1:])


def test_a_closed_pair_does_not_follow():
    pair = a_pair()
    pair.close()
    pair.first.answer((0, 1, 2), "yes")
    assert not pair.second.log


def test_long_fits_of_the_second_model_go_on_in_the_background(monkeypatch):
    monkeypatch.setattr(Session, "patience", 0.0)  # every fit takes long
    waiting: queue.Queue = queue.Queue()
    first = Session("close", autosave=None, background=waiting.put)
    pair = Pair(first, {"kernel": "rbf"})
    events = []
    pair.observe(events.append)
    first.answer((0, 1, 2), "yes")
    assert pair.busy
    assert len(pair.second.fit.log.triplets) == 0
    while pair.busy:
        waiting.get(timeout=60)()
    assert len(pair.second.fit.log.triplets) == 1
    assert Change.BUSY in events[-1].changed


def test_representation():
    pair = a_pair()
    assert repr(pair) == f"Pair({pair.first!r}, Answers: soft, ε = 0.05 against hard, ε = 0)"
    pair.second.set(epsilon=0.05)
    assert repr(pair).endswith("same settings)")


def test_the_pair_is_a_figure():
    pair = a_pair()
    pair.first.answer_by_oracle(30, oracle="noisy", epsilon=0.2, strategy="random")
    figure = pair.figure(kind="changed")
    assert [ax.get_title(loc="left").split(":")[0] for ax in figure.axes[:2]] == ["First", "Second"]
    assert "soft, ε = 0.05 against hard" in figure.get_suptitle()
    assert len(a_pair(np.random.default_rng(0).normal(size=(20, 5))).figure().axes) == 3


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_both_models_are_seen_in_one_plane(kernel):
    pair = Pair(Session("wine", autosave=None, n_clusters=2), {"epsilon": 0.2, "kernel": kernel})
    pair.first.answer_by_oracle(10, strategy="random")
    planes = pair.planes("model")
    np.testing.assert_allclose(planes[0].points, planes[1].points)
    for session, view in zip((pair.first, pair.second), planes, strict=True):
        assert np.array_equal(view.flatten(session.fit.weights).proba(view.points).argmax(axis=1), session.fit.labels)
    apart = pair.disagreement(planes=planes)
    assert apart.extent == pytest.approx(planes[0].extent)
    assert pair.disagreement() is None  # principal components have no map
    axes = pair.figure(plane="model").axes
    assert all(ax.get_xlim() == pytest.approx(planes[0].extent[:2]) for ax in axes[:3])
    axes = pair.figure(plane=pair.planes((0, 1))).axes
    assert axes[0].get_xlim() == pytest.approx(pair.first.fit.view((0, 1)).extent[:2])
