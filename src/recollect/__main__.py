"""`python -m recollect` is the command `recollect`."""

import sys

EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command; a hook, which runs at every prompt, without loading the command line."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from recollect.serve.hooks.process import main as run_hook

        run_hook(sys.argv[2:])
    try:
        from recollect.serve.cli.main import main as run_command

        run_command()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    finally:
        # What is left is to end: a second interrupt would only show where.
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
