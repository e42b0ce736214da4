import { stopSharedRun } from './sharedRun';

export = stopSharedRun;
