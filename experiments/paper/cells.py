"""A cell: one method on one task, with the setting that is best on training rows, which no table measures."""
import dataclasses

import numpy as np

from . import cem, command, measure, methods


@dataclasses.dataclass
class Cell:
    method: methods.Method
    setting: str
    answers: command.Answers
    fitted: object
    measured: measure.Measured = None

    @property
    def means(self):
        return self.measured.means()

    @property
    def deviations(self):
        return self.measured.deviations()


def rank(means):
    """Most valid first; then the least LOF x l2, so that neither plausibility nor proximity is given away."""
    return (-means["validity"], means["lof"] * means["l2"]) if means["validity"] > 0 else (0, 0)


def fit(task, method):
    return command.fit(task, method.fitted, methods.FITS[method.fitted], method.table)


def choose(choice, parts, listed):
    """{key: setting} of the methods: that with the best rank on the task's rows of choice, which are in the parts."""
    runs = {f"{method.key}/{name}": ["--fitted", fit(choice, method), *flags]
            for method in listed if len(method.settings) > 1 for name, flags in method.settings}
    found = measure.compared(choice, "choice", parts, runs)
    return {method.key: min(method.settings, key=lambda setting: rank(found[f"{method.key}/{setting[0]}"].means()))
            if len(method.settings) > 1 else method.settings[0] for method in listed if method.settings}


def all_asked(task, listed, setting_of, explain, say=print):
    """{key: cell}, not measured yet. Methods that do not apply are named with their reason."""
    done = {}
    for method in listed:
        name, flags = setting_of.get(method.key, ("", []))
        try:
            fitted = None if method.made else fit(task, method)
            answers = method.made(task) if method.made else explain(task, fitted, f"{method.key}/{name}", flags)
        except command.Failed as failure:
            say(f"{task.name}: {method.label} does not apply: {failure}")
            continue
        done[method.key] = Cell(method, name, answers, fitted)
        say(f"{task.name:15} {method.label:30} {name:26} {answers.cpu:.2f} s", flush=True)
    return done


def measure_all(task, name, done):
    for key, found in measure.measured(task, name, {key: cell.answers for key, cell in done.items()}).items():
        done[key].measured = found
    return done


def grid(task, kind, quick):
    """Every method on the task."""
    if kind == "mlp":
        cem.write_files(task)
    listed, choice = methods.all_methods(kind, task, quick), task.choice()
    part = command.Part(task.folder / "choice.csv", np.arange(len(choice.test)))
    return measure_all(task, "tables", all_asked(task, listed, choose(choice, [part], listed), command.explain))
