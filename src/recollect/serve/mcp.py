"""MCP: one surface as a low-level server of the SDK."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar

import mcp_types as types
from anyio import CapacityLimiter
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPError

from recollect.deadline import CallDeadline
from recollect.errors import RecollectError, Refused
from recollect.llm.port import DeferredAnswers
from recollect.serve.audit import AuditLog
from recollect.serve.call_context import KEY, CallContext, Confirmation, confirm, run_tool
from recollect.serve.call_deadlines import run_call, run_in_time
from recollect.serve.callers import Caller, MemoryOpener
from recollect.serve.external_connection_pool import ServerConnections
from recollect.serve.idempotency import KEY_META, KeyedCalls
from recollect.serve.metrics import Metrics
from recollect.serve.notifications import ClientRegistry, progress_channel
from recollect.serve.sampling import DeferredClientModel, client_model
from recollect.serve.server_info import ServerInfo, list_tools
from recollect.surfaces.call_errors import Crashed, NoResource, UnknownTool
from recollect.surfaces.declarations import Answer, Prompt, Resource, Surface, Tool
from recollect.surfaces.dispatch import (
    call,
    external_failure_answer,
    failure_answer,
    read_resource,
    unknown_tool_answer,
    write_prompt,
)
from recollect.surfaces.schema import description_of, input_schema

MAX_CONCURRENT_CALLS = 16
RESOURCE_NOT_FOUND = -32002

Context = ServerRequestContext[Any, Any]
Value = TypeVar("Value")


@dataclass(eq=False)
class ServerContext:
    """What the handlers of one surface's server share."""

    load: Callable[[], Surface]
    open_for: MemoryOpener
    caller_of: Callable[[Context], Caller]
    metrics: Metrics = field(default_factory=Metrics)
    external: ServerConnections | None = None
    clients: ClientRegistry = field(default_factory=ClientRegistry)
    call_seconds: float = math.inf
    audit: AuditLog | None = None
    keyed: KeyedCalls = field(default_factory=KeyedCalls)

    async def list_tools(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        caller = self.caller_of(context)
        self.clients.register(caller.workspace, context)
        tools = [types.Tool.model_validate(each) for each in list_tools(self.load(), caller)]
        if self.external is not None and self.load().render_external_failure is not None:
            taken = {*self.load().tools, *self.load().aliases}
            tools += await self.external.tools(caller.workspace, taken, may_write=caller.may_write, context=context)
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = self.load().tool_called(params.name)
        caller = caller_with_client(self.caller_of(context), context)
        self.clients.register(caller.workspace, context)
        if tool is None:
            return await self.call_external(caller, params) or tool_result(self.unknown(params.name))
        preview = partial(self.preview, tool, caller, params.arguments or {})
        confirmation = await confirm(context, params, tool, preview) if caller.may_write else Confirmation()
        if confirmation.pending is not None:
            return confirmation.pending
        if confirmation.refusal is not None:
            return tool_result(confirmation.refusal)
        model = client_model(context, params)
        async with progress_channel(context, tool) as tell:
            key = (params.meta or {}).get(KEY_META)
            answer = await self.in_thread(
                tool, caller, params.arguments or {}, CallContext(tell, model, confirmation.is_given, key)
            )
        if isinstance(answer, Answer):
            return tool_result(answer)
        assert isinstance(model, DeferredClientModel)
        return model.asking(answer)

    async def preview(self, tool: Tool, caller: Caller, arguments: dict[str, Any]) -> types.CallToolResult:
        """The result of a destructive call that nobody confirmed, so that it tells only what it would do."""
        unconfirmed = {name: value for name, value in arguments.items() if name != KEY}
        return tool_result(await self.read_in_time(partial(call, tool, partial(self.open_for, caller), unconfirmed)))

    async def in_thread(
        self, tool: Tool, caller: Caller, arguments: dict[str, Any], client: CallContext
    ) -> Answer | DeferredAnswers:
        """Run the tool on a worker thread, and count the call."""
        began = time.perf_counter()
        deadline = CallDeadline(self.call_seconds)

        def job() -> Answer | DeferredAnswers:
            found = self.keyed.once(
                client.key,
                caller,
                tool,
                self.open_for,
                arguments,
                lambda opened: run_tool(tool, opened, arguments, client),
            )
            if self.audit is not None and isinstance(found, Answer):
                self.audit.note(caller, tool, arguments, found)
            return found

        def late() -> Answer:
            return failure_answer(tool, {}, deadline.failure(), None)

        answer = await run_call(deadline, job, self.limiter, late, may_renew=tool.reports_progress)
        if isinstance(answer, Answer):
            self.metrics.note(tool, answer, time.perf_counter() - began, caller)
        return answer

    async def read_in_time(self, job: Callable[[], Value]) -> Value:
        """The content of a resource or prompt; raises what goes wrong."""
        return await run_in_time(self.call_seconds, job, self.limiter)

    @cached_property
    def limiter(self) -> CapacityLimiter:
        """Created on first use, since it belongs to a running event loop."""
        return CapacityLimiter(MAX_CONCURRENT_CALLS)

    async def call_external(self, caller: Caller, params: types.CallToolRequestParams) -> types.CallToolResult | None:
        """The unchanged answer of the external server that has this tool; none if no server has it."""
        surface = self.load()
        if self.external is None or surface.render_external_failure is None or "__" not in params.name:
            return None
        asked = params.arguments or {}
        try:
            return await self.external.call(caller.workspace, params.name, asked, may_write=caller.may_write)
        except RecollectError as failure:
            return tool_result(external_failure_answer(surface, params.name, failure))

    def unknown(self, name: str) -> Answer:
        try:
            return unknown_tool_answer(self.load(), name)
        except UnknownTool:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {name[:100]}") from None

    def schema_of(self, name: str) -> dict[str, Any] | None:
        tool = self.load().tool_called(name)
        return input_schema(tool) if tool else None

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[template_listing(each) for each in self.load().resources if each.is_template]
        )

    async def list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Resources with a fixed URI; other URIs come from the answers of tools."""
        return types.ListResourcesResult(
            resources=[resource_listing(each) for each in self.load().resources if not each.is_template]
        )

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[prompt_listing(each) for each in self.load().prompts.values()])

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        prompt = self.load().prompts.get(params.name)
        if prompt is None:
            known = ", ".join(self.load().prompts)
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name[:100]}; available: {known}")
        job = partial(
            write_prompt, prompt, partial(self.open_for, self.caller_of(context)), dict(params.arguments or {})
        )
        try:
            text = await self.read_in_time(job)
        except RecollectError as failure:
            code = types.INTERNAL_ERROR if isinstance(failure, Crashed) else types.INVALID_PARAMS
            raise MCPError(code, str(failure)) from None
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        resource = next((each for each in self.load().resources if each.takes(uri)), None)
        if resource is None:
            message = "no such resource; list the resources and their templates for the URIs that can be read"
            raise MCPError(RESOURCE_NOT_FOUND, message, {"uri": uri[:200], "reason": "not_found"})
        job = partial(read_resource, resource, partial(self.open_for, self.caller_of(context)), uri)
        try:
            content = await self.read_in_time(job)
        except RecollectError as failure:
            raise as_protocol_error(failure, uri) from None
        meta = dict(content.meta) or None
        body = types.TextResourceContents(uri=uri, mime_type=content.mime, text=content.text, _meta=meta)
        return types.ReadResourceResult(contents=[body])


def caller_with_client(caller: Caller, context: Context) -> Caller:
    """The caller with the client name of the initialize request, if there was one."""
    greeting = context.session.client_params
    return caller if greeting is None else caller.with_client(greeting.client_info.name)


def create_server(name: str, context: ServerContext) -> Server[Any]:
    """A server that lists and calls the tools of one surface, and reads its resources if it has any."""
    about = ServerInfo(name)
    with_resources = about.has_resources
    server = SurfaceServer(
        about.name,
        version=about.version,
        title=about.title,
        instructions=about.instructions,
        get_tool_input_schema=context.schema_of,
        on_list_tools=context.list_tools,
        on_call_tool=context.call_tool,
        on_list_resources=context.list_resources if with_resources else None,
        on_list_resource_templates=context.list_templates if with_resources else None,
        on_read_resource=context.read_resource if with_resources else None,
        on_list_prompts=context.list_prompts if about.has_prompts else None,
        on_get_prompt=context.get_prompt if about.has_prompts else None,
    )
    # By default the SDK opens a tracing span for every message; we have our own metrics.
    server.middleware.clear()
    return server


class SurfaceServer(Server[Any]):
    """The SDK's server, which announces changed tools over every transport."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        announced = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(announced, experimental_capabilities, extensions)


def initialization_options(surface_server: Server[Any]) -> InitializationOptions:
    """Capabilities announced to clients; the tool list can change with external servers."""
    return surface_server.create_initialization_options()


def resource_listing(resource: Resource) -> types.Resource:
    return types.Resource(
        name=resource.name, uri=resource.template, description=resource.description, mime_type=resource.mime
    )


def prompt_listing(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=each.name, description=description_of(each.kind), required=each.required)
        for each in prompt.parameters
    ]
    return types.Prompt(name=prompt.name, description=prompt.description, arguments=arguments)


def template_listing(resource: Resource) -> types.ResourceTemplate:
    return types.ResourceTemplate(
        name=resource.name, uri_template=resource.template, description=resource.description, mime_type=resource.mime
    )


def as_protocol_error(failure: RecollectError, uri: str) -> MCPError:
    """Reading a resource has no error result, so failures are protocol errors."""
    match failure:
        case NoResource(reason=reason):
            return MCPError(RESOURCE_NOT_FOUND, str(failure), {"uri": uri[:200], "reason": reason})
        case Refused():
            return MCPError(types.INVALID_PARAMS, str(failure), {"uri": uri[:200]})
    return MCPError(types.INTERNAL_ERROR, str(failure), {"uri": uri[:200], "reason": failure.code})


def tool_result(answer: Answer) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(text=text) for text in answer.texts]
    meta = dict(answer.meta) or None
    structured = None if answer.is_text_only else answer.structured
    return types.CallToolResult(content=content, structured_content=structured, is_error=answer.is_error, _meta=meta)
