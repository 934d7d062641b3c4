"""Tables as CSV files."""

import numpy as np
import pandas as pd
from fuzz.mutations import mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.files.tables import Column, read_table, rounded, write_table
from msdensity.stats import columns as standard
from msdensity.studies.paper import columns as paper
from msdensity.studies.published_players import columns as players

SETS = {
    name: columns
    for module in (standard, paper, players)
    for name, columns in vars(module).items()
    if name.endswith("_COLUMNS") and name[0] != "_" and isinstance(columns, dict)
}


def value(column: Column) -> object:
    if column.dtype == "str":
        return "4x5"
    return 1 if "nt64" in column.dtype else max(0.25, column.low)


VALID = {
    name: pd.DataFrame([{key: value(c) for key, c in columns.items()}] * 2).to_csv(index=False)
    for name, columns in SETS.items()
}


@fuzzed(name=st.sampled_from(sorted(SETS)), data=st.data())
def test_any_bytes(tmp_path_factory, name: str, data: st.DataObject) -> None:
    header = ",".join(SETS[name]).encode() + b"\n"
    any_bytes = st.binary(max_size=100)
    text = data.draw(mutated([VALID[name].encode()]) | any_bytes | any_bytes.map(header.__add__))
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(text)
    found = answer("read_table", read_table, path, SETS[name])
    again = answer("read_table", read_table, path, SETS[name])
    if found is REFUSED:
        assert again is REFUSED
    else:
        pd.testing.assert_frame_equal(found, again)
        assert list(found) == list(SETS[name])


FLOATS = st.none() | st.floats(0, 1)
PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=5)


@fuzzed(
    rows=st.lists(
        st.tuples(PLAIN, st.integers(1, 2**62), st.none() | st.integers(1, 9), FLOATS), max_size=3
    )
)
def test_what_is_written_is_read_back(tmp_path_factory, rows: list[tuple]) -> None:
    path = tmp_path_factory.getbasetemp() / "written.csv"
    columns = {
        "text": Column("str"),
        "whole": Column("int64"),
        "side": Column("Int64", missing=True, low=1),
        "real": Column("float64", missing=True),
        "exact": Column("float64", missing=True, exact=True),
    }
    table = pd.DataFrame(rows, columns=[*columns][:-1]).assign(exact=[row[-1] for row in rows])
    table = table.astype(
        {"whole": "int64", "side": "Int64", "real": "float64", "text": "str", "exact": "float64"}
    )
    if answer("write_table", write_table, path, table, columns) is REFUSED:
        return
    back = read_table(path, columns)
    assert back["text"].tolist() == table["text"].tolist()
    assert back["whole"].tolist() == table["whole"].tolist()
    np.testing.assert_array_equal(back["exact"], table["exact"])
    np.testing.assert_array_equal(back["real"], [rounded(value) for value in table["real"]])
    pd.testing.assert_series_equal(back["side"], table["side"])
