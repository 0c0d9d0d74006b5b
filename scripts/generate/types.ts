/** TypeScript declarations of a bundled document. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { DocumentName, Tree } from './documents.ts'

// Without these, a default makes a member required and a bare object admits no member at all.
const options = { defaultNonNullable: false, emptyObjectsUnknown: true, silent: true }

/** An AsyncAPI document as an OpenAPI one that has nothing but its schemas. */
function schemasOnly({ info, components }: Tree): Tree {
  const { schemas } = components as Tree
  return { openapi: '3.1.0', info, paths: {}, components: { schemas } }
}

/** The text of spec/types/{name}.ts: the declarations of the document, and each of its schemas by name. */
export async function types(name: DocumentName, bundled: Tree): Promise<string> {
  const document = 'asyncapi' in bundled ? schemasOnly(bundled) : bundled
  const declarations = astToString(await openapiTS(document as unknown as OpenAPI3, options))
  const { schemas } = document.components as { schemas: Tree }
  const names = Object.keys(schemas).map(
    (schema) => `export type ${schema} = components['schemas']['${schema}']\n`,
  )
  return [
    `// Generated from spec/${name}.yaml by \`npm run generate\`. Do not edit.\n`,
    declarations,
    names.toSorted().join(''),
  ].join('\n')
}
