import { DefaultFailureConverter } from '@temporalio/common';

/** Its name is what a bundle of workflows is recognised by; see bundle.ts. */
class SteadfastPrivateFailures extends DefaultFailureConverter {}

/** Messages and stack traces go where the codec encrypts them. Workers and bundles load this file. */
export const failureConverter = new SteadfastPrivateFailures({ encodeCommonAttributes: true });
