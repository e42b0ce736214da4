import { startSharedRun } from './sharedRun';

export = startSharedRun;
