import { TestEnvironment } from 'jest-environment-node';

const checkMs = 1_000;
const parent = process.ppid;

// Temporal's native code keeps a test process alive after its parent was interrupted. Listening for
// the broken channel would keep the channel, and so the process, alive too.
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, checkMs).unref();

export = TestEnvironment;
