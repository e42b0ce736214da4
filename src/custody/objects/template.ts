/** The fixed ids of the service's contract templates, by family. */
export const templateIds = {
  fungible: 'a1b74add-23e0-4712-88d1-6b3009e85a86',
  uniqueItem: '76b83278-50e2-4006-8b63-5b1a2a814533',
  multiToken: 'aea21da6-0aa2-4971-9a1a-5098842b1248',
  airdrop: '13e322f2-18dc-4f57-8eed-4bddfc50f85e',
} as const;

export type TemplateFamily = keyof typeof templateIds;
