# %% [markdown]
# # Tutorial: German Credit
#
# A bank's model decides about 1,000 applications for credit. For those it refuses we ask: what is the smallest,
# realistic change that would have got them approved? This page is a notebook: on the site, [download
# it](tutorial.ipynb); in a clone, `make docs` writes `build/docs/tutorial.ipynb` from `docs/tutorial.py`. Run it from the
# repository's folder. It needs the package (`make python`), pandas and matplotlib.

# %%
import pandas as pd

import scfe

table = pd.read_csv("data/german_credit.csv")
table.iloc[:3, :6]

# %% [markdown]
# ## Fit once
#
# An explainer takes the model and the rows it was trained on. Here the model is a file; it could as well be a scikit-
# learn pipeline or a PyTorch module. The schema says what the columns mean: types, units, the order of levels, and
# what may never change, such as the age. With `label="risk"` in its place they would be inferred.

# %%
with open("data/german_credit.schema.json") as file:
    ex = scfe.Explainer("data/models/german_credit.onnx", data=table, schema=file.read())
for fact in ex.facts:
    print(fact)

# %% [markdown]
# The facts say what was learned of each class, how often the model agrees with the labels, and which solver will
# answer.
#
# ## Ask for a batch
#
# At most two features may change, the purpose of the credit stays, and the result has to be at least as typical as a
# tenth of the approved applicants.

# %%
rejected = table[ex.predict(table) == "refused"].head(40)
question = {"target": "approved", "max_changes": 2, "plausible": 0.10, "freeze": ["purpose"]}
answers = ex.explain(rejected, **question)
print(answers.found.sum(), "of", len(answers), "have an answer")
ex.explain(rejected.head(3), **question)

# %% [markdown]
# Each card says what changes and what it changes the probability to. The grey bars are the approved rows, the hollow
# dot is the value as it is, the filled one the value as it would be.
#
# ## One row, closely

# %%
print(answers[1])
answers[1].plot()

# %% [markdown]
# ## The whole batch
#
# Which features do the answers change, and which way?

# %%
answers.plot()

# %% [markdown]
# ## How many changes are worth it?
#
# With `path=True` a row gets the closest answer with one change, with two, and so on. After the knee, a further
# change brings little.

# %%
path = ex.explain(rejected.head(10), target="approved", path=True, max_changes=4)
row = next(e.row for e in path if e.knee)
path.plot_path(row)

# %% [markdown]
# ## Several plans
#
# People want a choice. No two of these plans change the same features.

# %%
for plan in ex.explain(rejected.head(1), **question, answers=3):
    print(plan.answer, ", ".join(str(change) for change in plan.changes), f"(distance {plan.distance:.2f})")

# %% [markdown]
# ## When nothing is found
#
# A row without an answer has a reason, and hints: limits that were lifted one by one and led to an answer.

# %%
frozen = ["amount", "duration_months", "checking_account"]
hard = ex.explain(rejected, target="approved", max_changes=1, freeze=frozen, below_floor="none")
without = [e for e in hard if not e.found]
print(len(without), "rows have none, for instance:")
print(without[0])

# %% [markdown]
# ## Is recourse as easy for everyone?
#
# An audit compares groups: how many of the refused have an answer, how far it is, how many changes it takes, how
# typical it is.

# %%
audit = ex.audit(table.head(300), by="personal_status", target="approved", max_changes=2)
audit.plot()

# %% [markdown]
# ## Check, and take it along
#
# `to_frame` gives the counterfactuals with the columns and dtypes that went in. `verify` predicts them again and
# checks every limit. The report and the fitted file are those of the command line.

# %%
frame = answers.to_frame()
assert (ex.predict(frame[answers.found]) == "approved").all()
print(ex.verify(answers)["holds"])
answers.report("build/tutorial.html")
ex.save("build/tutorial.scfe")
