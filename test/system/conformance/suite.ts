import type { Given, Subject, Way } from './subject/subject';
import { describeContracts } from './suite/contracts';
import { describeDeployments } from './suite/deployments';
import { describeEstimates } from './suite/estimates';
import { describeEvents } from './suite/events';
import { describeHoldings } from './suite/holdings';
import { describeLists } from './suite/lists';
import { describeMonitoredTokens } from './suite/monitoredTokens';
import { describeNotifications } from './suite/notifications';
import { describePending } from './suite/pending';
import { describeRefusals } from './suite/refusals';
import { describeSigning } from './suite/signing';
import { describeTemplates } from './suite/templates';
import { describeTransactions } from './suite/transactions';
import { describeTransfers } from './suite/transfers';
import { describeUpgrades } from './suite/upgrades';
import { describeWallets } from './suite/wallets';

/** All promises of the service, tested over any connection. */
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
    describeHoldings(given);
    describeMonitoredTokens(given);
    describeEstimates(given);
    describeTransfers(given);
    describeTransactions(given);
    describePending(given);
    describeSigning(given);
    describeUpgrades(given);
    describeLists(given);
    describeTemplates(given);
    describeContracts(given);
    describeDeployments(given);
    describeEvents(given);
    describeNotifications(given);
    describeRefusals(given);
  });
}
