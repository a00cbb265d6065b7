"""``boardctl bench referee``: each ruleset by itself, then all of them taken together."""

import re

from command_line import run

SUM = re.compile(r"^(rolls|plays|incidents|games): (\d+) of (\d+) right", re.MULTILINE)


def test_the_sum_is_what_the_rulesets_come_to() -> None:
    done = run("bench", "referee", "casual", "us-2008-like", "--games", "1", "--seed", "5")
    assert done.code == 0, done.output
    *parts, whole = (
        {kind: (int(right), int(total)) for kind, right, total in SUM.findall(part)}
        for part in re.split(r"\n\n(?=\S+.*, \d+ games, seed 5)", done.output)[1:]
    )
    assert len(parts) == 2
    assert whole["games"][1] == 2
    for kind, both in whole.items():
        assert both == tuple(sum(part.get(kind, (0, 0))[number] for part in parts) for number in range(2))


def test_a_ruleset_that_there_is_not_is_said() -> None:
    done = run("bench", "referee", "cassual", "--games", "1")
    assert (done.code, "cassual" in done.output) == (2, True)
