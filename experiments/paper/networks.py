"""Models with the paper's recipe: Adam, learning rate 1e-3, batches of 32, 20 epochs; logistic regression."""
import sys

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from .places import ROOT, SEED

sys.path.insert(0, str(ROOT / "experiments"))
import train as recipe  # noqa: E402  (experiments/train.py: how models are written)


def start():
    torch.manual_seed(SEED)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)


def fit_layers(sizes, x, y, loss, epochs, batch=32, rate=1e-3):
    """Layers [(weight, bias)] of a ReLU network that is linear at its end."""
    start()
    layers = [torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]
    parts = [part for layer in layers for part in (layer, torch.nn.ReLU())][:-1]
    network = torch.nn.Sequential(*parts)
    inputs, wanted = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
    optimiser, generator = torch.optim.Adam(network.parameters(), lr=rate), torch.Generator().manual_seed(SEED)
    for _ in range(epochs):
        for rows in torch.randperm(len(inputs), generator=generator).split(batch):
            optimiser.zero_grad()
            loss(network(inputs[rows]), wanted[rows]).backward()
            optimiser.step()
    return [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in layers]


def fit_dense(x, y, widths, epochs, rate=1e-3):
    """A classifier with one logit."""
    return fit_layers([x.shape[1], *widths, 1], x, y[:, None], torch.nn.BCEWithLogitsLoss(), epochs, rate=rate)


def fit_autoencoder(x, widths=(20, 6, 20), epochs=300):
    """For CEM: what it gives back unchanged is plausible. 6 of 12-30 features wide at its waist."""
    return fit_layers([x.shape[1], *widths, x.shape[1]], x, x, torch.nn.MSELoss(), epochs, rate=3e-3)


def fit_logistic(x, y):
    model = LogisticRegression(max_iter=1000, random_state=SEED).fit(x, y)
    return [(model.coef_.astype(np.float32), model.intercept_.astype(np.float32))]


def write(folder, layers, classes):
    recipe.write_onnx(folder / "model.onnx", layers, folder.name)
    recipe.write_json(folder / "model.json", layers, classes)


def write_autoencoder(path, layers):
    recipe.write_onnx(path, layers, "autoencoder", last="Identity")


def logits(layers, x):
    """As single precision computes it, one logit a row."""
    x = np.asarray(x, np.float32)
    for number, (weight, bias) in enumerate(layers):
        x = x @ weight.T + bias
        if number < len(layers) - 1:
            x = np.maximum(x, 0)
    return x[:, 0]
