"""How long the drivers of windows, browsers and phones wait: until what must come is there. What never comes is given up after a
time that no machine needs, however slow it is and whatever runs beside it; how long it took is reported, and fails nothing."""
import time

PATIENCE = 300  # s


def until(look, seconds=PATIENCE, pause=0.05):
    """The first true value of look(); its last one, where none was."""
    end = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < end:
        time.sleep(pause)
    return found
