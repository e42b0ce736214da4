import { describeAnswers } from './description/describeAnswers';
import { readHostedConfig, variables } from './subject/hostedConfig';
import { hosted } from './subject/ways';
import { describeCustody } from './suite';

const config = readHostedConfig();
const given = {
  CONFORMANCE_BASE_URL: 'https://service.example/v1/w3s',
  CONFORMANCE_API_KEY: 'TEST_API_KEY:id:secret',
  CONFORMANCE_ENTITY_SECRET: '00'.repeat(32),
};

describe('the keys of the hosted service', () => {
  it('come from the environment, all or none', () => {
    expect(readHostedConfig(given)).toMatchObject({ apiKey: 'TEST_API_KEY:id:secret' });
    expect(readHostedConfig({ ...given, CONFORMANCE_API_KEY: '' })).toBeUndefined();
  });

  it.each(['LIVE_API_KEY:id:secret', Buffer.from('LIVE_API_KEY:id:secret').toString('base64')])(
    'are never live ones, as in %s',
    (key) => {
      expect(() => readHostedConfig({ ...given, CONFORMANCE_API_KEY: key })).toThrow(
        'must be a test key',
      );
    },
  );
});

if (config === undefined) {
  const what = `the hosted service is not tried, since ${variables.join(', ')} are not all set`;
  process.stderr.write(`Skipped: ${what}.\n`);
  it.skip(what, () => {});
} else {
  const way = hosted(config);
  describeCustody(way);
  describeAnswers(way);
}
