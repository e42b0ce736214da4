import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isRecord } from '../../src/custody/isRecord';
import { basePath } from '../../src/sandbox/http/server';
import { describeApi } from '../../src/sandbox/openapi/document';
import { type Json, lookUp } from './lookUp';
import type { Recorded } from './recorder';

/** Where the document describes a method of a path. */
type Operation = { at: readonly string[]; method: string; pattern: RegExp };

type Description = {
  /** The endpoint of a call as the table has it, such as `GET /wallets/{id}`. */
  operationOf(call: { method: string; path: string }): string | undefined;
  /**
   * What of a call is not as the sandbox describes itself, as sentences: the body of one that was
   * taken, and every answer.
   */
  differences(call: Recorded): string[];
};

export function createDescription(): Description {
  const document: Json = JSON.parse(JSON.stringify(describeApi('http://127.0.0.1:4010')));
  const operations = operationsOf(document);
  const validate = createValidate(document);
  const find = (call: { method: string; path: string }): Operation | undefined => {
    const path = call.path.split('?')[0] ?? '';
    const method = call.method.toLowerCase();
    return operations.find((one) => one.method === method && one.pattern.test(path));
  };
  return {
    operationOf: (call) => {
      const path = find(call)?.at[1]?.replace(basePath, '');
      return path && `${call.method} ${path}`;
    },
    differences: (call) => {
      const found = find(call);
      if (found === undefined) return call.status === 404 ? [] : [`${call.path} is not described`];
      const asked = call.status < 300 ? validate([...found.at, 'requestBody'], call.sent) : [];
      const answered = validate(placeOf(document, found, call.status), call.text);
      const where = `${call.method} ${found.at[1]} ${call.status}`;
      return [...asked, ...answered].map((words) => `${where}: ${words}`);
    },
  };
}

function operationsOf(document: Json): Operation[] {
  const operations = Object.entries(lookUp(document, ['paths'])).flatMap(([path, methods]) =>
    Object.keys(isRecord(methods) ? methods : {}).map((method) => ({
      at: ['paths', path, method],
      method,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  // Where a fixed path and one with a parameter both fit, the fixed one is meant.
  const parameters = ({ at }: Operation) => at.join().split('{').length;
  return operations.sort((one, other) => parameters(one) - parameters(other));
}

/** Where an answer with this status is described: by itself, or by its class. */
function placeOf(document: Json, { at }: Operation, status: number): readonly string[] {
  const responses = lookUp(document, [...at, 'responses']);
  const key = [String(status), `${String(status)[0]}XX`].find((one) => one in responses);
  if (key === undefined) return [...at, 'responses', String(status)];
  const { $ref } = lookUp(responses, [key]);
  return typeof $ref === 'string' ? $ref.slice(2).split('/') : [...at, 'responses', key];
}

/** Holds the text of a body against what is described at a place of the document. */
function createValidate(document: Json): (at: readonly string[], text: string) => string[] {
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
