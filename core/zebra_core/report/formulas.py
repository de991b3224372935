"""The formulas of the method, each once: for Typst, for TeX, and in words for those who cannot see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """One formula. The sources are ours, never a user's; `words` is also what plain formats show."""

    name: str
    typst: str
    tex: str
    words: str


ECE = Formula(
    "ece",
    'upright("ECE")(pi) = pi / N_T sum_(i in T) log_2 (1 + e^(-(lambda_i + theta))) '
    "+ (1 - pi) / N_N sum_(j in N) log_2 (1 + e^(lambda_j + theta)), quad theta = ln pi / (1 - pi)",
    r"\mathrm{ECE}(\pi) = \frac{\pi}{N_T}\sum_{i\in T}\log_2\bigl(1+e^{-(\lambda_i+\theta)}\bigr)"
    r" + \frac{1-\pi}{N_N}\sum_{j\in N}\log_2\bigl(1+e^{\lambda_j+\theta}\bigr),"
    r"\quad \theta = \ln\frac{\pi}{1-\pi}",
    "ECE(π) = π/N_T · Σ_T log2(1 + exp(−(λ + θ))) + (1 − π)/N_N · Σ_N log2(1 + exp(λ + θ)), "
    "θ = ln(π/(1 − π))",
)
D_ECE = Formula(
    "d-ece",
    'D_upright("ECE") = integral_0^1 (H(pi) - upright("ECE")_min (pi)) dif pi, quad '
    "H(pi) = -pi log_2 pi - (1 - pi) log_2 (1 - pi)",
    r"D_{\mathrm{ECE}} = \int_0^1 \bigl(H(\pi)-\mathrm{ECE}_{\min}(\pi)\bigr)\,d\pi,\quad"
    r" H(\pi) = -\pi\log_2\pi-(1-\pi)\log_2(1-\pi)",
    "D_ECE = ∫ from 0 to 1 of (H(π) − min ECE(π)) dπ, H(π) = −π log2 π − (1 − π) log2(1 − π)",
)
WORST_CASE = Formula(
    "worst-case",
    "w = 1 / (ln 10) max_k abs(lambda_k)",
    r"w = \frac{1}{\ln 10}\,\max_k\,\vert\lambda_k\vert",
    "w = max |λ| / ln 10",
)
CEILING = Formula(
    "ceiling",
    "w_max = log_10 max{((N_T + 1) N_N) / N_T, ((N_N + 1) N_T) / N_N}",
    r"w_{\max} = \log_{10}\max\Bigl\{\frac{(N_T+1)\,N_N}{N_T},\,\frac{(N_N+1)\,N_T}{N_N}\Bigr\}",
    "w_max = log10 of the greater of (N_T + 1)·N_N/N_T and (N_N + 1)·N_T/N_N",
)
CLLR = Formula(
    "cllr",
    'C_upright("llr") = 1/2 (1 / N_T sum_(i in T) log_2 (1 + e^(-lambda_i)) '
    "+ 1 / N_N sum_(j in N) log_2 (1 + e^(lambda_j)))",
    r"C_{\mathrm{llr}} = \frac12\Bigl(\frac{1}{N_T}\sum_{i\in T}\log_2\bigl(1+e^{-\lambda_i}\bigr)"
    r"+\frac{1}{N_N}\sum_{j\in N}\log_2\bigl(1+e^{\lambda_j}\bigr)\Bigr)",
    "Cllr = 1/2 · (mean over T of log2(1 + exp(−λ)) + mean over N of log2(1 + exp(λ)))",
)
DEV_PAV = Formula(
    "dev-pav",
    'upright("devPAV") = 1 / (x_2 - x_1) integral_(x_1)^(x_2) abs(y(x) - x) dif x',
    r"\mathrm{devPAV} = \frac{1}{x_2-x_1}\int_{x_1}^{x_2}\vert y(x)-x\vert\,dx",
    "devPAV = 1/(x₂ − x₁) · ∫ from x₁ to x₂ of |y(x) − x| dx",
)
EER = Formula(
    "eer",
    'upright("EER") = P_upright("miss")(t) = P_upright("fa")(t)',
    r"\mathrm{EER} = P_{\mathrm{miss}}(t) = P_{\mathrm{fa}}(t)",
    "EER = P_miss(t) = P_fa(t)",
)
HITS = Formula(
    "hits",
    'H(f) = max_(t: P_upright("fa")(t) <= f) (1 - P_upright("miss")(t)), quad '
    "f in {0.01, thin 0.001, thin 0.0001}",
    r"H(f) = \max_{t:\,P_{\mathrm{fa}}(t)\le f}\bigl(1-P_{\mathrm{miss}}(t)\bigr),\quad"
    r" f\in\{0.01,\,0.001,\,0.0001\}",
    "H(f) = the largest 1 − P_miss(t) of all t with P_fa(t) ≤ f, f = 0.01, 0.001, 0.0001",
)
LINKABILITY = Formula(
    "linkability",
    'D_upright("sys") = integral p(s | T) max(0, 2 (Lambda(s)) / (1 + Lambda(s)) - 1) dif s, quad '
    "Lambda(s) = p(s | T) / p(s | N)",
    r"D_{\mathrm{sys}} = \int p(s\mid T)\,\max\Bigl(0,\,2\,\frac{\Lambda(s)}{1+\Lambda(s)}-1\Bigr)\,ds,"
    r"\quad \Lambda(s) = \frac{p(s\mid T)}{p(s\mid N)}",
    "D_sys = ∫ p(s|T) · max(0, 2Λ(s)/(1 + Λ(s)) − 1) ds, Λ(s) = p(s|T)/p(s|N)",
)
WRONG_DECISIONS = Formula(
    "wrong-decisions",
    'P_upright("miss") = 1 / N_T sum_(i in T) [lambda_i < -theta], quad '
    'P_upright("fa") = 1 / N_N sum_(j in N) [lambda_j >= -theta]',
    r"P_{\mathrm{miss}} = \frac{1}{N_T}\sum_{i\in T}[\lambda_i<-\theta],\quad"
    r" P_{\mathrm{fa}} = \frac{1}{N_N}\sum_{j\in N}[\lambda_j\ge-\theta]",
    "P_miss = share of T with λ < −θ, P_fa = share of N with λ ≥ −θ",
)
DOMINANCE = Formula(
    "dominance",
    'D_upright("diag") = abs(1 / n sum_i M_(i i) - 1 / (n (n - 1)) sum_(i != j) M_(i j))',
    r"D_{\mathrm{diag}} = \Bigl\vert \frac1n\sum_i M_{ii}-\frac{1}{n(n-1)}\sum_{i\neq j}M_{ij}\Bigr\vert",
    "D_diag = |mean of the diagonal − mean of the other cells|",
)
DE_ID = Formula(
    "de-id",
    'upright("DeID") = 1 - D_upright("diag")^upright("OP") / D_upright("diag")^upright("OO"), quad '
    'G_upright("VD") = 10 log_10 D_upright("diag")^upright("PP") / D_upright("diag")^upright("OO")',
    r"\mathrm{DeID} = 1-\frac{D_{\mathrm{diag}}^{\mathrm{OP}}}{D_{\mathrm{diag}}^{\mathrm{OO}}},\quad"
    r" G_{\mathrm{VD}} = 10\log_{10}\frac{D_{\mathrm{diag}}^{\mathrm{PP}}}{D_{\mathrm{diag}}^{\mathrm{OO}}}",
    "DeID = 1 − D_diag(OP)/D_diag(OO), G_VD = 10·log10(D_diag(PP)/D_diag(OO))",
)

OF_SCORES: Mapping[str, Formula | None] = {
    "ece": ECE,
    "d-ece": D_ECE,
    "reading": None,
    "worst-case": WORST_CASE,
    "ceiling": CEILING,
    "cllr": CLLR,
    "eer": EER,
    "hits": HITS,
    "linkability": LINKABILITY,
    "wrong-decisions": WRONG_DECISIONS,
}
OF_STATED_LLRS: Mapping[str, Formula | None] = {"dev-pav": DEV_PAV}
OF_SIMILARITY: Mapping[str, Formula | None] = {"dominance": DOMINANCE, "de-id": DE_ID}
"""The paragraphs of the report's method in their order, with their formulas; words are `method.<name>`."""

FORMULAS = tuple(filter(None, (*OF_SCORES.values(), *OF_STATED_LLRS.values(), *OF_SIMILARITY.values())))
