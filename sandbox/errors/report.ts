/** Says on standard error what went wrong in the sandbox itself, for whoever looks after it. */
export function report(what: string, error: unknown): void {
  process.stderr.write(`${what}: ${String(error)}\n`);
}
