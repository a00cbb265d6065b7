import cv2
import pytest
from command_line import Recording

from boardctl.rules import Backgammon
from boardctl.virtual import FAULTLESS, ActKind, VirtualTable
from boardctl.virtual.truth import TurnTruth

TURNS = 5


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """Frames of the first turns of a game without faults."""
    folder = tmp_path_factory.mktemp("frames")
    with VirtualTable(Backgammon(), seed=5, rates=FAULTLESS) as table:
        frames = [table.empty_frame(), table.starting_frame()]
        played: list[TurnTruth] = []
        at_rest = frames[-1]
        while len(played) < TURNS and (step := table.advance()) is not None:
            turns = [truth for truth in table.truths if isinstance(truth, TurnTruth)]
            if len(turns) > len(played):
                frames.append(at_rest)
                played = turns
            shots = [frame.picture for frame in step.frames()]
            if step.act.kind is ActKind.REST and shots:
                at_rest = shots[-1]
            if step.act.kind is ActKind.DICE_REST:
                frames.append(shots[-1])
    for number, picture in enumerate(frames):
        cv2.imwrite(str(folder / f"f{number:02d}.png"), picture)
    return Recording(folder, [(str(turn.seat), str(turn.roll)) for turn in played])
