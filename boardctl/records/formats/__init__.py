"""Match files that others read: ``.mat``, SGF and a plain JSON record, written from and read into match records."""

from boardctl.records.formats.carried import carried_record, left_out
from boardctl.records.formats.mat import read_mat, write_mat
from boardctl.records.formats.match_file_error import MatchFileError
from boardctl.records.formats.match_json import read_json, write_json
from boardctl.records.formats.match_record import (
    Action,
    CubeAnswered,
    CubeTurned,
    GameRecord,
    MatchRecord,
    NotSeen,
    Resigned,
    Rolled,
    SetUp,
)
from boardctl.records.formats.sgf import read_sgf, write_sgf

__all__ = [
    "Action",
    "CubeAnswered",
    "CubeTurned",
    "GameRecord",
    "MatchFileError",
    "MatchRecord",
    "NotSeen",
    "Resigned",
    "Rolled",
    "SetUp",
    "carried_record",
    "left_out",
    "read_json",
    "read_mat",
    "read_sgf",
    "write_json",
    "write_mat",
    "write_sgf",
]
