"""How every figure looks and is written: PNG and SVG, with the command and seed that made it."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from .places import RESULTS, SEED  # noqa: E402

BLUE, ORANGE, GREEN, RED = "#3b6fb6", "#e08a2e", "#2a8a3a", "#b3261e"
METHOD_COLOURS = {"none": "#1b9e77", "kde": "#d95f02", "gmm": "#7570b3", "knn": "#e7298a", "ours": "#222222"}
NOTE = 0.14              # inches at the foot, for the command
plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "svg.hashsalt": "scfe", "axes.spines.top": False,
                     "axes.spines.right": False, "legend.frameon": False, "savefig.dpi": 130})


def save(figure, name, command, seeds=f"seed {SEED}"):
    note = f"{command}, {seeds}"
    figure.get_layout_engine().set(rect=(0, NOTE / figure.get_figheight(), 1, 1 - NOTE / figure.get_figheight()))
    figure.text(0.995, 0.004, note, ha="right", va="bottom", fontsize=6, color="#777777")
    RESULTS.mkdir(parents=True, exist_ok=True)
    figure.savefig(RESULTS / f"{name}.png", metadata={"Software": None, "Description": note})
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None, "Description": note})
    plt.close(figure)


def regions(axis, score, lims, steps=300):
    """Where the model says class 1 (blue) and class 0 (orange), and the line between them."""
    import numpy as np
    x, y = np.meshgrid(np.linspace(*lims, steps), np.linspace(*lims, steps))
    z = score(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
    axis.contourf(x, y, z, levels=[-1e9, 0, 1e9], colors=[ORANGE, BLUE], alpha=0.13)
    axis.contour(x, y, z, levels=[0], colors="#333333", linewidths=1, linestyles="dashed")
    axis.set_xlim(*lims)
    axis.set_ylim(*lims)
    axis.set_xticks([])
    axis.set_yticks([])
    axis.set_aspect("equal")
