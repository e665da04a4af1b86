"""`recollect hook`: for the hooks of coding agents."""

import click


@click.command("hook", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, metavar="EVENT", type=click.UNPROCESSED)
def hook_command(words: tuple[str, ...]) -> None:
    """Answer a hook of a coding agent, which gives its JSON on stdin; never fails.

    EVENT is session-start, user-prompt, pre-compact, stop or session-end, or the client's own name for it. Options --db
    and --workspace are taken; see docs/hooks.md.
    """
    from recollect.serve.hooks.process import main

    main(list(words))
