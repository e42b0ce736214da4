import { DefaultFailureConverter } from '@temporalio/common';

/** A bundle of workflows is recognised by the name of this class. See bundle.ts. */
class SteadfastPrivateFailures extends DefaultFailureConverter {}

/** Messages and stack traces go where the codec encrypts them. Workers and bundles load this file. */
export const failureConverter = new SteadfastPrivateFailures({ encodeCommonAttributes: true });
