import { ApplicationFailure, ServiceError, WorkflowFailedError } from '@temporalio/client';
import { StatementError } from '../../../src/books/statementError';
import { failureWords } from '../../../src/console/watch/failureWords';
import { log } from '../../../src/log';

const ended = (cause: Error) => new WorkflowFailedError('ended', cause, 'NON_RETRYABLE_FAILURE');
const away = Object.assign(new Error('14 UNAVAILABLE: connect refused.'), {
  code: 14,
  details: '',
  metadata: {},
});

beforeAll(() => {
  jest.spyOn(log, 'error').mockImplementation(() => undefined);
});

it.each([
  ['a sentence of ours', new StatementError('Give a node.'), 'Give a node.'],
  ['the words of a worker', ended(ApplicationFailure.create({ message: 'No key.' })), 'No key.'],
  ['a run that somebody has ended', ended(new Error('gone')), 'Somebody has stopped'],
  [
    'Temporal that is away',
    new ServiceError('Failed', { cause: away }),
    'Temporal did not answer: connect refused.',
  ],
  ['anything else', new TypeError('secret'), 'The log of the console says why.'],
])('%s is told as a sentence', (_, error, words) => {
  expect(failureWords(error)).toContain(words);
  expect(failureWords(error)).not.toContain('secret');
});
