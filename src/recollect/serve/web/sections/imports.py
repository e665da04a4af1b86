"""Import: upload files, see what they are and what they would teach, import them, stop and resume."""

from dataclasses import dataclass

from recollect.importers.formats import FORMATS
from recollect.importers.import_plan import ImportOutcome, LearnedFact
from recollect.importers.import_run import SkippedLine, TextOnly
from recollect.serve.import_jobs import ImportJob, import_jobs
from recollect.serve.web.framework.pages import Action, ActionResult, Page, PageModel, PageRequest, WebSection
from recollect.write.owner import owner_profile

LARGEST_UPLOAD = 512 * 1024 * 1024
MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class JobLine:
    id: str
    names: tuple[str, ...]
    state: str
    percent: int


@dataclass(frozen=True, slots=True)
class ImportPage(PageModel):
    jobs: tuple[JobLine, ...]
    formats: tuple[tuple[str, str], ...]
    largest_mib: int
    knows_addresses: bool
    """Whether the owner's own addresses are set, which decide what mail is trusted."""


@dataclass(frozen=True, slots=True)
class UploadLine:
    name: str
    format: str
    description: str
    size: int


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """Counts of an import, or of its trial, with what was not read and why."""

    new: dict[str, int]
    lines: int
    changed: int
    unchanged: int
    skipped: tuple[SkippedLine, ...]
    skipped_count: int
    text_only: tuple[TextOnly, ...]
    text_only_count: int
    warnings: tuple[str, ...]
    sample: tuple[LearnedFact, ...]
    is_partial: bool


@dataclass(frozen=True, slots=True)
class ImportJobPage(PageModel):
    job: JobLine
    is_active: bool
    seconds_left: int | None
    problem: str
    files: tuple[UploadLine, ...]
    refused: tuple[SkippedLine, ...]
    trial: OutcomeView | None
    outcome: OutcomeView | None


def show(request: PageRequest) -> ImportPage:
    jobs = import_jobs(request.memory).all() if request.caller.may_write else []
    formats = tuple((each.name, each.description) for each in FORMATS)
    with request.memory.read() as view:
        owner = owner_profile(request.memory.settings.for_workspace(view.world.settings))
    return ImportPage("Import", tuple(map(_job_line, jobs)), formats, LARGEST_UPLOAD // 1024**2, bool(owner.emails))


def running_imports(request: PageRequest) -> tuple[JobLine, ...]:
    """The imports that somebody who may write can watch."""
    jobs = import_jobs(request.memory).all() if request.caller.may_write else []
    return tuple(_job_line(each) for each in jobs if each.is_active)


def show_job(request: PageRequest) -> ImportJobPage:
    job = _job(request)
    plan = job.plan
    return ImportJobPage(
        "Import",
        _job_line(job),
        job.is_active,
        job.seconds_left,
        job.problem,
        tuple(
            UploadLine(each.name, each.format.name, each.format.description, each.size)
            for each in (plan.files if plan else ())
        ),
        plan.refused if plan else (),
        _outcome(job.trial),
        _outcome(job.outcome_so_far(request.memory)),
    )


def _job(request: PageRequest) -> ImportJob:
    return import_jobs(request.memory).find(request.path["job"])


def _job_line(job: ImportJob) -> JobLine:
    return JobLine(job.id, tuple(job.names), job.state, job.percent)


def _outcome(found: ImportOutcome | None) -> OutcomeView | None:
    if found is None:
        return None
    skipped = [one for each in found.results for one in each.skipped]
    text_only = [one for each in found.results for one in each.text_only]
    warnings = [one for each in found.results for one in each.warnings]
    return OutcomeView(
        found.new,
        found.total("lines"),
        found.total("changed"),
        found.total("unchanged"),
        tuple(skipped[:MOST_LINES]),
        len(skipped),
        tuple(text_only[:MOST_LINES]),
        len(text_only),
        tuple(warnings[:MOST_LINES]),
        found.sample,
        found.is_partial,
    )


def upload(request: PageRequest) -> ActionResult:
    files = [(each.filename or "", each.file) for each in request.files("files")]
    job = import_jobs(request.memory).add(request.acting("ingest"), files)
    return ActionResult(f"import/{job.id}", f"{len(files)} {'file' if len(files) == 1 else 'files'} uploaded")


def start(request: PageRequest) -> ActionResult:
    job = _job(request)
    job.start(request.acting("ingest"))
    return ActionResult(f"import/{job.id}", "")


def stop(request: PageRequest) -> ActionResult:
    job = _job(request)
    job.stop()
    return ActionResult(f"import/{job.id}", "The import stops after the part in progress; what is read stays")


def discard(request: PageRequest) -> ActionResult:
    _job(request).discard()
    return ActionResult("import", "The uploaded files were removed")


SECTION = WebSection(
    "import",
    pages=(
        Page("import", "import", show),
        Page("import", "import/{job}", show_job, scope="write", template="import_job.html"),
    ),
    actions=(
        Action("import/upload", upload, largest=LARGEST_UPLOAD),
        Action("import/{job}/start", start),
        Action("import/{job}/stop", stop),
        Action("import/{job}/discard", discard),
    ),
    label="Import",
    group="Set up",
)
