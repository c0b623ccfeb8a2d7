import type { DefinitionFile } from '@svc/contract';
import { badRequest, HttpProblem, type MemberError, memberValidator } from '../../../platform/http/index.ts';
import { findUnstorable } from '../../../platform/text/index.ts';
import { type Json, type JsonObject, readYaml, YamlError } from '../../../platform/yaml/index.ts';
import type { AnyKind } from '../kinds/kind.ts';
import { keyOf, type Place, placeOf } from './path.ts';

/** A record as its file defines it. */
export type DefinedRecord = Place & { readonly path: string; readonly definition: JsonObject };

type KindOf = (name: Place['kind']) => AnyKind;

/** Upper bound for faults in one response. */
const faultsMax = 100;
const sqlFile = /\.sql$/;

/**
 * Reads the records of files. A member's path is `path/of/file.yaml#/member`.
 *
 * @throws Refusal 400 `invalid-definition` with every invalid file.
 */
export async function readFiles(files: readonly DefinitionFile[], kindOf: KindOf): Promise<DefinedRecord[]> {
  const faults: MemberError[] = [];
  const texts = new Map(
    files.filter(({ path }) => sqlFile.test(path)).map((file) => [file.path, file.content]),
  );
  const used = new Set<string>();
  const records = new Map<string, DefinedRecord>();
  for (const file of files) {
    if (sqlFile.test(file.path)) continue;
    const place = placeOf(file.path);
    if (!place) {
      faults.push({ path: file.path, message: 'is no place of a definition' });
      continue;
    }
    if (records.has(keyOf(place))) {
      faults.push({ path: file.path, message: 'defines a record that another file defines' });
      continue;
    }
    const read = await readFile(file, kindOf(place.kind), { texts, used });
    if (Array.isArray(read)) faults.push(...read);
    else records.set(keyOf(place), { ...place, path: file.path, definition: read as JsonObject });
  }
  for (const path of texts.keys())
    if (!used.has(path)) faults.push({ path, message: 'is named by no definition beside it' });
  throwFaults(faults);
  return [...records.values()];
}

/** @throws Refusal 400 when there are faults. */
export function throwFaults(faults: readonly MemberError[]): void {
  const [first] = faults;
  if (!first) return;
  const { path, message } = first;
  // A record's own rule returns a complete sentence; a schema error does not.
  const detail = message.endsWith('.') ? `${path}: ${message}` : `${path} ${message}.`;
  throw badRequest('invalid-definition', detail, faults.slice(0, faultsMax));
}

type Texts = { readonly texts: ReadonlyMap<string, string>; readonly used: Set<string> };

/** Returns the canonical definition, or its faults. */
async function readFile(
  { path, content }: DefinitionFile,
  kind: AnyKind,
  beside: Texts,
): Promise<JsonObject | MemberError[]> {
  const at = (faults: readonly MemberError[]): MemberError[] =>
    faults.map((fault) => ({ path: `${path}#${fault.path}`, message: fault.message }));
  try {
    const faultOf = memberValidator(kind.schema);
    const document = readYaml(content);
    const fault = faultOf(document);
    if (fault) return at([fault]);
    const { $schema: _name, ...definition } = withTexts(document, path, beside);
    // Texts of other files must meet the same bounds.
    const faultOfText = faultOf(definition);
    if (faultOfText) return at([faultOfText]);
    const unstorable = findUnstorable(definition);
    if (unstorable !== undefined)
      return at([{ path: unstorable, message: 'holds a character that no text can have' }]);
    return await kind.canonical(definition);
  } catch (error) {
    if (error instanceof YamlError) return [{ path, message: `cannot be read: ${error.why}` }];
    if (error instanceof MissingFile) return at([{ path: error.pointer, message: error.message }]);
    if (error instanceof HttpProblem && error.status < 500)
      return at(error.errors ?? [{ path: '', message: error.detail ?? error.title }]);
    throw error;
  }
}

class MissingFile extends Error {
  readonly pointer: string;
  constructor(pointer: string, file: string) {
    super(`names the file ${file}, which is not there`);
    this.pointer = pointer;
  }
}

/** Replaces the names of text files by their contents. The schemas state which members may name a file. */
function withTexts(document: JsonObject, path: string, { texts, used }: Texts): JsonObject {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const filled = (value: Json | undefined, pointer: string): Json | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { file } = value as JsonObject;
    if (typeof file !== 'string') return value;
    const text = texts.get(`${folder}${file}`);
    if (text === undefined) throw new MissingFile(pointer, file);
    used.add(`${folder}${file}`);
    return text;
  };
  const { steps, finalQuery } = document;
  const isQuery = path.includes('/queries/');
  if (!isQuery) return document;
  return {
    ...document,
    ...(Array.isArray(steps) && {
      steps: steps.map((step: JsonObject, at) => ({
        ...step,
        sql: filled(step['sql'], `/steps/${at}/sql`) ?? null,
      })),
    }),
    ...(finalQuery !== undefined && { finalQuery: filled(finalQuery, '/finalQuery') ?? null }),
  };
}
