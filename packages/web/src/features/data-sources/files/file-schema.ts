import { type FieldSchema, fieldsOf } from '../connection-fields.ts';

/** A file of a connection: the name of its table, its place, and settings of how it is read. */
export type FileValues = Readonly<{ [setting: string]: unknown }>;

/** What a form shows for a setting: a line of text, a choice, or yes and no. */
export type FileSetting = FieldSchema & { readonly kind: 'text' | 'choice' | 'switch' };

type SettingSchema = { readonly 'x-formats'?: readonly string[] };
type PathSchema = { readonly 'x-formats-by-ending'?: Readonly<{ [ending: string]: string }> };
type FileSchema = { readonly properties?: Readonly<{ [name: string]: SettingSchema & PathSchema }> };

/** The format that the ending of a path names; undefined where none does yet. */
export function formatOf(schema: unknown, path: string): string | undefined {
  const byEnding = (schema as FileSchema | undefined)?.properties?.['path']?.['x-formats-by-ending'] ?? {};
  const ending = /\.[^./\\]+$/.exec(path.toLowerCase())?.[0] ?? '';
  return byEnding[ending];
}

/** The settings that files of the format have, but for the types of their columns, which a preview offers. */
export const settingsOf = (
  schema: unknown,
  format: string | undefined,
): readonly (readonly [string, FileSetting])[] =>
  fieldsOf(schema).filter((entry): entry is readonly [string, FileSetting] => {
    const [name, { kind }] = entry;
    const formats = (schema as FileSchema).properties?.[name]?.['x-formats'] ?? [];
    return format !== undefined && formats.includes(format) && ['text', 'choice', 'switch'].includes(kind);
  });

/** Whether columns of such files can be given types. */
export const hasTypes = (schema: unknown, format: string | undefined): boolean =>
  format !== undefined &&
  ((schema as FileSchema).properties?.['types']?.['x-formats'] ?? []).includes(format);

type ColumnType = { readonly column: string; readonly type: string };

/** Types that were given to columns, each in place of the detected one. */
export const givenTypes = (file: FileValues): readonly ColumnType[] =>
  Array.isArray(file['types']) ? (file['types'] as readonly ColumnType[]) : [];

/** The type that a column was given; undefined where it is detected. */
export const givenType = (file: FileValues, column: string): string | undefined =>
  givenTypes(file).find((entry) => entry.column === column)?.type;

/** The file with a type of a column; null: it is detected. */
export function withType(file: FileValues, column: string, type: string | null): FileValues {
  const others = givenTypes(file).filter((entry) => entry.column !== column);
  const types = type === null ? others : [...others, { column, type }];
  const { types: _before, ...rest } = file;
  return types.length === 0 ? rest : { ...rest, types };
}

/** The file at another path, without the settings that files of the new format do not have. */
export function atPath(schema: unknown, file: FileValues, path: string): FileValues {
  const format = formatOf(schema, path);
  // While somebody types, a path may have no ending.
  if (format === undefined) return { ...file, path };
  const kept: ReadonlySet<string> = new Set([
    'name',
    ...settingsOf(schema, format).map(([name]) => name),
    ...(hasTypes(schema, format) ? ['types'] : []),
  ]);
  return { ...Object.fromEntries(Object.entries(file).filter(([name]) => kept.has(name))), path };
}

/** The file with a setting; undefined or empty: it is detected. */
export function withSetting(file: FileValues, name: string, value: unknown): FileValues {
  const { [name]: _before, ...rest } = file;
  return value === undefined || value === null || value === '' ? rest : { ...rest, [name]: value };
}
