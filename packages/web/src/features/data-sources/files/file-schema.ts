import { type FieldSchema, fieldsOf } from '../connection/connection-fields.ts';

/** A file of a connection: table name, path and settings. */
export type FileValues = Readonly<{ [setting: string]: unknown }>;

/** A setting that a form shows as a text field, a choice, or yes and no. */
export type FileSetting = FieldSchema & { readonly kind: 'text' | 'choice' | 'switch' };

/** Returns a value of a file as text; empty for a missing value. */
export const fileText = (value: unknown): string => (typeof value === 'string' ? value : '');

type SettingSchema = { readonly 'x-formats'?: readonly string[] };
type PathSchema = { readonly 'x-formats-by-ending'?: Readonly<{ [ending: string]: string }> };
type FileSchema = { readonly properties?: Readonly<{ [name: string]: SettingSchema & PathSchema }> };

/** Returns the format of a path by its ending; undefined for an unsupported or missing ending. */
export function formatOf(schema: unknown, path: string): string | undefined {
  const byEnding = (schema as FileSchema | undefined)?.properties?.['path']?.['x-formats-by-ending'] ?? {};
  const ending = /\.[^./\\]+$/.exec(path.toLowerCase())?.[0] ?? '';
  return byEnding[ending];
}

/** Returns the settings of a format, except the types of columns, which the preview offers. */
export const settingsOf = (
  schema: unknown,
  format: string | undefined,
): readonly (readonly [string, FileSetting])[] =>
  fieldsOf(schema).filter((entry): entry is readonly [string, FileSetting] => {
    const [name, { kind }] = entry;
    const formats = (schema as FileSchema).properties?.[name]?.['x-formats'] ?? [];
    return format !== undefined && formats.includes(format) && ['text', 'choice', 'switch'].includes(kind);
  });

/** Returns true if files of the format support types of columns. */
export const hasTypes = (schema: unknown, format: string | undefined): boolean =>
  format !== undefined &&
  ((schema as FileSchema).properties?.['types']?.['x-formats'] ?? []).includes(format);

type ColumnType = { readonly column: string; readonly type: string };

/** Returns the types of columns that replace detected types. */
export const givenTypes = (file: FileValues): readonly ColumnType[] =>
  Array.isArray(file['types']) ? (file['types'] as readonly ColumnType[]) : [];

/** Returns the set type of a column; undefined if the type is detected. */
export const givenType = (file: FileValues, column: string): string | undefined =>
  givenTypes(file).find((entry) => entry.column === column)?.type;

/** Returns the file with the type of a column. Null: the type is detected. */
export function withType(file: FileValues, column: string, type: string | null): FileValues {
  const others = givenTypes(file).filter((entry) => entry.column !== column);
  const types = type === null ? others : [...others, { column, type }];
  const { types: _before, ...rest } = file;
  return types.length === 0 ? rest : { ...rest, types };
}

/** Returns the file with another path, without settings that the new format does not have. */
export function atPath(schema: unknown, file: FileValues, path: string): FileValues {
  const format = formatOf(schema, path);
  // While a user types, the path may have no supported ending.
  if (format === undefined) return { ...file, path };
  const retained: ReadonlySet<string> = new Set([
    'name',
    ...settingsOf(schema, format).map(([name]) => name),
    ...(hasTypes(schema, format) ? ['types'] : []),
  ]);
  return { ...Object.fromEntries(Object.entries(file).filter(([name]) => retained.has(name))), path };
}

/** Returns the file with a setting. Undefined, null or empty: the setting is detected. */
export function withSetting(file: FileValues, name: string, value: unknown): FileValues {
  const { [name]: _before, ...rest } = file;
  return value === undefined || value === null || value === '' ? rest : { ...rest, [name]: value };
}
