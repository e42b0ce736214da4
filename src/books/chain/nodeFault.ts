import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { UnansweredError } from '../../chain/node/calling';
import { StatementError, UntoldError } from '../statementError';

/** Errors of a call that has no result. Any other error is about the result. */
const unanswered = [HttpRequestError, TimeoutError, UnansweredError, RpcRequestError];

function isUnanswered(error: BaseError): boolean {
  return error.walk((one) => unanswered.some((kind) => one instanceof kind)) !== null;
}

/** An error of the chain's library as a sentence. Any other error as it is. */
export function nodeFault(
  error: unknown,
  { asked, origin }: { asked: string; origin: string },
): unknown {
  if (!(error instanceof BaseError)) return error;
  const Fault = isUnanswered(error) ? UntoldError : StatementError;
  const details = `${error.shortMessage} ${error.details}`.replace(/\s+/g, ' ').slice(0, 200);
  return new Fault(
    `CHAIN_RPC_URL: the node at ${origin} does not tell ${asked}: ${details.replace(/\.$/, '')}. ` +
      'Give a node that has it, or try again.',
  );
}
