import { posix } from 'node:path';
import ts from 'typescript';
import { lineOf, parse, type Source, walk } from './source';

/** What a file takes from another file of ours, or from a package. */
export type Import = {
  line: number;
  /** The path of our file without its extension, or the name by which a package is imported. */
  target: string;
  isOurs: boolean;
  /** Gone when the code runs. */
  isType: boolean;
};

/** Every import of the file, in whatever form: static, re-exported, dynamic, or required. */
export function importsOf(source: Source): Import[] {
  const tree = parse(source);
  const found: Import[] = [];
  walk(tree, (node) => {
    const taken = taking(node);
    if (taken === undefined) return;
    const isOurs = taken.name.startsWith('.');
    const target = isOurs ? resolve(source.path, taken.name) : taken.name;
    found.push({ line: lineOf(tree, node), target, isOurs, isType: taken.isType });
  });
  return found;
}

function resolve(from: string, name: string): string {
  return posix.join(posix.dirname(from), name).replace(/\.(ts|js)$/, '');
}

function taking(node: ts.Node): { name: string; isType: boolean } | undefined {
  if (ts.isImportDeclaration(node)) {
    return named(node.moduleSpecifier, isTypeOnly(node.importClause));
  }
  if (ts.isExportDeclaration(node)) {
    const { exportClause: clause } = node;
    const isType = node.isTypeOnly || (clause !== undefined && areTypes(clause));
    return named(node.moduleSpecifier, isType);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return named(node.argument.literal, true);
  }
  if (ts.isExternalModuleReference(node)) return named(node.expression, false);
  return ts.isCallExpression(node) && isLoading(node) ? named(node.arguments[0], false) : undefined;
}

/** `import(…)`, `require(…)` and `require.resolve(…)`. */
function isLoading({ expression }: ts.CallExpression): boolean {
  const isImport = expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport || /^require(\.resolve)?$/.test(expression.getText());
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  const { namedBindings } = clause;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  return clause.name === undefined && namedBindings !== undefined && areTypes(namedBindings);
}

function areTypes(bindings: ts.NamedImportBindings | ts.NamedExportBindings): boolean {
  if (!ts.isNamedImports(bindings) && !ts.isNamedExports(bindings)) return false;
  return bindings.elements.length > 0 && [...bindings.elements].every((one) => one.isTypeOnly);
}

function named(
  node: ts.Node | undefined,
  isType: boolean,
): { name: string; isType: boolean } | undefined {
  return node !== undefined && ts.isStringLiteral(node) ? { name: node.text, isType } : undefined;
}
