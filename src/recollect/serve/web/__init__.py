"""The web app: look into what is remembered and put it right.

To add a page: write `sections/NAME.py` with a view model (a frozen dataclass that extends `PageModel`), a function that
makes it from a `PageRequest`, and `SECTION`; write `templates/NAME.html`; list the section in `site.py`. Functions that
change something are `Action`s: access, CSRF and errors are handled for all of them in `app.py`.
"""
