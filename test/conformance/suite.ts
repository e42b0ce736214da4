import type { Given, Subject, Way } from './subject';
import { describeContracts } from './suite/contracts';
import { describeEstimates } from './suite/estimates';
import { describeLists } from './suite/lists';
import { describeRefusals } from './suite/refusals';
import { describeSigning } from './suite/signing';
import { describeTemplates } from './suite/templates';
import { describeTransactions } from './suite/transactions';
import { describeTransfers } from './suite/transfers';
import { describeUpgrades } from './suite/upgrades';
import { describeWallets } from './suite/wallets';

/** All that must be so, whichever way the service is reached. */
export function describeCustody(way: Way): void {
  describe(`the custody service ${way.name}`, () => {
    let subject: Subject | undefined;
    beforeAll(async () => {
      subject = await way.start();
    });
    afterAll(() => subject?.stop());
    const given: Given = {
      subject: () => {
        if (subject === undefined) throw new Error('The service has not been started.');
        return subject;
      },
      describeFunded: way.hasFunds ? describe : describe.skip,
      lacks: way.lacks,
    };
    describeWallets(given);
    describeEstimates(given);
    describeTransfers(given);
    describeTransactions(given);
    describeSigning(given);
    describeUpgrades(given);
    describeLists(given);
    describeTemplates(given);
    describeContracts(given);
    describeRefusals(given);
  });
}
