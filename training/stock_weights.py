"""Write the published layers in half precision to `training/weights/stock.npz`, where training starts from.

python -m training.stock_weights
"""

from training.layers import STOCK, published_weights, save_layers


def main() -> None:
    save_layers(published_weights(), [STOCK])


if __name__ == "__main__":
    main()
