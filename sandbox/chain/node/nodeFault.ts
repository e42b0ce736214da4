import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { SilentNodeError } from './callNode';
import { isOvertaken } from './client';

/** JSON-RPC's code for an internal error. The node gives it to what the EVM has against a call. */
const internalError = -32_603;
const evmRefusal = /^EVM error /;

/** True when the node has failed, and not the call: asking again may help. */
export function isNodeFault(answer: { code: number | undefined; reason: string }): boolean {
  if (answer.code === undefined || isOvertaken(answer.reason)) return true;
  return answer.code === internalError && !evmRefusal.test(answer.reason);
}

/** The same of an error that a read through the client has thrown. */
export function isReadFault(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  const answer = error.walk((one) => one instanceof RpcRequestError);
  if (answer instanceof RpcRequestError) {
    return isNodeFault({ code: answer.code, reason: answer.details });
  }
  return (
    error.walk((one) => one instanceof HttpRequestError || one instanceof TimeoutError) !== null
  );
}

/** True when it is not known what the node made of the question: it is gone, or it hangs. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof SilentNodeError || isLate(error)) return true;
  if (!(error instanceof BaseError)) return false;
  const lost = error.walk((one) => one instanceof HttpRequestError);
  return lost instanceof HttpRequestError && lost.status === undefined;
}

/** The same where the node was given all the time that it may take. */
export function isLate(error: unknown): boolean {
  if (error instanceof SilentNodeError) return error.isLate;
  return error instanceof BaseError && error.walk((one) => one instanceof TimeoutError) !== null;
}
