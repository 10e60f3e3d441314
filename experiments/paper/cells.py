"""A cell: one method on one task, with the setting that is best on training rows, which no table measures."""
import dataclasses

from . import cem, command, measure, methods


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
    return rank_of(cell.means)


def rank_of(means):
    """Most valid first; then the least LOF x l2, so that neither plausibility nor proximity is given away."""
    return (-means["validity"], means["lof"] * means["l2"]) if means["validity"] > 0 else (0, 0)


def on_rows(task, method, setting, fitted):
    name, flags = setting
    answers = command.explain(task, fitted, f"{method.key}/{name}", flags)
    return Cell(method, name, answers, measure.Measured(task, answers), fitted)


def on_choice(task, method, setting, fitted):
    name, flags = setting
    answers = command.explain(task, fitted, f"{method.key}/choice-{name}", flags, task.folder / "choice.csv")
    return Cell(method, name, answers, measure.Measured(task.choice(), answers), fitted)


def chosen(task, method, fitted, run=on_choice):
    """The setting with the best rank on the rows of choice."""
    if len(method.settings) == 1:
        return method.settings[0]
    return min(method.settings, key=lambda setting: rank(run(task, method, setting, fitted)))


def cell(task, method):
    if method.made:
        answers = method.made(task)
        return Cell(method, "", answers, measure.Measured(task, answers), None)
    fitted = command.fit(task, method.fitted, methods.FITS[method.fitted], method.table)
    return on_rows(task, method, chosen(task, method, fitted), fitted)


def grid(task, kind, quick, say=print):
    """Every method on the task; those that do not apply are named with their reason."""
    done = {}
    if kind == "mlp":
        cem.write_files(task)
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
