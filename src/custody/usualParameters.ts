import { templateIds } from './template';

/** What a deployment says to its template. Who is not named in it is the wallet that deploys. */
export function withUsualParameters(
  template: string,
  deployer: string,
  parameters: object,
): { name?: string; defaultAdmin?: string } & Record<string, unknown> {
  return { ...usual(template, deployer), ...parameters };
}

function usual(template: string, deployer: string): Record<string, string> {
  const roles = { defaultAdmin: deployer, primarySaleRecipient: deployer };
  switch (template) {
    case templateIds.fungible:
      return roles;
    case templateIds.uniqueItem:
    case templateIds.multiToken:
      return { ...roles, royaltyRecipient: deployer, royaltyPercent: '0' };
    case templateIds.airdrop:
      return { defaultAdmin: deployer };
    default:
      // Nobody knows what another one takes.
      return {};
  }
}
