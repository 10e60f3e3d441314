"""What the slices of a long run (scripts/fuzz long) add up to, and which targets are next.

    python3 fuzz/slices.py next FILE TARGET ...     two targets, or one
    python3 fuzz/slices.py total FILE               inputs of each target

FILE has a line for each slice: target, inputs, seconds. A target that has run fewer than 200,000 inputs comes first, those with
the fewest slices before others, but it gets no more than four slices for that. Then the faster half of all targets is run in turn.
"""
import sys

LEAST_INPUTS, MOST_SLICES = 200_000, 4


class Tally:
    def __init__(self):
        self.inputs = self.seconds = self.slices = 0

    def add(self, inputs, seconds):
        self.inputs, self.seconds, self.slices = self.inputs + inputs, self.seconds + seconds, self.slices + 1

    def lacks_inputs(self):
        return self.inputs < LEAST_INPUTS and self.slices < MOST_SLICES

    def speed(self):
        return self.inputs / max(self.seconds, 1)


def tallies_of(path, targets=()):
    tallies = {target: Tally() for target in targets}
    with open(path) as file:
        for line in file:
            target, inputs, seconds = line.split("\t")
            tallies.setdefault(target, Tally()).add(int(inputs), int(seconds))
    return tallies


def next_two(tallies):
    lacking = [target for target in tallies if tallies[target].lacks_inputs()]
    faster = sorted(tallies, key=lambda target: -tallies[target].speed())[:(len(tallies) + 1) // 2]
    fewest = lambda targets: sorted(targets, key=lambda target: tallies[target].slices)  # noqa: E731
    chosen = fewest(lacking) + fewest(target for target in faster if target not in lacking)
    return chosen[:2]


if __name__ == "__main__":
    if sys.argv[1] == "next":
        tallies = tallies_of(sys.argv[2], sys.argv[3:])
        print("\n".join(next_two({target: tallies[target] for target in sys.argv[3:]})))
    else:
        tallies = tallies_of(sys.argv[2])
        for target, tally in sorted(tallies.items()):
            print(f"{target}: {tally.inputs:,} inputs in {tally.slices} slices, {tally.seconds} seconds")
        print(f"{sum(tally.inputs for tally in tallies.values()):,} inputs in all")
