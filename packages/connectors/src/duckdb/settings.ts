import path from 'node:path';
import Type from 'typebox';
import { settingsForm } from '../settings.ts';
import { fileEndings, formatOf, formatsByEnding } from './files/file-formats.ts';
import { fileSettings, settingFault } from './files/file-settings.ts';

const schema = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          name: Type.String({
            title: 'Name',
            description: 'The table name under which statements read the file.',
            pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
            maxLength: 63,
          }),
          path: Type.String({
            title: 'File',
            description:
              'Absolute path of a CSV, TSV, Parquet, JSON, XLSX or DuckDB file, inside a folder that the operator allows.',
            minLength: 1,
            maxLength: 4_096,
            // Forms read it to show only the settings of the file's format.
            'x-formats-by-ending': Object.fromEntries(formatsByEnding),
          }),
          ...fileSettings,
        },
        { additionalProperties: false },
      ),
      { title: 'Files', minItems: 1, maxItems: 50 },
    ),
  },
  { additionalProperties: false },
);

/** A list of files that DuckDB reads as tables. */
export type DuckdbConnection = Type.Static<typeof schema>;

export const duckdbSettings = settingsForm({
  schema,
  secretFields: [],
  check: ({ files }) => {
    const names = new Set(files.map((file) => file.name.toLowerCase()));
    if (names.size < files.length) return { field: 'files', message: 'has two files of the same name' };
    for (const [index, file] of files.entries()) {
      if (!path.isAbsolute(file.path))
        return { field: `files.${index}.path`, message: 'must be an absolute path' };
      const format = formatOf(file.path);
      if (format === undefined)
        return { field: `files.${index}.path`, message: `must end in one of ${fileEndings.join(', ')}` };
      const fault = settingFault(file, format);
      if (fault) return { field: `files.${index}.${fault.field}`, message: fault.message };
    }
    return undefined;
  },
});
