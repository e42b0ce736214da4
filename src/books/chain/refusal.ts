import { BaseError, HttpRequestError, RpcRequestError } from 'viem';
import { UnansweredError } from '../../chain/node/calling';
import { faultKind } from '../../chain/node/fault';

/** The node has understood the question, and does not answer it. Trouble that passes is none. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((one) => one instanceof UnansweredError) !== null) return false;
  const told = error.walk((one) => one instanceof RpcRequestError);
  if (told instanceof RpcRequestError) {
    const { code, details: message } = told;
    return ['other', 'tooMuch'].includes(faultKind('eth_getLogs', { code, message }));
  }
  const found = error.walk((one) => one instanceof HttpRequestError);
  const status = found instanceof HttpRequestError ? (found.status ?? 500) : 500;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
