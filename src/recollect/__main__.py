"""`python -m recollect` is the command `recollect`."""

from recollect.serve.cli.main import main

if __name__ == "__main__":
    main()
