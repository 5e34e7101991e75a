"""Two people in a real browser, of whom one guesses: triplets and pairs, names, what is kept and what is shown."""

from __future__ import annotations

import json

from live import Tool
from playwright.sync_api import expect


def call(tool: Tool, name: str) -> None:
    """Type a name into the field beside the question."""
    field = tool.root.get_by_label("Who answers")
    field.fill(name)
    field.press("Enter")
    tool.idle()


def asked(tool: Tool) -> list[int]:
    """Let the program ask, and return the points of the question."""
    tool.page.keyboard.press("Enter")
    tool.idle()
    return json.loads(tool.python("print(explorer.question['triplet'])"))


def by_truth(classes: list[int], points: list[int]) -> str:
    """The key of the answer that somebody gives who knows the classes."""
    a, b, *c = (classes[i] for i in points)
    if not c:
        return "y" if a == b else "n"
    return {(True, False): "y", (False, True): "n"}.get((a == b, a == c[0]), "d")


def test_a_name_is_remembered_when_it_is_taken(explore) -> None:
    tool = explore()
    field, known = tool.root.get_by_label("Who answers"), "() => localStorage.getItem('dcrc-person')"
    call(tool, "truth")
    expect(tool.root.locator(".dcrc-notice")).to_contain_text("the name of simulated people")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("")
    assert tool.page.evaluate(known) is None
    call(tool, "  Ann   Lee ")
    expect(field).to_have_value("Ann Lee")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(tool.root.locator(".dcrc-notice")).to_be_hidden()
    assert tool.page.evaluate(known) == "Ann Lee"
    assert tool.problems == []


def test_the_tool_says_how_often_a_person_answered_a_repeated_question_differently(explore) -> None:
    tool = explore('"close", autosave=None')
    classes = json.loads(tool.python("print(explorer.session.dataset.y.tolist())"))
    tool.plane.focus()
    for n in range(12):
        points = asked(tool) if n == 0 else json.loads(tool.python("print(explorer.question['triplet'])"))
        key = by_truth(classes, points)
        tool.page.keyboard.press({"y": "n", "n": "d", "d": "y"}[key] if n == 9 else key)  # the tenth is a repeat
        tool.expect_answers(n + 1)
        tool.idle()
    words = "You answered 1 of 1 repeated question differently: error rate about 14 %. "
    words += "The model uses ε = 0.138, not 0.05."
    tool.tab("Model")
    expect(tool.root.locator("[data-name=repeated]")).to_have_text(words)
    tool.screenshot("repeated")
    tool.tab("People")
    expect(tool.root.locator(".dcrc-noise")).to_contain_text(words)
    tool.screenshot("people-repeated")
    assert tool.problems == []


def test_two_people_answer_triplets_and_pairs(explore) -> None:
    tool = explore('"close", autosave="."')
    page, root = tool.page, tool.root
    page.set_viewport_size({"width": 1440, "height": 900})
    classes = json.loads(tool.python("print(explorer.session.dataset.y.tolist())"))
    answers = 0
    for name, key in (("Ann", None), ("Bob", "n")):  # Bob does not look
        call(tool, name)
        for size, word in ((3, "three points"), (2, "two points")):
            root.get_by_role("button", name=word).click()
            tool.idle()
            tool.plane.focus()
            for _ in range(2):
                points = asked(tool)
                assert len(points) == size
                page.keyboard.press(key or by_truth(classes, points))
                answers += 1
                tool.expect_answers(answers)
    expect(root.locator(".dcrc-card h3")).to_have_text("Do A and B belong together?")
    expect(root.locator(".dcrc-answer small")).to_have_text(["A and B together", "A and B apart", "says nothing"])
    expect(root.locator(".dcrc-reason")).to_contain_text("three points are worth up to")

    # A pair is also two clicks.
    for i in (0, 149):
        page.mouse.click(*tool.position(i))
    page.keyboard.press("d")
    tool.expect_answers(9)

    # The list says who, and shows the answers of one person.
    root.get_by_role("tab", name="Answers").click()
    rows = root.locator(".dcrc-list .dcrc-row")
    expect(rows).to_have_count(9)
    expect(rows.first.locator(".who")).to_have_text("Bob")
    root.get_by_label("Whose answers are listed").select_option("Ann")
    expect(rows).to_have_count(4)
    root.get_by_label("Whose answers are listed").select_option("")
    root.get_by_role("button", name="Delete answer 9").click()
    tool.expect_answers(8)
    page.keyboard.press("z")
    tool.expect_answers(9)
    tool.screenshot("answers")

    # Both answer the same question, so that it is known how far they agree.
    root.get_by_role("tab", name="People").click()
    people = root.locator(".dcrc-people-list > section")
    expect(people).to_have_count(2)
    expect(people.first).to_contain_text("2 answers, 2 pairs")
    expect(root.locator(".dcrc-noise")).to_contain_text("2 people: each has a noise model of their own")
    root.get_by_role("button", name="three points").click()
    tool.idle()
    root.get_by_label("ask what others were asked").check()
    expect(root.locator(".dcrc-reason")).to_contain_text("Others have answered this one")
    tool.plane.focus()
    page.keyboard.press("n")
    tool.expect_answers(10)
    expect(root.locator(".dcrc-agreements")).to_contain_text("Ann and Bob: 1 question in common: too few to tell")
    tool.screenshot("people")

    # Everything is on disk; the name is remembered by the browser, and by the session.
    before = tool.python("print(explorer.session.export.to_csv())")
    code = "from dcrc_explore.session import Session; kept = Session.load(explorer.session.file.path, autosave=False)"
    assert tool.python(f"{code}; print(kept.export.to_csv())") == before
    assert tool.python("print(kept.person, set(kept.fit.people) == {'Ann', 'Bob'})") == "Bob True"
    page.reload()
    tool.ready()
    tool.expect_answers(10)
    expect(root.get_by_label("Who answers")).to_have_value("Bob")
    assert tool.problems == []


def test_the_card_fits_in_the_dark_and_on_a_phone(explore) -> None:
    tool = explore('"digits", autosave=None')
    page, root = tool.page, tool.root
    tool.theme("Dark")
    root.get_by_role("button", name="two points").click()
    tool.idle()
    tool.screenshot("dark")
    items = root.locator(".dcrc-items > :visible")
    expect(items).to_have_count(2)
    page.set_viewport_size({"width": 390, "height": 844})
    tool.idle()
    card, field = root.locator(".dcrc-card").bounding_box(), root.get_by_label("Who answers").bounding_box()
    assert field["x"] + field["width"] <= card["x"] + card["width"]
    root.locator(".dcrc-card").scroll_into_view_if_needed()
    tool.screenshot("phone")
    assert tool.problems == []
