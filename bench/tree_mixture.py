"""Densities for numbers and categories in NumPy, fitted by expectation maximisation; bench/pair_density.py compares them.

    products   sum_k pi_k prod_j N(x_j) prod_g p_k(level_g), what `--density mixture` fits, with its smoothing, its least spreads, and the
               number of components by five-fold held-out likelihood
    trees      sum_k pi_k T_k(x), each T_k a forest over the columns (Chow and Liu, 1968; Meila and Jordan, 2000): level | level by a
               smoothed table of pairs, number | level a Gaussian for each level, number | number a linear Gaussian. A tree of numbers has
               at most one category beside it: then the numbers are Gaussian given the levels, and the quadratic bound of the search exists.
    ratios     the products times one forest of ratios between the pairs of levels that were seen and those that the products expect

All have the form log q = log sum_k exp(c_k + b_k'f + f'Q_k f), f = (indicators of the levels, x, x^2)."""
import numpy as np

PRIOR_ROWS = 5  # of a component's probabilities towards those of the class, of the class's pairs towards independence
SPREAD_FLOOR = 0.2


class Rows:
    """f of the rows of a class; numbers in units of `scale` around `centre`."""

    def __init__(self, frame, numbers, levels, like=None):
        raw = frame[numbers].to_numpy(float)
        spread = raw.std(0)
        self.centre, self.scale = (like.centre, like.scale) if like else (raw.mean(0), np.where(spread > 0, spread, 1))
        x = (raw - self.centre) / self.scale
        hot = [(frame[c].to_numpy()[:, None] == np.array(v)[None, :]).astype(float) for c, v in levels.items()]
        self.f, self.layout = np.hstack([*hot, x, x * x]), Layout([len(v) for v in levels.values()], len(numbers))


class Layout:
    """Where the columns of f lie: slices of the categories, places of x and x^2."""

    def __init__(self, sizes, numbers):
        ends = np.cumsum([0, *sizes]).astype(int)
        self.groups = [slice(a, b) for a, b in zip(ends[:-1], ends[1:])]
        self.numbers, self.levels, self.width = numbers, int(ends[-1]), int(ends[-1]) + 2 * numbers

    def x(self, j):
        return self.levels + j

    def square(self, j):
        return self.levels + self.numbers + j


class Mixture:
    """c, b and Q of each component; Q is 0 for products."""

    def __init__(self, c, b, q=None):
        self.c, self.b, self.q = c, b, q

    def exponents(self, f):
        e = self.c + f @ self.b.T
        for k, q in enumerate(self.q if self.q is not None else ()):
            e[:, k] += np.einsum("ij,ij->i", f @ q, f)
        return e

    def log_density(self, f):
        return log_sum(self.exponents(f))


def log_sum(e):
    peak = e.max(1)
    return peak + np.log(np.exp(e - peak[:, None]).sum(1))


def smoothed_pairs(counts, total):
    """The class's table of pairs: towards the product of its Laplace frequencies."""
    one, other = ((counts.sum(s) + 1) / (total + counts.shape[1 - s]) for s in (1, 0))
    return (counts + PRIOR_ROWS * np.outer(one, other)) / (total + PRIOR_ROWS)


def moments(first, second, total):
    mean = first / total
    return mean, max(second / total - mean * mean, SPREAD_FLOOR**2)


class Products:
    def __init__(self, layout, f):
        self.layout, self.f, self.overall = layout, f, np.ones(layout.width)
        for g in layout.groups:  # the margins of smoothed_pairs
            counts = f[:, g].sum(0)
            laplace = (counts + 1) / (len(f) + len(counts))
            self.overall[g] = (counts + PRIOR_ROWS * laplace) / (len(f) + PRIOR_ROWS)

    def product(self, total, sums, share):
        """c and b of one component of so many rows, with these sums of f."""
        b, c, layout = np.zeros(self.layout.width), np.log(share), self.layout
        for g in layout.groups:
            b[g] = np.log((sums[g] + PRIOR_ROWS * self.overall[g]) / (total + PRIOR_ROWS))
        for j in range(layout.numbers):
            mean, variance = moments(sums[layout.x(j)], sums[layout.square(j)], total)
            b[layout.x(j)], b[layout.square(j)] = mean / variance, -0.5 / variance
            c -= 0.5 * (mean * mean / variance + np.log(2 * np.pi * variance))
        return c, b

    def maximise(self, r):
        totals = np.maximum(r.sum(0), 1e-8)
        made = [self.product(*one) for one in zip(totals, r.T @ self.f, totals / totals.sum())]
        return Mixture(np.array([m[0] for m in made]), np.array([m[1] for m in made]))

    def run(self, r, rounds):
        """(mixture, shares of the components in the rows, mean log-density)"""
        before = -np.inf
        for _ in range(rounds):
            mixture = self.maximise(r)
            e = mixture.exponents(self.f)
            value = log_sum(e)
            r, mean = np.exp(e - value[:, None]), value.mean()
            if mean - before < 1e-5:
                break
            before = mean
        return mixture, r, mean

    def seeds(self, components, draw):
        """Shares of 0 and 1 by k-means++ seeding; another level is one spread away."""
        f, levels = self.f[:, : self.layout.levels + self.layout.numbers], self.layout.levels
        place, nearest, at = np.zeros(len(f), int), np.full(len(f), np.inf), draw.integers(len(f))
        for k in range(components):
            gap = (f - f[at]) ** 2
            distance = 0.5 * gap[:, :levels].sum(1) + gap[:, levels:].sum(1)
            place[distance < nearest], nearest = k, np.minimum(nearest, distance)
            at = draw.choice(len(f), p=nearest / nearest.sum()) if nearest.sum() > 0 else 0
        return np.eye(components)[place]

    def fit(self, components, draw, starts=3):
        trials = [self.run(self.seeds(components, draw), 12) for _ in range(1 if components == 1 else starts)]
        trials.sort(key=lambda t: -t[2])
        return max((self.run(t[1], 150) for t in trials[: (len(trials) + 2) // 3]), key=lambda t: t[2])


class Trees(Products):
    """Edges whose gain in likelihood exceeds their parameters by the Bayesian criterion (price below)."""

    def __init__(self, layout, f):
        super().__init__(layout, f)
        self.pairs = f.T @ f

    def price(self, total):
        return max(1.0, 0.5 * np.log(total))

    def fit(self, components, draw, starts=3):
        return self.run(Products.fit(Products(self.layout, self.f), components, draw, starts)[1], 15)

    def maximise(self, r):
        totals = np.maximum(r.sum(0), 1e-8)
        parts = [self.tree(r[:, k], totals[k], totals[k] / totals.sum()) for k in range(r.shape[1])]
        return Mixture(*(np.array(p) for p in zip(*parts)))

    def tree(self, weight, total, share):
        pairs, sums, groups = (self.f * weight[:, None]).T @ self.f, weight @ self.f, self.layout.groups
        c, b = self.product(total, sums, share)
        edges = [self.of_levels(i, j, pairs, total, b) for i in range(len(groups)) for j in range(i)]
        for j in range(self.layout.numbers):
            edges += [self.of_number(i, j, pairs, sums, total) for i in range(len(groups))]
            edges += [self.of_numbers(i, j, pairs, sums, total) for i in range(j)]
        q = np.zeros((self.layout.width, self.layout.width))
        for edge in forest(self.layout, edges):
            c, b = c + edge.constant, b + edge.linear
            for place, values in edge.terms:
                q[place] += values
        return c, b, q

    def of_levels(self, i, j, pairs, total, b):
        a, c = self.layout.groups[i], self.layout.groups[j]
        own = smoothed_pairs(self.pairs[a, c], len(self.f))
        ratio = np.log((pairs[a, c] + PRIOR_ROWS * own) / (total + PRIOR_ROWS)) - b[a][:, None] - b[c][None, :]
        spent = (ratio.shape[0] - 1) * (ratio.shape[1] - 1) * self.price(total)
        return Edge((pairs[a, c] * ratio).sum() - spent, ("g", i), ("g", j), b.size, terms=[((a, c), ratio)])

    def of_number(self, i, j, pairs, sums, total):
        a, x, s = self.layout.groups[i], self.layout.x(j), self.layout.square(j)
        mean, variance = moments(sums[x], sums[s], total)
        counts, first, second = sums[a], pairs[a, x], pairs[a, s]
        m = (first + PRIOR_ROWS * mean) / (counts + PRIOR_ROWS)
        v = second - 2 * m * first + m * m * counts + PRIOR_ROWS * (variance + (m - mean) ** 2)
        v = np.maximum(v / (counts + PRIOR_ROWS), SPREAD_FLOOR**2)

        def likelihood(mu, var):
            return -0.5 * ((second - 2 * mu * first + mu * mu * counts) / var + counts * np.log(2 * np.pi * var)).sum()

        spent = 2 * (len(counts) - 1) * self.price(total)
        edge = Edge(likelihood(m, v) - likelihood(mean, variance) - spent, ("g", i), ("n", j), sums.size,
                    0.5 * (mean * mean / variance + np.log(2 * np.pi * variance)), [((a, x), m / v), ((a, s), -0.5 / v)])
        edge.linear[x], edge.linear[s] = -mean / variance, 0.5 / variance
        edge.linear[a] = -0.5 * (m * m / v + np.log(2 * np.pi * v))
        return edge

    def of_numbers(self, i, j, pairs, sums, total):
        """x_j given x_i over x_j alone. Both margins are kept, so that the direction does not matter."""
        (xi, si), (xj, sj) = ((self.layout.x(n), self.layout.square(n)) for n in (i, j))
        (mi, vi), (mj, vj) = (moments(sums[x], sums[s], total) for x, s in ((xi, si), (xj, sj)))
        covariance = (pairs[xi, xj] / total - mi * mj) * total / (total + PRIOR_ROWS)
        rest = min(vj, max(vj - covariance**2 / vi, SPREAD_FLOOR**2))
        slope = np.sign(covariance) * np.sqrt((vj - rest) / vi)
        at = mj - slope * mi  # x_j = at + slope x_i + noise
        constant = 0.5 * (mj * mj / vj + np.log(vj) - at * at / rest - np.log(rest))
        gain = 0.5 * total * np.log(vj / rest) - self.price(total)
        edge = Edge(gain, ("n", i), ("n", j), sums.size, constant, [((xi, xj), slope / rest)])
        edge.linear[xj], edge.linear[sj] = -mj / vj + at / rest, 0.5 / vj - 0.5 / rest
        edge.linear[xi], edge.linear[si] = -at * slope / rest, -0.5 * slope * slope / rest
        return edge


class Ratios(Products):
    def fit(self, components, draw, starts=3):
        mixture, r, mean = super().fit(components, draw, starts)
        share, groups, n = r.mean(0), self.layout.groups, len(self.f)
        p, edges = np.exp(mixture.b[:, : self.layout.levels]), []
        for i, a in enumerate(groups):
            for j, c in enumerate(groups[:i]):
                expected, counts = np.einsum("k,ka,kc->ac", share, p[:, a], p[:, c]), self.f[:, a].T @ self.f[:, c]
                ratio = np.log((counts + 20 * expected) / (n + 20) / expected)
                spent = (counts.shape[0] - 1) * (counts.shape[1] - 1)
                edges.append(Edge((counts * ratio).sum() - spent, ("g", i), ("g", j), 0, terms=[((a, c), ratio)]))
        q = np.zeros((self.layout.width, self.layout.width))
        for edge in forest(self.layout, edges):
            q[edge.terms[0][0]] += edge.terms[0][1]
        c = mixture.c - self.log_normaliser(share, p, q, draw)
        return Mixture(c, mixture.b, np.repeat(q[None], len(c), 0)), r, mean

    def log_normaliser(self, share, p, q, draw, draws=20000):
        at, f = draw.choice(len(share), draws, p=share / share.sum()), np.zeros((draws, self.layout.width))
        for g in self.layout.groups:
            below = np.cumsum(p[:, g] / p[:, g].sum(1, keepdims=True), 1)[at] < draw.random((draws, 1))
            f[np.arange(draws), g.start + np.minimum(below.sum(1), below.shape[1] - 1)] = 1
        return np.log(np.exp(np.einsum("ij,ij->i", f @ q, f)).mean())


class Edge:
    """What an edge adds to the exponent of a product: a constant, linear terms and terms of Q."""

    def __init__(self, gain, a, b, width, constant=0.0, terms=()):
        self.gain, self.ends, self.constant, self.terms, self.linear = gain, (a, b), constant, terms, np.zeros(width)


def root(parent, a):
    while parent[a] != a:
        a = parent[a]
    return a


def forest(layout, edges):
    """The edges of the forest with the largest gain (Kruskal); a tree of numbers has at most one category beside it."""
    numbers = {("n", j): ("n", j) for j in range(layout.numbers)}  # the trees of numbers alone
    every, beside = {("g", i): ("g", i) for i in range(len(layout.groups))} | numbers, set()
    for edge in sorted((e for e in edges if e.gain > 0), key=lambda e: -e.gain):
        a, b = edge.ends
        sides = [root(numbers, end) for end in (a, b) if end[0] == "n"]
        taken = [s in beside for s in sides]
        if root(every, a) == root(every, b) or (len(sides) == 2 and all(taken)) or (len(sides) == 1 and taken[0]):
            continue
        if len(sides) == 2:
            numbers[sides[0]] = sides[1]
        if len(sides) == 1 or any(taken):
            beside.add(sides[-1])
        every[root(every, a)] = root(every, b)
        yield edge
