import { TestEnvironment } from 'jest-environment-node';

const checkMs = 1_000;
const parent = process.ppid;

// A test process whose parent was interrupted would live on, kept alive by Temporal's native code.
// (Listening for the broken channel instead would keep the channel, and so the process, alive.)
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, checkMs).unref();

export = TestEnvironment;
