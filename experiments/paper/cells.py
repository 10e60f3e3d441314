"""A cell: one method on one task, with the best of its settings."""
import dataclasses

from . import command, measure, methods


@dataclasses.dataclass
class Cell:
    method: methods.Method
    setting: str
    answers: command.Answers
    measured: measure.Measured
    fitted: object

    @property
    def means(self):
        return self.measured.means()

    @property
    def deviations(self):
        return self.measured.deviations()


def rank(cell):
    """Most valid first; then the least LOF x l2, so that neither plausibility nor proximity is given away."""
    means = cell.means
    return (-means["validity"], means["lof"] * means["l2"]) if means["validity"] > 0 else (0, 0)


def cell(task, method):
    fitted = command.fit(task, method.fitted, methods.FITS[method.fitted])
    tried = []
    for name, flags in method.settings:
        answers = command.explain(task, fitted, f"{method.key}/{name}", flags)
        tried.append(Cell(method, name, answers, measure.Measured(task, answers), fitted))
    return min(tried, key=rank)


def grid(task, kind, quick, say=print):
    """Every method on the task; those that do not apply are named with their reason."""
    done = {}
    for method in methods.all_methods(kind, task, quick):
        try:
            done[method.key] = cell(task, method)
        except command.Failed as failure:
            say(f"{task.name}: {method.label} does not apply: {failure}")
            continue
        means = done[method.key].means
        say(f"{task.name:15} {method.label:30} {done[method.key].setting:26} " +
            " ".join(f"{name} {value:.2f}" for name, value in means.items() if value is not None), flush=True)
    return done
