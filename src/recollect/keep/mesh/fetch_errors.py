"""Why a body was not fetched: each refusal has its own code and its rung on the ladder."""

from recollect.errors import RecollectError
from recollect.when.instant import Instant, format_instant


class MeshProblem(RecollectError):
    """A refusal; `rung` is its place on the ladder, none before and after it."""

    rung: int | None = None
    trace: tuple[str, ...] = ()


class BadMeshUri(MeshProblem):
    code = "MESH_BAD_URI"

    def __init__(self, why: str) -> None:
        form = "mesh://{connector}/account={name}/{key}={value}, values percent-encoded"
        super().__init__(f"{why}; the form is {form}")


class MeshPurged(MeshProblem):
    code = "MESH_PURGED"

    def __init__(self) -> None:
        super().__init__("this artifact's retention has run out, and its account does not allow fetching it again")


class MissingConnector(MeshProblem):
    code = "MESH_NO_CAPABILITY"
    rung = 1

    def __init__(self, connector: str) -> None:
        super().__init__(f'there is no connector "{connector}" that can give text')


class AccountDisabled(MeshProblem):
    code = "MESH_ACCOUNT_DISABLED"
    rung = 2

    def __init__(self, connector: str, account: str) -> None:
        how = f"recollect mesh enable {connector} --account {account} --path PATH"
        super().__init__(f'account "{account}" of connector "{connector}" is not enabled; an administrator runs: {how}')


class ConfirmationRequired(MeshProblem):
    code = "MESH_CONFIRMATION_REQUIRED"
    rung = 3

    def __init__(self, why: str, token: str, estimate: int, expires_at: Instant) -> None:
        super().__init__(f"{why}; about {estimate} tokens: call again with the confirmation_token given here")
        self.confirmation = {
            "token": token,
            "estimate_tokens": estimate,
            "expires_at": format_instant(expires_at),
        }


class BatchLimitReached(MeshProblem):
    code = "MESH_BATCH_CAP"
    rung = 4

    def __init__(self, used: int, cap: int) -> None:
        super().__init__(f"{used} of {cap} tokens were fetched in the last minute; wait, or ask for fewer")


class DailyBudgetReached(MeshProblem):
    code = "MESH_DAILY_BUDGET"
    rung = 5

    def __init__(self, used: int, budget: int) -> None:
        super().__init__(f"{used} of today's {budget} tokens are used; the budget is renewed at midnight")


class MeshBusy(MeshProblem):
    code = "MESH_BUSY"
    rung = 6

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} bodies are being fetched already; try again in a moment")


class MeshItemNotFound(MeshProblem):
    code = "MESH_NOT_FOUND"

    def __init__(self, what: str) -> None:
        super().__init__(f"the connector knows no such item: {what}")


class FetchFailed(MeshProblem):
    code = "MESH_FETCH_FAILED"

    def __init__(self, why: str) -> None:
        super().__init__(f"the item could not be fetched: {why}")
