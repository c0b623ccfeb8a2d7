import path from 'node:path';
import ts from 'typescript';
import { importBesideHelm } from './program.ts';

/** An object of Kubernetes as a chart renders it. */
export type Manifest = { readonly apiVersion: string; readonly kind: string } & Readonly<
  Record<string, unknown>
>;

/** A schema's validator, compiled: its mistakes hang on it. */
type Validate = ((data: unknown) => boolean) & { readonly errors?: unknown };

const folderOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';

/**
 * What the API's schemas say against manifests: what is missing or of a wrong kind, by their validators; members that
 * there are not, which the schemas themselves let pass, by their types.
 *
 * @throws Error where a kind has no schema.
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
  // Beside the packages, so that their types are found; it is never written.
  const file = path.join(import.meta.dirname, 'rendered.ts');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
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
