import path from 'node:path';
import Type from 'typebox';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(
  {
    file: Type.String({
      title: 'File',
      description: 'Absolute path of the database file, inside a folder that the operator allows.',
      minLength: 1,
      maxLength: 4_096,
      // Makes forms display the allowed folders.
      'x-server-path': true,
    }),
  },
  { additionalProperties: false },
);

/** Connection to an SQLite database file. */
export type SqliteConnection = Type.Static<typeof schema>;

export const sqliteSettings = settingsForm({
  schema,
  secretFields: [],
  check: ({ file }) =>
    path.isAbsolute(file) ? undefined : { field: 'file', message: 'must be an absolute path' },
});
