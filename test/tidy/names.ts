import ts from 'typescript';
import { type Finding, lineOf, parse, type Source } from './source';

/** Product code. A name that is exported there stands in one file. */
const product = /^(src|workflows|activities|sandbox)\//;

/**
 * The places of a kind of order: its definition, its workflow, its step and its command. They have
 * one name, so that a reader of one of them finds the others.
 */
const placesOfKind: readonly RegExp[] = [
  /^src\/orders\/\w+\.ts$/,
  /^workflows\/\w+\.ts$/,
  /^workflows\/steps\/\w+\.ts$/,
  /^src\/cli\/commands\/\w+\.ts$/,
];

/** Names that stand in several files all the same, and why. At most fifteen. */
export const sharedNames: Record<string, string> = {
  pause: 'the command of an order, and the command of a schedule',
  resume: 'the command of an order, and the command of a schedule',
};

type Place = { name: string; path: string; line: number };

/** Exported functions, classes, constants and types whose name another file exports as well. */
export function checkNames(sources: readonly Source[]): Finding[] {
  return sharedIn(sources)
    .filter(([name]) => !Object.hasOwn(sharedNames, name))
    .flatMap(([name, all]) => {
      const rule = `"${name}" is exported by ${all.length} files: say what it is, or merge them.`;
      return all.map(({ path, line }) => ({ path, line, rule }));
    });
}

/** Names that several files export, with their places. A name of a kind of order is none. */
export function sharedIn(sources: readonly Source[]): [name: string, all: Place[]][] {
  const places = new Map<string, Place[]>();
  for (const source of sources.filter(({ path }) => product.test(path) && path.endsWith('.ts'))) {
    for (const place of exportsOf(source)) {
      places.set(place.name, [...(places.get(place.name) ?? []), place]);
    }
  }
  const isShared = (all: readonly Place[]) => new Set(all.map(({ path }) => path)).size > 1;
  return [...places].filter(([, all]) => isShared(all) && !isOfKind(all));
}

/** True if each place of the name is another place of a kind of order. */
function isOfKind(all: readonly Place[]): boolean {
  const found = all.map(({ path }) => placesOfKind.findIndex((place) => place.test(path)));
  return !found.includes(-1) && new Set(found).size === found.length;
}

/** The exported names of a file. */
function exportsOf(source: Source): Place[] {
  const tree = parse(source);
  return tree.statements.filter(isExported).flatMap((statement) =>
    declared(statement).flatMap((node) => {
      const place = { path: source.path, line: lineOf(tree, node) };
      return ts.isIdentifier(node) ? [{ name: node.text, ...place }] : [];
    }),
  );
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function declared(statement: ts.Statement): ts.Node[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name);
  }
  // A signature without a body is one of several of the same function.
  const isNamed = ts.isFunctionDeclaration(statement) && statement.body !== undefined;
  const isOther =
    ts.isClassDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement);
  return (isNamed || isOther) && statement.name ? [statement.name] : [];
}
