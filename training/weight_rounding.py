"""Train with weights rounded to few values, so that the int8 file of a model compresses to half its size.

A matrix keeps its weights in full precision while it learns, and uses their nearest of `2 * levels + 1` evenly spaced
values for each output; the rounding passes gradients on as they come.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional


class RoundedLinear(nn.Linear):
    """A linear layer that uses rounded weights."""

    levels: int = 7

    def rounded(self) -> Tensor:
        step = self.weight.detach().abs().amax(1, keepdim=True) / self.levels
        return torch.round(self.weight / step) * step

    def forward(self, value: Tensor) -> Tensor:
        weight = self.weight + (self.rounded() - self.weight).detach()
        return functional.linear(value, weight, self.bias)


def round_in_training(body: nn.Module, levels: int) -> None:
    """Let every linear layer use rounded weights from now on."""
    for layer in body.modules():
        if type(layer) is nn.Linear:
            layer.__class__ = RoundedLinear
            layer.levels = levels


@torch.no_grad()
def keep_rounded(body: nn.Module) -> None:
    """Replace the weights by those that are used."""
    for layer in body.modules():
        if isinstance(layer, RoundedLinear):
            layer.weight.copy_(layer.rounded())
            layer.__class__ = nn.Linear
