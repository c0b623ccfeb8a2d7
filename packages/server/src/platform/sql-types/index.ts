/** Kinds of types whose values can be compared with each other. */
export type TypeFamily = 'number' | 'text' | 'time' | 'boolean' | 'uuid' | 'binary';

/** Families by the first word of the engine's type name, without its length. Other types have no family. */
const families: readonly (readonly [TypeFamily, RegExp])[] = [
  [
    'number',
    /^(u?(tiny|small|medium|big|huge)? ?int(eger)?\d*|(small|big)?serial\d*|(big)?numeric|decimal|dec|number|real|float\d*|double|(small)?money)/,
  ],
  [
    'text',
    /^(character|char|varchar|bpchar|text|tinytext|mediumtext|longtext|nvarchar|nchar|ntext|clob|string|fixedstring|citext|name|enum)/,
  ],
  ['time', /^(date|time|timestamp|datetime|timestamptz|timetz|year)/],
  ['boolean', /^bool/],
  ['uuid', /^(uuid|uniqueidentifier)/],
  ['binary', /^(bytea|blob|tinyblob|mediumblob|longblob|binary|varbinary|bytes)/],
];

/** Returns the family of a type. Undefined for an unknown type, which is never reported as a mismatch. */
export function familyOf(databaseType: string): TypeFamily | undefined {
  const type = databaseType
    .trim()
    .toLowerCase()
    .replace(/^unsigned\s+/, '')
    // ClickHouse: wrappers of nullable and dictionary-encoded types.
    .replace(/^(lowcardinality\(|nullable\()+/, '');
  return families.find(([, pattern]) => pattern.test(type))?.[0];
}

/** Returns false only if both families are known and differ. */
export function mayMatch(oneType: string, otherType: string): boolean {
  const [one, other] = [familyOf(oneType), familyOf(otherType)];
  return one === undefined || other === undefined || one === other;
}
