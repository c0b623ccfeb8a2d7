import type { JobKind, JobState } from '@svc/jobs';

/** Filter of jobs. A job must match all present members. */
export type JobFilter = {
  readonly state?: JobState;
  readonly kind?: JobKind;
  /** Complete id, or its first hexadecimal digits. */
  readonly id?: string;
  /** Part of the name, case-insensitive. */
  readonly name?: string;
  /** Complete name. */
  readonly exactName?: string;
  readonly queue?: string;
  /** Tag of `metadata.tags` (list or object), or member of the metadata: `tag`, `name:value`. */
  readonly tag?: string;
  /** Member of the payload: names from the outermost to the innermost. */
  readonly argument?: readonly string[];
  /** Text or number that the member must equal. Without it, the member must exist. */
  readonly value?: string;
  readonly createdFrom?: Date;
  readonly createdUntil?: Date;
  readonly scheduleKey?: string;
  readonly batchId?: string;
  readonly parentId?: string;
  readonly spawnedBy?: string;
  readonly traceId?: string;
};

/** Collects the values of a statement and returns their placeholders. */
export type Values = { readonly list: unknown[]; readonly add: (value: unknown) => string };

export function createValues(): Values {
  const list: unknown[] = [];
  return {
    list,
    add: (value) => {
      list.push(value);
      return `$${list.length}`;
    },
  };
}

/** Returns member names as a JSON path of PostgreSQL. In lax mode the path also searches arrays. */
const jsonPath = (path: readonly string[]): string =>
  `$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`;

function argumentCondition(filter: JobFilter, values: Values): string[] {
  if (!filter.argument) return [];
  const path = jsonPath(filter.argument);
  if (filter.value === undefined) return [`j.payload @? ${values.add(path)}::jsonpath`];
  // The user enters text. The payload may contain the value as text, number or boolean.
  const number = filter.value.trim() === '' ? Number.NaN : Number(filter.value);
  const possibleValues = [
    filter.value,
    ...(Number.isFinite(number) ? [number] : []),
    ...(filter.value === 'true' || filter.value === 'false' ? [filter.value === 'true'] : []),
    ...(filter.value === 'null' ? [null] : []),
  ];
  const tests = possibleValues.map((_, at) => `@ == $v${at}`).join(' || ');
  const variables = Object.fromEntries(possibleValues.map((value, at) => [`v${at}`, value]));
  return [
    `jsonb_path_exists(j.payload, ${values.add(`${path} ? (${tests})`)}::jsonpath, ${values.add(JSON.stringify(variables))}::jsonb)`,
  ];
}

function tagCondition(tag: string | undefined, values: Values): string[] {
  if (tag === undefined) return [];
  const at = tag.indexOf(':');
  const fullTag = values.add(tag);
  const plain = `j.metadata->'tags' ? ${fullTag}::text or j.metadata ? ${fullTag}::text`;
  if (at <= 0) return [`(${plain})`];
  const name = values.add(tag.slice(0, at));
  const value = values.add(tag.slice(at + 1));
  return [
    `(${plain} or j.metadata->'tags'->>${name}::text = ${value}::text or j.metadata->>${name}::text = ${value}::text)`,
  ];
}

/** Returns the conditions without an index. They filter the rows that were read. */
export function plainConditions(filter: JobFilter, values: Values): string[] {
  const equal = (column: string, value: unknown, type = '') =>
    value === undefined ? [] : [`j.${column} = ${values.add(value)}${type}`];
  return [
    ...equal('kind::text', filter.kind, '::text'),
    ...equal('name', filter.exactName),
    ...(filter.name === undefined
      ? []
      : [`strpos(lower(j.name), ${values.add(filter.name.toLowerCase())}) > 0`]),
    ...equal('schedule_key', filter.scheduleKey),
    ...(filter.createdFrom ? [`j.created_at >= ${values.add(filter.createdFrom)}`] : []),
    ...(filter.createdUntil ? [`j.created_at <= ${values.add(filter.createdUntil)}`] : []),
    ...tagCondition(filter.tag, values),
    ...argumentCondition(filter, values),
  ];
}

/** Maximum difference between the clocks of processes, which create ids, and the database's clock, which sets the time. */
const clockDifferenceMs = 600_000;
const idDigits = 32;

function idOfTime(ms: number, fill: '0' | 'f'): string {
  const time = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0').slice(-12);
  return asUuid(time.padEnd(idDigits, fill));
}

const asUuid = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns bounds of the id from its first digits or from times. Ids sort by creation time. */
export function idBounds(filter: JobFilter): { readonly from: string | null; readonly until: string | null } {
  if (filter.id !== undefined) {
    const digits = filter.id.replaceAll('-', '').toLowerCase();
    return { from: asUuid(digits.padEnd(idDigits, '0')), until: asUuid(digits.padEnd(idDigits, 'f')) };
  }
  return {
    from: filter.createdFrom ? idOfTime(filter.createdFrom.getTime() - clockDifferenceMs, '0') : null,
    until: filter.createdUntil ? idOfTime(filter.createdUntil.getTime() + clockDifferenceMs, 'f') : null,
  };
}
