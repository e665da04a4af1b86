"""`python -m recollect` is the command `recollect`."""

import sys


def main() -> None:
    """Run the command; a hook, which runs at every prompt, without loading the command line."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from recollect.serve.hooks.client import main as run_hook

        run_hook(sys.argv[2:])
    from recollect.serve.cli.main import main as run_command

    run_command()


if __name__ == "__main__":
    main()
