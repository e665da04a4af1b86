// Connects, lists and calls, then prints what it saw as one line of JSON.
//   node drive.mjs '{"sdk": "v1|v2", "era": "legacy|2026-07-28", "transport": "stdio|http|sse",
//                    "command": [...], "env": {...}, "url": "...", "token": "...", "calls": [["tool", {...}], ...]}'
const job = JSON.parse(process.argv[2]);

async function toolkit() {
  if (job.sdk === "v2") {
    const all = await import("@modelcontextprotocol/client");
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    return { ...all, StdioClientTransport };
  }
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
  return { Client, StdioClientTransport, StreamableHTTPClientTransport, SSEClientTransport };
}

function transportOf({ StdioClientTransport, StreamableHTTPClientTransport, SSEClientTransport }) {
  if (job.transport === "stdio") {
    const [command, ...args] = job.command;
    return new StdioClientTransport({ command, args, env: { ...process.env, ...job.env }, stderr: "inherit" });
  }
  const options = job.token ? { requestInit: { headers: { Authorization: `Bearer ${job.token}` } } } : {};
  const Transport = job.transport === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  return new Transport(new URL(job.url), options);
}

async function attempt(call) {
  try {
    return await call();
  } catch (problem) {
    return { protocolError: problem.code ?? String(problem) };
  }
}

const kit = await toolkit();
const negotiation = job.era === "legacy" ? { mode: "legacy" } : { mode: { pin: job.era } };
const client = new kit.Client({ name: "recollect-test", version: "1.0.0" }, { versionNegotiation: negotiation });
await client.connect(transportOf(kit));
const { tools } = await client.listTools();
const results = [];
for (const [name, args] of job.calls) {
  results.push(await attempt(() => client.callTool({ name, arguments: args })));
}
const server = client.getServerVersion();
await client.close();
console.log(JSON.stringify({ server, tools, results }));
