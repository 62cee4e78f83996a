"""A walk finds what a page shows wrongly, and can put it right."""

from __future__ import annotations

import pytest

from covey.errors import InvalidParameter

from .walk import Walk

PAGE = """# A page

```python
numbers = [1, 2]
print(sum(numbers))  # → 4; the sum
print("one")
print("two")
```

```text
one
three
```

```console
$ covey --version
covey 9
$ covey techniques
...
```

<!-- file: run.toml -->
```toml
k = 5
```
"""


@pytest.fixture
def walk(folder):
    def go(text, **how):
        (folder / "page.md").write_text(text, "utf-8")
        made = Walk(folder / "page.md", **how)
        made.go()
        return made

    return go


def test_every_difference_is_found(walk):
    found = walk(PAGE).differences
    assert [difference.split(":")[1] for difference in found] == ["5", "11", "17"]
    assert "+ print(sum(numbers))  # → 3; the sum" in found[0]
    assert "- three\n+ one\n+ two" in found[1]


def test_a_page_is_put_right(walk, folder):
    walk(PAGE).write()
    text = (folder / "page.md").read_text("utf-8")
    assert walk(text).differences == []
    assert "# → 3; the sum" in text
    assert text.count("...") == 1


def test_settings_become_a_file(walk, folder):
    walk(PAGE)
    assert (folder / "run.toml").read_text("utf-8") == "k = 5"


def test_slow_blocks_compare_words_until_asked(walk):
    page = "<!-- slow: long -->\n```python\nprint('lost', 5)  # → lost 7\n```\n"
    assert walk(page).differences == []
    assert len(walk(page, slow=True).differences) == 1
    assert len(walk(page.replace("lost 7", "won 7")).differences) == 1


def test_slow_blocks_search_shortly_until_asked(walk):
    page = (
        "<!-- slow: long -->\n```python\nfrom covey.refining import improving\n"
        "improving.DEFAULT_EFFORT  # → 50.0\n```\n"
    )
    assert walk(page).differences == []


@pytest.mark.parametrize(
    "block",
    [
        "```console\n$ covey protect no.csv --out b.csv\n```\n",
        "<!-- not run: long -->\n```console\n$ covey protect a.csv --out b.csv --nonsense\n```\n",
        "```console\n$ nonsense\n```\n",
        "```text\nnothing printed this\n```\n",
        "```r\nlibrary(sdcMicro)\n```\n",
        "```sql\nselect 1\n```\n",
    ],
)
def test_blocks_that_cannot_be_true(walk, block):
    with pytest.raises(AssertionError):
        walk(block)


def test_settings_that_are_none(walk):
    with pytest.raises(InvalidParameter, match="no setting 'kk'"):
        walk("```toml\nkk = 5\n```\n")


def test_python_that_is_not_run_is_python(walk):
    with pytest.raises(SyntaxError):
        walk("<!-- not run: long -->\n```python\nx = (\n```\n")
