import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { isRecord } from '../../../../src/custody/isRecord';
import { type Json, lookUp } from '../lookUp';
import type { Recorded } from '../subject/recorder';
import { type Amendment, amendments, type DocumentName, furtherStatuses } from './amendments';
import { type Operation, operationFinder, operationsOf } from './operations';
import { unnamedFields } from './unnamedFields';

/** The folder of the hosted service's descriptions, beside the checkout. Not everybody has them. */
export const folder = '../shared/reference/openapi';
const folderPath = join(__dirname, '../../../..', folder);

const documentNames: readonly DocumentName[] = [
  'configurations',
  'developer-controlled-wallets',
  'smart-contract-platform',
];

/** An operation with its document. */
type DocumentOperation = Operation & { document: DocumentName };

export type Descriptions = {
  /**
   * The described path of a call, such as `GET /v1/w3s/wallets/{id}`. Undefined if there is none.
   */
  operation(call: Pick<Recorded, 'method' | 'path'>): string | undefined;
  /** The differences between an answer and its description, as sentences. */
  differences(call: Recorded): string[];
};

/** The descriptions with their amendments, or undefined when they are not installed. */
export function readDescriptions(): Descriptions | undefined {
  if (!existsSync(folderPath)) return undefined;
  const documents = new Map(documentNames.map((name) => [name, readDocument(name)]));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('UUID', true).addFormat('hex', /^0x[0-9a-f]*$/);
  for (const [name, document] of documents) ajv.addSchema(document, name);
  const find = operationFinder(
    [...documents].flatMap(([name, content]) =>
      operationsOf(content).map(
        (operation): DocumentOperation => ({ ...operation, document: name }),
      ),
    ),
  );
  return {
    operation: (call) => {
      const found = find(call);
      return found && `${call.method} ${found.path}`;
    },
    differences: (call) => {
      const found = find(call);
      if (found === undefined) return [`${call.method} ${call.path} is not described`];
      const document = documents.get(found.document) ?? {};
      const place = `${call.method} ${found.path} ${call.status}`;
      return compare(ajv, { ...found, root: document }, call).map((words) => `${place}: ${words}`);
    },
  };
}

function readDocument(name: DocumentName): Json {
  const document: Json = parse(readFileSync(join(folderPath, `${name}.yaml`), 'utf8'));
  for (const amendment of amendments) {
    if (amendment.documents.includes(name)) amend(document, amendment);
  }
  return document;
}

function amend(document: Json, { at, add }: Amendment): void {
  const schema = lookUp(document, at);
  for (const [key, value] of Object.entries(add)) {
    const now = schema[key];
    if (Array.isArray(now) && Array.isArray(value)) now.push(...value);
    else if (isRecord(now) && isRecord(value)) Object.assign(now, value);
    else schema[key] = value;
  }
}

type Target = DocumentOperation & { root: Json };

function compare(ajv: Ajv, target: Target, call: Recorded): string[] {
  const place = responsePlace(target, call.status);
  if (place === undefined) return ['the status is not described'];
  const { content, headers } = lookUp(target.root, place);
  const missing = Object.keys(isRecord(headers) ? headers : {})
    .filter((name) => call.headers[name.toLowerCase()] === undefined)
    .map((name) => `the header ${name} is missing`);
  if (isRecord(content) && 'application/json' in content) {
    return [...missing, ...compareBody(ajv, { ...target, place }, call)];
  }
  return call.text === '' ? missing : [...missing, 'a body where none is described'];
}

/** The place in the document that describes an answer with this status. */
function responsePlace({ document, path, method, root }: Target, status: number) {
  const at = ['paths', path, method, 'responses'];
  const responses = lookUp(root, at);
  const isFurther = furtherStatuses[document].statuses.includes(status);
  const key = responses[status] === undefined && isFurther ? '400' : String(status);
  const response = responses[key];
  if (!isRecord(response)) return undefined;
  return typeof response.$ref === 'string' ? response.$ref.slice(2).split('/') : [...at, key];
}

function compareBody(
  ajv: Ajv,
  { document, root, place }: Target & { place: readonly string[] },
  { text }: Recorded,
): string[] {
  const schemaPlace = [...place, 'content', 'application/json', 'schema'];
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const validate = validator(ajv, document, schemaPlace);
  validate(body);
  return [
    ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
    ...unnamedFields({ root, schema: lookUp(root, schemaPlace) }, body).map(
      (field) => `${field} is not described`,
    ),
  ];
}

function validator(ajv: Ajv, document: DocumentName, at: readonly string[]): ValidateFunction {
  const pointer = at.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const reference = `${document}#/${encodeURI(pointer)}`;
  const known = ajv.getSchema(reference);
  if (known === undefined) throw new Error(`There is no schema at ${reference}.`);
  return known;
}
