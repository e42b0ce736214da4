import { templateIds } from '../objects/template';

/** Completes the parameters of a template. The deploying wallet takes every role without a name. */
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
