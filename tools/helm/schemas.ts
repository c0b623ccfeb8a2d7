import path from 'node:path';
import ts from 'typescript';
import { importBesideHelm } from './program.ts';

/** A Kubernetes object of a rendered chart. */
export type Manifest = { readonly apiVersion: string; readonly kind: string } & Readonly<
  Record<string, unknown>
>;

/** Compiled validator of a schema. Its errors are a property of the function. */
type Validate = ((data: unknown) => boolean) & { readonly errors?: unknown };

const folderOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';

/**
 * Returns the mistakes of manifests. The schema validators find missing members and wrong kinds. The TypeScript types
 * find unknown members, which the schemas accept.
 *
 * @throws Error for a kind without a schema.
 */
export async function schemaMistakes(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const mistakes: string[] = [];
  for (const manifest of manifests) {
    const { apiVersion, kind } = manifest;
    const module = await importBesideHelm(`${folderOf(manifest)}/${apiVersion}/${kind}.js`);
    const model = new (module[kind] as new (data: Manifest) => { validate: Validate })(manifest);
    try {
      model.validate(manifest);
    } catch (error) {
      mistakes.push(`${kind}: ${(error as Error).message}`);
    }
  }
  return [...mistakes, ...typeMistakes(manifests)];
}

function typeMistakes(manifests: readonly Manifest[]): string[] {
  const lines = manifests.flatMap((manifest, index) => {
    const from = `${folderOf(manifest)}/${manifest.apiVersion}/${manifest.kind}`;
    return [
      `import type { I${manifest.kind} as Kind${index} } from '${from}';`,
      `export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`,
    ];
  });
  // A path in this folder, so that the types resolve. The file is never written.
  const file = path.join(import.meta.dirname, 'rendered.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const text = lines.join('\n');
  host.getSourceFile = (name, language, ...rest) =>
    name === file ? ts.createSourceFile(name, text, language) : getSourceFile(name, language, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
