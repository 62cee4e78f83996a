"""What goes wrong is said in plain words, and the page goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.app.browser.walking import Walker, write_survey

INTERNALS = ("Traceback", "Error:", "covey.", ".py", "upload-0", "/tmp")


def said(walker: Walker, place: str) -> str:
    """What a note of this kind says; never anything about how Covey is made."""
    walker.page.wait_for_selector(place)
    text = str(walker.page.inner_text(place))
    assert not [word for word in INTERNALS if word in text], text
    return text


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "picture.csv"),
        ("empty.csv", b"", "empty"),
        ("broken.parquet", b"no parquet at all", "Parquet"),
        ("letter.docx", b"PK", ".docx"),
    ],
)
def test_a_bad_file(
    walker: Walker, tmp_path: Path, name: str, content: bytes, expected: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    walker.give_file(path)
    assert expected in said(walker, ".note.bad")
    # The browser itself notes every answer that refuses something.
    walker.complaints = [text for text in walker.complaints if "status of 4" not in text]
    walker.open_file(write_survey(tmp_path / "survey.csv", 40))  # it goes on
    assert walker.page.locator(".note.bad").count() == 0


def test_a_bad_file_beside_one_that_is_open(walker: Walker, tmp_path: Path) -> None:
    """What is open is said; and nothing stays of the message when the next file is opened."""
    survey = write_survey(tmp_path / "survey.csv", 40)
    walker.open_file(survey)
    # Refused before it is copied, and when it is read.
    for name, expected in (("letter.docx", ".docx"), ("broken.parquet", "Parquet file")):
        (tmp_path / name).write_bytes(b"nothing of the kind")
        walker.page.set_input_files("#file", tmp_path / name)
        walker.page.wait_for_selector(f".note.bad >> text={expected}")
        assert "survey.csv is still open" in said(walker, ".note.bad")
    walker.page.set_input_files("#file", tmp_path / "letter.docx")
    walker.page.wait_for_selector(".note.bad >> text=.docx")
    with walker.new_step():
        walker.page.set_input_files("#file", survey)
    walker.page.wait_for_selector(".note.bad", state="detached")
    walker.complaints = [text for text in walker.complaints if "status of 4" not in text]


def test_what_a_technique_cannot_do(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    walker.open_file(write_survey(tmp_path / "survey.csv", 40))
    walker.go("protect")
    assert "will be equal to at least 2 others" in page.inner_text("#k-means")
    assert page.is_disabled("#technique-optimalunivariate")
    assert "one quasi-identifier" in page.inner_text("#technique-optimalunivariate")
    walker.choose_technique("individualranking")
    assert "Whole released records may be unique" in page.inner_text("#per-block")
    assert "does not hold for the whole record" in page.inner_text("#k-means")
    page.fill("#k-number", "1")
    page.press("#k-number", "Enter")
    assert said(walker, "#k-wrong").endswith("1 is not. It is still 3.")
    walker.choose_k(4)
    assert page.locator("#k-wrong").count() == 0
    walker.go("compare")
    assert page.is_disabled("#try-optimalunivariate")
    page.uncheck("#try-vmdav")
    page.uncheck("#try-iamat")
    page.fill("#try-sizes", "3, 50")
    with walker.new_step():
        page.click("#compare")
    assert "k = 50 could not be tried" in said(walker, ".not-tried")


def test_a_limit_that_is_exceeded(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    walker.open_file(write_survey(tmp_path / "survey.csv", 60))
    walker.go("protect")
    page.click("#fold-limits")
    page.fill("#limit-percent", "0.01")
    with walker.new_step():
        page.press("#limit-percent", "Enter")
    walker.protect("mdav", 3)
    walker.go("release")
    page.wait_for_selector(".checks")
    assert page.locator(".checks .good").count() == 3
    assert page.text_content(".checks .bad").startswith("Not passed: distance linkage")
    assert "although a limit is exceeded" in page.inner_text("#download-csv")


def test_k_above_the_smallest_stratum(walker: Walker, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    region = ["North"] * 60 + ["South"] * 5
    pd.DataFrame(
        {"region": region, "age": rng.integers(16, 90, 65), "income": rng.random(65)}
    ).to_csv(tmp_path / "two.csv", index=False)
    walker.open_file(tmp_path / "two.csv")
    walker.go("protect")
    walker.choose_technique("mdav")
    walker.choose_k(6)
    assert "South" in said(walker, "#k .note.care")
    walker.page.click("#protect")
    message = said(walker, "#failure-protect")
    assert "'South' (5)" in message
    assert "k=6" in message
    assert "--small-strata" not in message  # a person has no such thing here
    with walker.new_step():
        walker.page.select_option("#small-strata", "merge")
    assert walker.page.locator("#failure-protect").count() == 0
    assert "South: 5" in walker.page.inner_text("#strata-words")
    walker.page.click("#protect")
    walker.page.wait_for_selector('#step-look[aria-current="step"]')
    assert "merged into one stratum" in said(walker, ".note.care")
    walker.go("release")
    assert "merged into one stratum" in said(walker, ".note.care")
    assert walker.page.locator("#step-look.done").count() == 1
    walker.page.click("#history-button")
    walker.page.wait_for_selector(".history.shown")
    assert "Strata with fewer than k records: merge them with" in walker.page.inner_text(".history")


def test_text_chosen_as_numbers(walker: Walker, tmp_path: Path) -> None:
    walker.open_file(write_survey(tmp_path / "survey.csv", 60))
    walker.go("roles")
    with walker.new_step():
        walker.page.select_option("#treatment-2", "number")
    message = said(walker, "#roles-problem")
    assert "'sex' cannot be used as numbers" in message
    assert "not numeric" in walker.page.inner_text("tr.has-problem")
    assert walker.page.locator("tr.has-problem #treatment-2").count() == 1
    walker.go("protect")
    assert walker.page.is_disabled("#protect")
    assert said(walker, "#problem") == message
    walker.page.click("#to-roles")
    walker.page.wait_for_selector("tr.has-problem")
    walker.page.keyboard.press("Control+z")
    walker.page.wait_for_selector("#roles-problem", state="detached")
    assert walker.page.locator("tr.has-problem").count() == 0


def test_no_quasi_identifier(walker: Walker, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("age\n31\n35\n36\n")
    walker.open_file(tmp_path / "one.csv")
    walker.go("roles")
    walker.choose_role(0, "kept")
    assert "at least one column a quasi-identifier" in said(walker, "#roles-problem")


def test_cancel_in_mid_run(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    walker.open_file(write_survey(tmp_path / "survey.csv", 2000))
    walker.go("protect")
    walker.choose_technique("nearoptimal")
    page.focus("#protect")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id.startsWith('cancel-')")
    page.wait_for_function(
        "document.querySelector('.job .how-far')?.textContent.startsWith('Grouping')"
    )
    page.click('[id^="cancel-"]')
    page.wait_for_selector(".job", state="detached")
    assert "Cancelled" in said(walker, ".note")
    walker.protect("mdav", 3)  # the page and the worker live on
    assert walker.title() == "MDAV, k = 3"


HOSTILE = {
    '=HYPERLINK("http://x.example","a")': ["=1+1", "+2", "-3", "@SUM(A1)"] * 10,
    "<img src=x onerror=alert(1)>": ["<script>alert(2)</script>", "<b>bold</b>", "{{ 7*7 }}", "a"]
    * 10,
    "`${alert(3)}`": ["</textarea>", "&lt;", "'\"><svg onload=alert(4)>", "\u202eabc"] * 10,
}


def test_what_looks_like_code_is_text(walker: Walker, tmp_path: Path) -> None:
    page = walker.page
    page.on("dialog", lambda dialog: walker.complaints.append(f"dialog: {dialog.message}"))
    pd.DataFrame(HOSTILE | {"age": range(40)}).to_csv(tmp_path / "<i>x.csv", index=False)
    walker.open_file(tmp_path / "<i>x.csv")
    assert walker.title() == "<i>x.csv"
    shown = page.inner_text(".preview")
    for name, cells in HOSTILE.items():
        assert name in shown
        assert all(cell in shown for cell in cells[:4])
    assert page.locator(".preview script, .preview img, .preview b, .preview svg").count() == 0

    walker.go("roles")
    table = page.inner_text("table.roles").replace("\n", "")
    assert all(name in table for name in HOSTILE)
    with walker.new_step():
        page.select_option("#treatment-1", "ordinal")
    assert "<script>alert(2)</script>" in page.inner_text(".order")
    walker.protect("mdav", 4)
    page.click("#look-1")
    page.wait_for_selector(".charts")
    names = page.locator(".charts figcaption span:first-child").all_inner_texts()
    assert set(HOSTILE) <= set(names)
    page.click("#history-button")
    page.wait_for_selector(".history.shown")
    assert "<img src=x" in page.inner_text(".history")
    assert page.locator(".covey img").count() == 0


def test_a_file_that_is_too_large(walker: Walker) -> None:
    """Said before anything is copied; the refusal of the server has tests of its own."""
    walker.go("open")
    walker.page.evaluate(
        "() => { const zone = document.querySelector('[data-drop]'); zone.dataset.most = 10;"
        "const input = document.getElementById('file'); const data = new DataTransfer();"
        "data.items.add(new File(['a,b\\n1,2\\n3,4\\n5,6\\n'], 'big.csv'));"
        "input.files = data.files;"
        "input.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    message = said(walker, ".note.bad")
    assert "big.csv" in message
    assert "500 MB" in message
    assert "covey protect" in message
