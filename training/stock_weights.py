"""Write the published layers in half precision to `training/weights/stock.npz`, where training starts from.

python -m training.stock_weights
"""

from training.bert import published_weights, save_layers
from training.encoder import STOCK


def main() -> None:
    save_layers(published_weights(), [STOCK])


if __name__ == "__main__":
    main()
