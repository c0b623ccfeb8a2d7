import type { ColumnMetadata, TableMetadata } from '@svc/connectors';
import type { ContractRuleInput } from '@svc/contract';
import { isList, isObject, type Json, type JsonObject, textOf, without } from '../json.ts';
import type { Kept } from '../kept.ts';
import { readCheck } from './checks.ts';
import type { Report } from './report.ts';
import type { FoundRule } from './rules.ts';

/** Finds an element by its exact name, or by a unique name without case. */
function named<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  const exact = all.filter((one) => one.name === name);
  const alike = exact.length > 0 ? exact : all.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** A table of a document. A table that does not exist yet has no columns. */
export type FoundTable = {
  readonly item: JsonObject;
  readonly table: TableMetadata;
  readonly isMissing: boolean;
};

/** Finds the table of an element of the schema. Returns a text if the name is ambiguous or missing. */
export function findTable(
  item: Json,
  tables: readonly TableMetadata[],
  schemaName: string | undefined,
): FoundTable | string {
  if (!isObject(item)) return 'is no table';
  const names = [textOf(item['physicalName']), textOf(item['name'])].filter((name) => name !== undefined);
  for (const name of names) {
    const within = tables.filter(({ schema }) => schemaName === undefined || schema === schemaName);
    const [table, schema] = name.split('.').toReversed();
    const match =
      named(within, name) ??
      (schema === undefined
        ? undefined
        : named(
            tables.filter((one) => one.schema === schema),
            table ?? '',
          ));
    if (match) return { item, table: match, isMissing: false };
  }
  const [name] = names;
  if (name === undefined) return 'has no name';
  const isOpen = schemaName === undefined && nameOf(name).schema === undefined;
  if (isOpen && tables.some((table) => isAlike(table.name, name)))
    return 'is in the metadata of the data source more than once';
  return { item, table: missingTable(nameOf(name), tables, schemaName), isMissing: true };
}

const isAlike = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Splits `schema.table`. */
function nameOf(name: string): { readonly schema: string | undefined; readonly table: string } {
  const at = name.lastIndexOf('.');
  return at <= 0
    ? { schema: undefined, table: name }
    : { schema: name.slice(0, at), table: name.slice(at + 1) };
}

/**
 * Returns a table that is still to be created. Its schema is empty if neither the document nor the data source determines
 * it.
 */
function missingTable(
  { schema, table }: ReturnType<typeof nameOf>,
  tables: readonly TableMetadata[],
  schemaName: string | undefined,
): TableMetadata {
  const [only, ...others] = new Set(tables.map((each) => each.schema));
  return {
    schema: schema ?? schemaName ?? (others.length === 0 ? (only ?? '') : ''),
    name: table,
    type: 'Table',
    comment: null,
    columns: [],
    primaryKey: [],
    foreignKeys: [],
    indexes: [],
  };
}

/** Content of a table element. */
export type ReadTable = Pick<Kept, 'quality' | 'properties'> & {
  readonly members: JsonObject;
  readonly rules: readonly FoundRule[];
};

type Part = {
  readonly path: string;
  readonly item: JsonObject;
  readonly table: TableMetadata;
  /** True for an exported document: its checks already include the properties of the columns. */
  readonly isOurs: boolean;
};

export function readTable({ path, item, table, isOurs }: Part, report: Report): ReadTable {
  const ofTable = readChecks(item['quality'], null, path, report);
  const listed = isList(item['properties']) ? item['properties'] : [];
  const columns = listed.flatMap((property, at) =>
    isObject(property) && textOf(property['name']) !== undefined
      ? [{ property, path: `${path}/properties/${at}`, column: columnOf(property, table) }]
      : refusedPart(report, `${path}/properties/${at}`),
  );
  const read = columns.map((one) => ({
    ...one,
    checks: readChecks(one.property['quality'], one.column?.name ?? nameIn(one.property), one.path, report),
  }));
  return {
    members: without(item, ['name', 'properties', 'quality']),
    rules: [
      ...(isOurs ? [] : describedRules(read, `${path}/properties`)),
      ...ofTable.rules,
      ...read.flatMap(({ checks }) => checks.rules),
    ],
    quality: ofTable.kept,
    properties: read.map(({ property, column, checks }) => ({
      name: column?.name ?? nameIn(property),
      members: without(property, ['quality']),
      quality: checks.kept,
    })),
  };
}

const refusedPart = (report: Report, path: string): [] => {
  report.refused.push({ path, note: 'is no column' });
  return [];
};

const nameIn = (property: JsonObject): string =>
  textOf(property['physicalName']) ?? textOf(property['name']) ?? '';

const columnOf = (property: JsonObject, { columns }: TableMetadata): ColumnMetadata | undefined =>
  named(columns, nameIn(property)) ?? named(columns, textOf(property['name']) ?? '');

function readChecks(list: Json | undefined, column: string | null, path: string, report: Report) {
  const rules: FoundRule[] = [];
  const kept: JsonObject[] = [];
  for (const [at, item] of (isList(list) ? list : []).entries()) {
    const place = `${path}/quality/${at}`;
    const read = readCheck(item, column);
    if ('refused' in read) report.refused.push({ path: place, note: read.refused });
    else if ('rule' in read) rules.push({ path: place, ...read });
    else {
      report.kept.push({ path: place, note: read.kept });
      if (isObject(item)) kept.push(item);
    }
  }
  return { rules, kept };
}

type Described = {
  readonly property: JsonObject;
  readonly path: string;
  readonly column: ColumnMetadata | undefined;
};

/** Converts column properties of other tools' documents to rules: existence, required and unique. */
function describedRules(columns: readonly Described[], path: string): FoundRule[] {
  if (columns.length === 0) return [];
  const rule = (place: string, made: ContractRuleInput): FoundRule => ({
    path: place,
    rule: made,
    position: undefined,
    rest: {},
  });
  const expected = columns.map(({ property, column }) => {
    const type = textOf(property['physicalType']);
    const isSame = type !== undefined && column?.databaseType.toLowerCase() === type.toLowerCase();
    // Type names vary between tools. A type is expected only if it equals the engine's own name.
    return { name: column?.name ?? nameIn(property), ...(isSame && { databaseType: column.databaseType }) };
  });
  return [
    rule(path, { name: 'The columns are there', type: 'Schema', config: { expected } }),
    ...columns.flatMap(({ property, path: place, column }) => {
      const name = column?.name ?? nameIn(property);
      const about = (type: 'NullRate' | 'Uniqueness', words: string) =>
        rule(place, { name: `${name} ${words}`, type, columns: [name] });
      return [
        ...(property['required'] === true ? [about('NullRate', 'is filled')] : []),
        ...(property['unique'] === true ? [about('Uniqueness', 'is unique')] : []),
      ];
    }),
  ];
}
