import { exitCodes } from './exit';
import { run } from './run';

/** A reader such as "head" may leave early. The order goes on, so this is no failure. */
function leaveWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(exitCodes.stoppedWaiting);
    });
  }
}

async function main(): Promise<void> {
  leaveWithReader();
  const code = await run(process.argv.slice(2), process);
  // A pending call to Temporal would keep the process alive. A server process goes on.
  if (code !== undefined) process.exit(code);
}

void main();
