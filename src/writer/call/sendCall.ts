import type { CallOptions, CustodyApi } from '../../custody/endpoints';
import type { JudgedCall } from './shapes';

/** Sends exactly the call that was judged. */
export function sendCall(
  custody: CustodyApi,
  { method, input }: JudgedCall,
  how: CallOptions | undefined,
): Promise<object> {
  switch (method) {
    case 'createTransfer':
      return custody.createTransfer(input, how);
    case 'executeContract':
      return custody.executeContract(input, how);
    case 'deployTemplate':
      return custody.deployTemplate(input, how);
    case 'createWalletSet':
      return custody.createWalletSet(input, how);
    case 'createWallets':
      return custody.createWallets(input, how);
    case 'cancelTransaction':
      return custody.cancelTransaction(input, how);
    case 'accelerateTransaction':
      return custody.accelerateTransaction(input, how);
  }
}
