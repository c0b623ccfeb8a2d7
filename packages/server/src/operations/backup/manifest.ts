import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** Name of the manifest entry of a backup. It is written last and read first. */
export const manifestEntry = 'manifest.json';

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });
const Schema = Type.Union([Type.Literal('svc'), Type.Literal('svc_jobs')]);

const TableBackup = Type.Object(
  {
    schema: Schema,
    name: Name,
    columns: Type.Array(Name, { minItems: 1 }),
    rows: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0, description: 'Of the rows as COPY writes them, before compression.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the same bytes.' }),
    partitions: Type.Array(
      Type.Object({
        name: Name,
        // It becomes part of a statement, so only a range of dates or times is allowed.
        bound: Type.String({
          pattern: "^(DEFAULT|FOR VALUES FROM \\('[0-9: +-]+'\\) TO \\('[0-9: +-]+'\\))$",
        }),
      }),
    ),
  },
  { additionalProperties: false },
);
export type TableBackup = Static<typeof TableBackup>;

const SequenceBackup = Type.Object({
  schema: Schema,
  name: Name,
  lastValue: Type.String({ pattern: '^-?\\d+$' }),
});
export type SequenceBackup = Static<typeof SequenceBackup>;

const BackupManifest = Type.Object(
  {
    format: Type.Literal('svc-backup'),
    formatVersion: Type.Literal(1),
    createdAt: Type.String(),
    serviceVersion: Type.String(),
    postgresVersion: Type.String(),
    keyIds: Type.Array(Type.String(), { description: 'Keys under which secrets in it may be encrypted.' }),
    schemas: Type.Array(
      Type.Object({
        name: Schema,
        migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
      }),
    ),
    tables: Type.Array(TableBackup),
    sequences: Type.Array(SequenceBackup),
  },
  { additionalProperties: false },
);

/** Content of a backup. It shows if a version can restore the backup, and if the backup is complete. */
export type BackupManifest = Static<typeof BackupManifest>;

/** Returns the name of the archive entry with a table's rows. */
export const entryOf = ({ schema, name }: Pick<TableBackup, 'schema' | 'name'>): string =>
  `tables/${schema}.${name}.copy`;

/**
 * Parses a manifest from a file.
 *
 * @throws Error with a message for the operator when it is no manifest of the service, or of a later format.
 */
export function parseManifest(text: string): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The file is no backup of Svc: its manifest is not JSON.');
  }
  if (Value.Check(BackupManifest, value)) return value;
  const { format, formatVersion } = Object(value) as Record<string, unknown>;
  if (format === 'svc-backup' && formatVersion !== 1)
    throw new Error(`The backup has the format ${String(formatVersion)}, which this version does not know.`);
  const [fault] = Value.Errors(BackupManifest, value);
  throw new Error(
    `The file is no backup of Svc: its manifest is not as expected at ${fault?.instancePath ?? '/'}.`,
  );
}
