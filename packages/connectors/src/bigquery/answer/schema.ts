import { property } from '../../http/json/json-property.ts';
import { shortened } from '../../shortened.ts';
import type { ColumnKind } from '../../values.ts';

/** Column of a result, or field of a STRUCT. */
export type BigQueryField = {
  readonly name: string;
  /** SQL name of the type, e.g. `INT64`, which the interface also calls `INTEGER`. */
  readonly type: string;
  readonly isRepeated: boolean;
  /** Fields of a STRUCT. */
  readonly fields: readonly BigQueryField[];
};

/** The service's own limit on nested STRUCTs. */
const depthMax = 15;
const fieldsMax = 10_000;

const sqlNames = new Map([
  ['INTEGER', 'INT64'],
  ['FLOAT', 'FLOAT64'],
  ['BOOLEAN', 'BOOL'],
  ['RECORD', 'STRUCT'],
]);

const kinds = new Map<string, ColumnKind>([
  ['INT64', 'integer'],
  ['FLOAT64', 'float'],
  ['BOOL', 'boolean'],
  ['NUMERIC', 'decimal'],
  ['BIGNUMERIC', 'decimal'],
  ['STRING', 'text'],
  ['BYTES', 'binary'],
  ['DATE', 'date'],
  ['TIME', 'time'],
  ['DATETIME', 'timestamp'],
  ['TIMESTAMP', 'timestamptz'],
  ['INTERVAL', 'interval'],
  ['JSON', 'json'],
  ['STRUCT', 'json'],
]);

export const bigqueryKind = ({ type, isRepeated }: BigQueryField): ColumnKind =>
  isRepeated ? 'json' : (kinds.get(type) ?? 'other');

const typeTextMax = 1_000;

/** Returns the type as SQL text, e.g. `ARRAY<STRUCT<name STRING>>`. */
export const typeText = (field: BigQueryField): string => shortened(fullTypeText(field), typeTextMax);

function fullTypeText({ type, isRepeated, fields }: BigQueryField): string {
  const members = fields.map((field) => `${field.name} ${fullTypeText(field)}`).join(', ');
  const one = type === 'STRUCT' ? `STRUCT<${members}>` : type;
  return isRepeated ? `ARRAY<${one}>` : one;
}

/** Reads the columns of an answer's `TableSchema`; undefined for an invalid one. */
export function readSchema(schema: unknown): readonly BigQueryField[] | undefined {
  let count = 0;

  function readFields(holder: unknown, depth: number): readonly BigQueryField[] | undefined {
    const fields = property(holder, 'fields');
    if (!Array.isArray(fields) || fields.length === 0 || depth > depthMax) return undefined;
    count += fields.length;
    if (count > fieldsMax) return undefined;
    const read: BigQueryField[] = [];
    for (const field of fields as readonly unknown[]) {
      const one = readField(field, depth);
      if (!one) return undefined;
      read.push(one);
    }
    return read;
  }

  function readField(field: unknown, depth: number): BigQueryField | undefined {
    const name = property(field, 'name');
    const typeName = property(field, 'type');
    const mode = property(field, 'mode') ?? 'NULLABLE';
    if (typeof name !== 'string' || typeof typeName !== 'string') return undefined;
    if (mode !== 'NULLABLE' && mode !== 'REQUIRED' && mode !== 'REPEATED') return undefined;
    const type = sqlNames.get(typeName) ?? typeName;
    const fields = type === 'STRUCT' ? readFields(field, depth + 1) : [];
    return fields && { name, type, isRepeated: mode === 'REPEATED', fields };
  }

  return readFields(schema, 0);
}
