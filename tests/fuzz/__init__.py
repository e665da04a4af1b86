"""A fuzzer of the tools: calls made from their schemas and from their examples, in process, over stdio and HTTP."""
