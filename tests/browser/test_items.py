"""Real things in a real browser: questions about images, texts and rows, answered by looking at them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from live import Tool
from playwright.sync_api import Locator, expect

LOADED = "(img) => img.complete && img.naturalWidth > 0"


def question(tool: Tool) -> list[int]:
    """Let the program ask, and return the three points of the question, whose items are shown."""
    tool.page.keyboard.press("Enter")
    tool.idle()  # a question that was there before is gone
    cards = tool.root.locator(".dcrc-items button.dcrc-item")
    expect(cards).to_have_count(3)
    for card in cards.all():
        shown(card)
    return [int(card.get_attribute("data-row")) for card in cards.all()]


def shown(card: Locator) -> None:
    """Wait until a card shows its image."""
    image = card.locator("img")
    image.wait_for()
    assert image.evaluate(f"async (img) => {{ await img.decode(); return ({LOADED})(img); }}")


def test_who_looks_at_digits_can_answer(explore) -> None:
    tool = explore('"digits", autosave=None')
    page, root = tool.page, tool.root
    # A person who sees the images knows the classes.
    classes = json.loads(tool.python("print(explorer.session.dataset.y.tolist())"))
    page.set_viewport_size({"width": 1400, "height": 1000})
    tool.plane.focus()
    for n in range(1, 4):
        a, b, c = question(tool)
        sizes = [card.locator("img").bounding_box() for card in root.locator(".dcrc-items .dcrc-item").all()]
        assert all(min(size["width"], size["height"]) >= 96 for size in sizes)
        tool.screenshot(f"question-{n}")
        same = classes[a] == classes[b], classes[a] == classes[c]
        page.keyboard.press({(True, False): "y", (False, True): "n"}.get(same, "d"))
        tool.expect_answers(n)
    # The list shows what was asked about, and tells it to screen readers.
    tool.tab("Answers")
    small = root.locator(".dcrc-list .dcrc-thumb img")
    expect(small).to_have_count(9)
    assert all("image" in each.get_attribute("alt") for each in small.all())
    tool.screenshot("answers")
    tool.plane.focus()
    # One is enlarged on a click, and Esc closes it; the question is as it was.
    asked = question(tool)
    middle = root.locator(".dcrc-items .dcrc-item").nth(1)
    expect(middle).to_have_attribute("title", f"image {asked[1]}: click to enlarge")
    middle.click()
    large = root.locator(".dcrc-sheet img")
    large.wait_for()
    assert large.get_attribute("alt") == f"image {asked[1]}"
    tool.screenshot("enlarged")
    page.keyboard.press("Escape")
    expect(root.locator(".dcrc-sheet")).to_be_hidden()
    expect(root.locator(".dcrc-pill.chosen").first).to_be_visible()
    # A point under the pointer shows its item beside it.
    page.mouse.move(*tool.position(7))
    root.locator(".dcrc-hover img").wait_for()
    tool.screenshot("hover")
    # The picture shows items where there is room, more of them from near, and none when they are not wanted.
    placed = "planeOf(plane).things.placed.size"
    plane = tool.plane.element_handle()
    page.wait_for_function(f"(plane) => {placed} > 0", arg=plane)
    some = tool.plane.evaluate(f"(plane) => {placed}")
    tool.plane.focus()
    for _ in range(2):
        page.keyboard.press("+")
    page.wait_for_function(f"([plane, some]) => {placed} > some", arg=[plane, some])
    item, dot = tool.plane.evaluate(
        """(plane) => {
            const shown = planeOf(plane);
            const [[row, { x, y, width }]] = shown.things.placed;
            return [row, shown.nearest(x + width - 1, y)];
        }"""
    )
    assert item == dot or dot not in tool.plane.evaluate("(plane) => [...planeOf(plane).things.placed.keys()]")
    tool.screenshot("items-from-near")
    root.get_by_role("button", name="Items", exact=True).click()
    page.wait_for_function(f"(plane) => {placed} === 0", arg=plane)
    assert tool.foreign_requests() == []
    assert tool.problems == []


@pytest.mark.parametrize("name", ["short-texts", "breast-cancer"])
def test_texts_and_rows_are_read(explore, name: str) -> None:
    tool = explore(f'"{name}", autosave=None')
    root = tool.root
    tool.plane.focus()
    tool.page.keyboard.press("Enter")
    if name == "short-texts":
        expect(root.locator(".dcrc-items .dcrc-item-words")).to_have_count(3)
    else:
        expect(root.locator(".dcrc-items tbody tr")).to_have_count(5)
        expect(root.locator(".dcrc-items tbody tr").first.locator("td")).to_have_count(3)
    tool.page.mouse.move(*tool.position(5))
    expect(root.locator(".dcrc-hover")).to_be_visible()
    tool.screenshot("question")
    assert tool.problems == []


def test_all_texts_of_an_answer_are_in_the_list(explore) -> None:
    """Each on a line of its own, so that none is cut away by another; a gesture shows them in full."""
    tool = explore("'short-texts', autosave=None")
    tool.python("explorer.session.answer_by_oracle(100, strategy='random')")
    tool.expect_answers(100)
    tool.tab("Answers")
    rows = tool.root.locator(".dcrc-list .dcrc-row")
    expect(rows.first.locator(".dcrc-thumb")).to_have_count(3)
    place = "(each) => { const { x, right, y, bottom } = each.getBoundingClientRect(); return [x, right, y, bottom]; }"
    for row in rows.all()[:3]:
        left, right, top, bottom = row.evaluate(place)
        texts = [text.evaluate(place) for text in row.locator(".dcrc-thumb").all()]
        assert [text[2] for text in texts] == sorted({text[2] for text in texts})
        assert all(left < text[0] and text[1] < right and top <= text[2] < text[3] <= bottom + 1 for text in texts)
        assert min(text[1] - text[0] for text in texts) > 100
    # The list is as long as its rows are, also those that are not in the page yet.
    whole = tool.root.locator(".dcrc-list .dcrc-rows").evaluate("(list) => list.scrollHeight")
    assert whole == pytest.approx(100 * rows.first.bounding_box()["height"], rel=0.02)
    assert tool.problems == []


def test_points_of_the_plane_have_no_items(explore) -> None:
    tool = explore("autosave=None")
    expect(tool.root.locator(".dcrc-items")).to_be_hidden()
    tool.page.mouse.move(*tool.position(5))
    expect(tool.root.locator(".dcrc-hint")).to_contain_text("cluster")
    expect(tool.root.locator(".dcrc-hover")).to_be_hidden()
    tool.click_points(5, 60, 120)
    expect(tool.root.locator(".dcrc-worth")).to_contain_text("bit")
    expect(tool.root.locator(".dcrc-items")).to_be_hidden()
    assert tool.problems == []


def test_clusters_are_looked_into_named_and_exported(explore) -> None:
    tool = explore('"scenes"')
    page, root = tool.page, tool.root
    tool.tab("Clusters")
    first = root.locator(".dcrc-gallery [data-cluster='0']")
    expect(first.locator(".certain .dcrc-item img")).to_have_count(8)
    expect(first.locator(".mistaken")).to_have_count(0)
    before = first.locator(".certain .dcrc-item").first.get_attribute("data-row")
    tool.screenshot("before")
    # The name stands in the legend, in hints and in the table.
    first.get_by_role("textbox").fill("evening")
    page.keyboard.press("Enter")
    expect(root.locator(".dcrc-legend [data-cluster='0']")).to_contain_text("evening")
    page.mouse.move(*tool.position(int(before)))
    expect(root.locator(".dcrc-hint")).to_contain_text("evening")
    # The gallery follows the answers.
    tool.python("explorer.session.search.refuse()")  # no better grouping is found while we look
    tool.python("_ = explorer.session.answer_by_oracle(20, strategy='random'); explorer.move('truth', True)")
    tool.expect_answers(20)
    now = tool.python("""
from dcrc_explore.widgets.tabs import pack_gallery
packed = pack_gallery(explorer.session.fit, truth=True)
print(sum([each[kind] for each in packed for kind in ("certain", "doubtful", "mistaken")], []))""")
    shown = "[...document.querySelectorAll('.dcrc-gallery .dcrc-item')].map((node) => Number(node.dataset.row))"
    page.wait_for_function(f"(rows) => JSON.stringify({shown}) === JSON.stringify(rows)", arg=json.loads(now))
    expect(root.locator(".dcrc-gallery .dcrc-item-waits")).to_have_count(0)
    tool.screenshot("after")
    # All of one cluster, large, by the keyboard; Esc goes back.
    size = int(tool.python("print((explorer.session.fit.labels == 0).sum())"))
    first.get_by_role("button", name="Show all").press("Enter")
    expect(first.locator(".members img")).to_have_count(min(size, 100))
    expect(root.locator(".dcrc-gallery [data-cluster='1']")).to_be_hidden()
    tool.screenshot("large")
    first.locator(".members .dcrc-item").first.press("Escape")
    expect(root.locator(".dcrc-gallery [data-cluster='1']")).to_be_visible()
    expect(first.locator(".members")).to_have_count(0)
    root.get_by_role("button", name="Export as CSV").click()
    expect(root.locator(".dcrc-notice")).to_contain_text("clusters.csv")
    path = root.locator(".dcrc-notice > span").inner_text().removeprefix("Written to ")
    assert "evening" in Path(path).read_text()
    assert tool.problems == []


def test_names_are_suggested_taken_by_a_click_and_can_be_changed(explore) -> None:
    tool = explore("'short-texts', autosave=None", before="import numpy")
    page, root = tool.page, tool.root
    tool.python("_ = explorer.session.answer_by_oracle(60)")
    tool.expect_answers(60)
    root.get_by_role("tab", name="Clusters").click()
    first = root.locator(".dcrc-gallery [data-cluster='0']")
    best = tool.python("from dcrc_explore.session import suggest_names; print(suggest_names(explorer.session)[0][0])")
    tool.screenshot("suggested")
    assert tool.python("print(explorer.session.state.names)") == "()", "nothing is named by itself"
    first.get_by_role("button", name=best, exact=True).click()
    expect(first.get_by_role("textbox")).to_have_value(best)
    expect(first.locator(".perhaps")).to_be_hidden()
    tool.screenshot("taken")
    first.get_by_role("textbox").fill("football")
    page.keyboard.press("Enter")
    expect(root.locator(".dcrc-legend [data-cluster='0']")).to_contain_text("football")
    assert tool.problems == []


def test_points_glide_to_the_plane_of_the_model(explore) -> None:
    tool = explore('"wine", autosave=None')
    page, root = tool.page, tool.root
    before = tool.picture()
    root.locator("[data-name=plane]").first.select_option("Model")
    expect(root.locator(".dcrc-badge")).to_contain_text("exact")
    tool.changed(before)
    arrived = """([plane, x, y]) => { const [u, v] = planeOf(plane).where(5); return Math.hypot(u - x, v - y) < 1; }"""

    def arrives() -> None:
        """Wait until a point is drawn where Python has it."""
        x, y = json.loads(
            tool.python("""
from dcrc_explore.arrays import unpacked
scene = explorer.scene
x, y = unpacked(scene["places"])[5].tolist()
left, right, bottom, top = scene["extent"]
print([(x - left) / (right - left), 1 - (y - bottom) / (top - bottom)])""")
        )
        box = tool.plane.locator("canvas").first.bounding_box()
        page.wait_for_function(arrived, arg=[tool.plane.element_handle(), x * box["width"], y * box["height"]])

    arrives()
    tool.screenshot("model")
    tool.python("_ = explorer.session.answer_by_oracle(5, strategy='random')")
    tool.expect_answers(5)
    arrives()
    tool.screenshot("answered")
    # A click meets the point where it is now.
    tool.click_points(5)
    expect(root.locator(".dcrc-items [data-row='5']")).to_be_visible()
    assert tool.problems == []


def test_own_folder_and_own_table_are_opened_in_the_tool(explore) -> None:
    before = """
from pathlib import Path
from dcrc_explore.datasets import write_scenes
write_scenes("photos")
lines = [f"{n % 7},{n % 5},{n % 3},<b>note</b> number {n}" for n in range(60)]
_ = Path("notes.csv").write_text("\\n".join(["x,y1,z,note", *lines]))"""
    tool = explore("autosave=None, n_clusters=3", before=before)
    root = tool.root
    tool.tab("Data")
    field = root.locator("[data-name=file]")
    for name, kind in (("photos", "images"), ("notes.csv", "texts")):
        if kind == "images":  # chosen from a list, by the keyboard alone
            root.get_by_role("button", name="Browse").press("Enter")
            root.locator(".dcrc-entry", has_text="photos").press("Enter")
            root.get_by_role("button", name="Open this folder: 120 images").press("Enter")
        else:
            field.fill(name)
            field.press("Enter")
        if kind == "texts":
            root.get_by_role("button", name="Open these data").click()
        expect(root).to_have_attribute("data-items", kind)
        tool.idle()
        tool.plane.focus()
        tool.page.keyboard.press("Enter")
        expect(root.locator(".dcrc-items button.dcrc-item")).to_have_count(3)
        expect(root.locator(".dcrc-items .dcrc-item-waits")).to_have_count(0)
        tool.screenshot(kind)
        if kind == "images":  # and taken home
            tool.tab("Clusters")
            root.get_by_role("button", name="Sort the files into folders").click()
            expect(root.locator(".dcrc-group-clusters")).to_contain_text("120 files are in")
            tool.tab("Data")
    # Text is text.
    expect(root.locator(".dcrc-items .dcrc-item-words").first).to_contain_text("<b>note</b> number")
    assert tool.problems == []


def test_columns_are_chosen_and_rows_with_holes_dropped(explore) -> None:
    before = """
from pathlib import Path
rows = [f"{n},{n % 13},{1000 * (n % 11)},{n % 5},{'oak' if n % 2 else 'elm'},seen in <i>May</i> {n}" for n in range(60)]
rows[3], rows[8], rows[20] = "3,,1,1,oak,a", "8,1,1,,elm,b", "20,2,3,4,,c"
_ = Path("trees.csv").write_text("\\n".join(["id,height,weight,rings,kind,<b>note</b>", *rows]))"""
    tool = explore("autosave=None", before=before)
    root = tool.root
    tool.tab("Data")
    field = root.locator("[data-name=file]")
    field.fill("trees.csv")
    field.press("Enter")
    lines = root.locator(".dcrc-columns .dcrc-column")
    expect(lines).to_have_count(6)
    expect(root.locator(".dcrc-tip")).to_be_hidden()  # it would lie over what is said
    chosen = [line.locator("select").input_value() for line in lines.all()]
    assert chosen == ["ignore", "feature", "feature", "feature", "class", "items"]
    expect(lines.last).to_contain_text("<b>note</b>")
    expect(root.locator("[data-name=found]")).to_contain_text(
        "3 of 60 rows have empty cells (the first: row 5 of the file"
    )
    tool.screenshot("columns")
    # One column is the class: the other one is none then.
    lines.nth(3).locator("select").select_option("class")
    expect(lines.nth(4).locator("select")).to_have_value("ignore")
    drop = root.get_by_role("button", name="Drop 2 rows with empty cells and open")
    expect(drop).to_be_visible()
    lines.nth(4).locator("select").select_option("class")
    lines.nth(3).locator("select").select_option("feature")
    root.get_by_role("button", name="Drop 3 rows with empty cells and open").click()
    expect(root).to_have_attribute("data-items", "texts")
    tool.idle()
    assert tool.python("print(explorer.session.dataset)") == "Dataset('trees', 57 points, 3 features, 2 classes)"
    assert tool.python("print(explorer.session.dataset.is_standardized)") == "True"
    # Three features are seen in a plane that has no regions.
    expect(root.locator(".dcrc-group-top button:has-text('Regions')")).to_have_count(0)
    tool.screenshot("opened")
    root.locator("[data-name=plane]").first.select_option("Model")
    expect(root.locator(".dcrc-group-top button:has-text('Regions')")).to_have_count(1)
    tool.screenshot("model")
    assert tool.problems == []


def test_sounds_are_played_by_keys(explore) -> None:
    before = """
import wave
from pathlib import Path
import numpy as np
lines = ["low,high,clip"]
for n in range(12):
    with wave.open(f"{n}.wav", "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes((8000 * np.sin(np.arange(32000) * (0.1 + 0.05 * n))).astype("<i2").tobytes())
    lines.append(f"{n % 5},{n % 3},{n}.wav")
_ = Path("clips.csv").write_text("\\n".join(lines))"""
    tool = explore('"clips.csv", items="clip", autosave=None, n_clusters=2', before=before)
    page, root = tool.page, tool.root
    tool.plane.focus()
    rows = question(tool)
    expect(root.locator(".dcrc-items kbd")).to_have_text(["▶ A", "▶ B", "▶ C"])
    playing = root.locator(".dcrc-items .playing")
    page.keyboard.press("b")
    expect(playing).to_have_attribute("data-row", str(rows[1]))
    tool.screenshot("playing")
    page.keyboard.press("c")  # one at a time
    expect(playing).to_have_attribute("data-row", str(rows[2]))
    page.keyboard.press("c")
    expect(playing).to_have_count(0)
    page.keyboard.press("a")
    expect(playing).to_have_attribute("data-row", str(rows[0]))
    page.keyboard.press("d")  # who answers has heard enough
    tool.expect_answers(1)
    expect(playing).to_have_count(0)
    assert tool.problems == []


def test_what_was_typed_last_is_opened_by_enter_and_the_next_keys_answer(explore) -> None:
    tool = explore(
        before="from dcrc_explore.datasets import write_scenes\nwrite_scenes('one')\nwrite_scenes('another', seed=1)"
    )
    tool.tab("Data")
    for name in ("one", "another"):
        field = tool.root.locator("[data-name=file]")
        field.click()
        field.press("Control+a")
        tool.page.keyboard.type(name)  # as fast as it goes
        tool.page.keyboard.press("Enter")
        expect(tool.root).to_have_attribute("data-items", "images")
        tool.expect_answers(0)
        tool.idle()
        tool.root.locator(".dcrc-card.asking").wait_for()
        tool.page.keyboard.press("y")
        tool.expect_answers(1)
        tool.idle()
        assert tool.python("print(explorer.session.dataset.name)") == name
        assert field.input_value() in ("", name)
    assert tool.problems == []
