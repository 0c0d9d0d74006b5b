/** Names that more than one module exports as its own. */
import ts from 'typescript'
import type { Source } from './sources.ts'

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** A scenario is addressed by its file and its name: `events` of one file is not that of another. */
const isScenario = (declared: ts.VariableDeclaration): boolean =>
  declared.initializer !== undefined &&
  ts.isCallExpression(declared.initializer) &&
  /scenario|offering/i.test(declared.initializer.expression.getText())

function namesOf(statement: ts.Statement): string[] {
  if (!isExported(statement)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((declared) =>
      ts.isIdentifier(declared.name) && !isScenario(declared) ? [declared.name.text] : [],
    )
  const { name } = statement as ts.DeclarationStatement
  return name && ts.isIdentifier(name) ? [name.text] : []
}

function exportsOf({ path, text }: Source): readonly string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return [...new Set(statements.flatMap(namesOf))]
}

/** Each such name with the modules that define it, the most frequent first. */
export function definedTwice(files: readonly Source[]): readonly (readonly [string, readonly string[]])[] {
  const places = files.flatMap((file) => exportsOf(file).map((name) => ({ name, path: file.path })))
  return [...Map.groupBy(places, ({ name }) => name)]
    .filter(([, at]) => at.length > 1)
    .map(([name, at]) => [name, at.map(({ path }) => path)] as const)
    .sort(([, one], [, other]) => other.length - one.length)
}
