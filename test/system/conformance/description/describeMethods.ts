import { endpointOf } from './ownDescription';
import { holdTable } from './parityPage';

/** A method call of an SDK that the service has answered. */
export type MethodCall = {
  method: string;
  call: { method: string; path: string };
  status: number;
};

/** An operation for another kind of chain. `refusedHere` has the reason. */
const refusedOperation = 'POST /developer/sign/delegateAction';

/** The methods of an SDK, and their calls so far. */
export type Methods = {
  /** The name of the table on the page: the words in its marks. */
  sdk: string;
  /** All methods of the SDK. */
  names(): readonly string[];
  called(): readonly MethodCall[];
};

/**
 * Each method was answered with success, and the table on the page shows its answer. With
 * WRITE_PARITY=1 the table is written instead.
 */
export function describeMethods({ sdk, names, called }: Methods): void {
  describe(`the methods of the ${sdk}`, () => {
    it('were each answered with success, or refused when the chain allows nothing else', () => {
      const done = called().filter(
        ({ status, call }) => status < 300 || endpointOf(call) === refusedOperation,
      );
      const met = new Set(done.map(({ method }) => method));
      expect(names().length).toBeGreaterThan(0);
      expect(names().filter((name) => !met.has(name))).toEqual([]);
    });

    it('are in the table on parity, with their answers', () => {
      holdTable(`methods of the ${sdk}`, tableOf(names(), called()));
    });
  });
}

function tableOf(names: readonly string[], calls: readonly MethodCall[]): string[][] {
  const rows = names.map((name) => {
    const own = calls.filter(({ method }) => method === name);
    const endpoints = own.map(({ call }) => endpointOf(call));
    return [`\`${name}\``, listed(endpoints, '`'), listed(own.map(({ status }) => status))];
  });
  return [['Method', 'Endpoint', 'Answers'], ...rows];
}

/** All values once, in order. */
function listed(values: readonly (string | number | undefined)[], quote = ''): string {
  const distinct = new Set(values.filter((value) => value !== undefined).map(String));
  return [...distinct]
    .sort()
    .map((value) => quote + value + quote)
    .join(', ');
}
