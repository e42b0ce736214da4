import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { basePath } from '../../../../sandbox/http/server';
import { describeApi } from '../../../../sandbox/openapi/document';
import { type Json, lookUp } from '../lookUp';
import type { Recorded } from '../subject/recorder';
import { operationFinder, operationsOf } from './operations';

const document: Json = JSON.parse(JSON.stringify(describeApi('http://127.0.0.1:4010')));
const find = operationFinder(operationsOf(document));

/** The endpoint of a call in the form of the table, such as `GET /wallets/{id}`. */
export function endpointOf(call: { method: string; path: string }): string | undefined {
  const path = find(call)?.path.replace(basePath, '');
  return path && `${call.method} ${path}`;
}

/**
 * Finds the differences between a call and the sandbox's description, as sentences. It checks the
 * body of each accepted call, and every answer.
 */
export function createDifferences(): (call: Recorded) => string[] {
  const validate = createValidate();
  return (call) => {
    const found = find(call);
    if (found === undefined) return call.status === 404 ? [] : [`${call.path} is not described`];
    const at = ['paths', found.path, found.method];
    const asked = call.status < 300 ? validate([...at, 'requestBody'], call.sent) : [];
    const answered = validate(placeOf(at, call.status), call.text);
    const where = `${call.method} ${found.path} ${call.status}`;
    return [...asked, ...answered].map((words) => `${where}: ${words}`);
  };
}

/** The place that describes an answer with this status: the status itself, or its class. */
function placeOf(at: readonly string[], status: number): readonly string[] {
  const responses = lookUp(document, [...at, 'responses']);
  const key = [String(status), `${String(status)[0]}XX`].find((one) => one in responses);
  if (key === undefined) return [...at, 'responses', String(status)];
  const { $ref } = lookUp(responses, [key]);
  return typeof $ref === 'string' ? $ref.slice(2).split('/') : [...at, 'responses', key];
}

/** Compares the text of a body with the description at a place of the document. */
function createValidate(): (at: readonly string[], text: string) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'sandbox');
  return (at, text) => {
    const place = [...at, 'content', 'application/json', 'schema'];
    const pointer = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const valid = ajv.getSchema(`sandbox#/${encodeURI(pointer)}`);
    if (valid === undefined)
      return ['', '{}'].includes(text) ? [] : ['a body where none is described'];
    if (text === '') return ['no body where one is described'];
    valid(JSON.parse(text));
    return (valid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
