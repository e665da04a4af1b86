"""The readme of a folio that nobody wrote one for."""

from collections import Counter

from recollect.keep.artifacts.artifact import say_day, title_of
from recollect.keep.artifacts.versions import texts_of
from recollect.model.ids import EntityId
from recollect.search.filed import list_filed
from recollect.search.mentioning import entities_in, named_in
from recollect.store.found import Artifacts
from recollect.store.view import View
from recollect.when.instant import Instant, local_day
from recollect.write.folio import Folio

LOOKED_AT = 200
FEW = 5


def readme_of(view: View, folio: Folio) -> str:
    """How much is in it, from when to when, whom it speaks of most, and what came last."""
    [[commits]] = view.rows("commits_counted", folio=folio.id)
    [[artifacts, first, last]] = view.rows("folio_span", in_folio=folio.id)
    lines = [f"{_counted(commits, 'commit')}, {_counted(artifacts, 'artifact')}"]
    if artifacts:
        lines.append(f"From {_day(view, first)} to {_day(view, last)}")
    newest = list_filed(view, Artifacts(folio=folio.id), None, LOOKED_AT).documents
    documents = view.documents(newest)
    texts = texts_of(view, list(documents.values()))
    told = entities_in(view, newest)
    counts = Counter(entity for id_ in newest for entity in told[id_] | named_in(view, [texts.get(id_, "")]))
    if counts:
        lines += ["", "Most mentioned:", *(f"- {name} ({count})" for name, count in _most(view, counts))]
    titles = [title_of(documents[id_], texts.get(id_)) for id_ in newest[:FEW]]
    if titles:
        lines += ["", "Newest:", *(f"- {title or 'untitled'}" for title in titles)]
    return "\n".join(lines)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _day(view: View, instant: int) -> str:
    return say_day(local_day(Instant(instant), view.world.zone))


def _most(view: View, counts: Counter[EntityId]) -> list[tuple[str, int]]:
    names = {each.id: each.name for each in view.entities(counts.keys()).values() if each.is_live}
    ranked = sorted((-count, names[entity]) for entity, count in counts.items() if entity in names)
    return [(name, -count) for count, name in ranked[:FEW]]
