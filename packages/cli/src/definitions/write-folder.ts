import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, parse, parseDocument } from 'yaml';
import { CommandFailure } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type DefinitionFile, readFolder, topFolders } from './read-folder.ts';

/** Valid path of a record, so that the service cannot name a path outside the folder. */
const place = new RegExp(`^(${topFolders.join('|')})(/[a-z0-9][a-z0-9-]*){1,3}\\.yaml$`);

/** Result of writing an export, by paths. */
export type WrittenFolder = {
  readonly written: string[];
  readonly unchanged: number;
  readonly gone: string[];
};

/**
 * Writes an export into a folder. An equal file does not change. A file with differences keeps its comments, the order
 * of its members, and its separate SQL file. Files of records outside the export are listed and not changed.
 *
 * @throws CommandFailure for an invalid path of a record, and for a link in the folder.
 */
export function writeFolder(folder: string, files: readonly DefinitionFile[]): WrittenFolder {
  for (const file of files)
    if (!place.test(file.path))
      throw new CommandFailure(
        `The service names ${JSON.stringify(file.path)}, which is no place of a record.`,
        exitCodes.failed,
      );
  mkdirSync(folder, { recursive: true });
  const present = new Map(readFolder(folder).map((file) => [file.path, file.content]));
  const written: string[] = [];
  let unchanged = 0;
  for (const file of files) {
    const changes = changesFor(file, present);
    if (changes.length === 0) unchanged += 1;
    for (const change of changes) {
      writeInside(folder, change);
      written.push(change.path);
    }
  }
  const filePaths = new Set(files.map((file) => file.path));
  const gone = [...present.keys()].filter((name) => /\.ya?ml$/.test(name) && !filePaths.has(name));
  return { written, unchanged, gone };
}

/** Returns the files to write so that the folder equals the export. */
function changesFor(file: DefinitionFile, present: ReadonlyMap<string, string>): DefinitionFile[] {
  const before = present.get(file.path);
  if (before === undefined || before === file.content) return before === undefined ? [file] : [];
  const document = parseDocument(before);
  if (document.errors.length > 0 || !isMap(document.contents)) return [file];
  const wanted = parse(file.content) as Record<string, unknown>;
  const texts = intoFilesBeside(file.path, document.toJS() as Record<string, unknown>, wanted, present);
  const isMerged = mergeInto(document, texts.definition);
  return [
    ...texts.files,
    ...(isMerged ? [{ path: file.path, content: document.toString({ lineWidth: 0 }) }] : []),
  ];
}

/** Updates the members of a document to a definition. @returns true if any member changed. */
function mergeInto(document: Document, definition: Readonly<Record<string, unknown>>): boolean {
  const present = document.toJS() as Record<string, unknown>;
  let isChanged = false;
  for (const name of new Set([...Object.keys(present), ...Object.keys(definition)])) {
    // The `$schema` member is optional.
    if (name === '$schema' || isDeepStrictEqual(present[name], definition[name])) continue;
    isChanged = true;
    if (name in definition) document.set(name, document.createNode(definition[name]));
    else document.delete(name);
  }
  return isChanged;
}

const fileName = (value: unknown): string | undefined =>
  typeof value === 'object' &&
  value !== null &&
  'file' in value &&
  typeof value.file === 'string' &&
  /^[a-z0-9][a-z0-9-]*\.sql$/.test(value.file)
    ? value.file
    : undefined;

/** Moves a text to a separate file if the present file stores it there. */
function intoFilesBeside(
  at: string,
  before: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  present: ReadonlyMap<string, string>,
): { definition: Record<string, unknown>; files: DefinitionFile[] } {
  const files: DefinitionFile[] = [];
  const kept = (value: unknown, text: unknown): unknown => {
    const name = fileName(value);
    if (name === undefined || typeof text !== 'string') return text;
    const beside = `${path.posix.dirname(at)}/${name}`;
    if (present.get(beside) !== text) files.push({ path: beside, content: text });
    return value;
  };
  const stepsBefore = Array.isArray(before['steps']) ? before['steps'] : [];
  const definition = { ...wanted };
  if (Array.isArray(wanted['steps']))
    definition['steps'] = wanted['steps'].map((step: Record<string, unknown>, index) => ({
      ...step,
      sql: kept((stepsBefore[index] as Record<string, unknown> | undefined)?.['sql'], step['sql']),
    }));
  if ('finalQuery' in wanted) definition['finalQuery'] = kept(before['finalQuery'], wanted['finalQuery']);
  return { definition, files };
}

/** Writes a file atomically. No folder on its path may be a link. */
function writeInside(folder: string, { path: relative, content }: DefinitionFile): void {
  const steps = relative.split('/');
  let at = folder;
  for (const step of steps.slice(0, -1)) {
    at = path.join(at, step);
    mkdirSync(at, { recursive: true });
    if (lstatSync(at).isSymbolicLink())
      throw new CommandFailure(`${at} is a link: links are not followed.`, exitCodes.failed);
  }
  const file = path.join(folder, relative);
  const unfinished = `${file}.${process.pid}.new`;
  writeFileSync(unfinished, content, { flag: 'wx' });
  renameSync(unfinished, file);
}
