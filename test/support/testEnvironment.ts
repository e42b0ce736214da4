import { TestEnvironment } from 'jest-environment-node';

// A test process whose parent was interrupted would live on, kept alive by Temporal's native code.
process.once('disconnect', () => process.exit(1));

export = TestEnvironment;
