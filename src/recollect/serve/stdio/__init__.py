"""One client over stdin and stdout: answered straight where that is all it takes, by the SDK otherwise."""
