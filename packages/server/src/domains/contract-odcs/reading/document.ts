import type { TableMetadata } from '@svc/connectors';
import { type ContractRuleInput, DataContractInput } from '@svc/contract';
import { bodyValidator, brokenRule, closed } from '../../../platform/http/index.ts';
import { compact, isList, isObject, type JsonObject, textOf, without } from '../json.ts';
import type { Kept } from '../kept.ts';
import { otherProperties, ownProperty, pick } from './checks.ts';
import { readLevels } from './levels.ts';
import { emptyReport, type Report } from './report.ts';
import { type FoundRule, fittingRules } from './rules.ts';
import { findTable, type ReadTable, readTable } from './table.ts';

/** A contract from a document, not yet saved. */
export type Draft = {
  readonly input: DataContractInput;
  /** The data source does not have the table yet. */
  readonly isTableMissing: boolean;
  readonly kept: Kept;
  /** Additional members of each check, in the order of the rules. */
  readonly rests: readonly JsonObject[];
};

export type ImportContext = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly engine: string;
  readonly tables: readonly TableMetadata[];
};

const readVersion = /^v3\.(?:0|1)\.\d+$/;
const validate = bodyValidator(closed(DataContractInput));

/**
 * Reads a document of the Open Data Contract Standard, 3.0.x or 3.1.0: a contract for each of its tables. A table may be
 * missing in the data source.
 *
 * @throws Refusal 400 for any other document.
 */
export function readDocument(
  document: JsonObject,
  context: ImportContext,
): { drafts: Draft[]; report: Report } {
  refuseOthers(document);
  const report = emptyReport();
  const schema = document['schema'];
  const tables = isList(schema) ? schema : [];
  if (tables.length === 0) report.refused.push({ path: '/schema', note: 'names no table' });
  const own = ownProperty(document['customProperties']);
  const tableMatches = tables.flatMap((item, at) => {
    const path = `/schema/${at}`;
    const table = findTable(item, context.tables, textOf(own['schemaName']));
    if (typeof table !== 'string') return [{ path, ...table }];
    report.refused.push({ path, note: table });
    return [];
  });
  const levels = readLevels(document['slaProperties'], tableMatches, own, report);
  const rest = restOf(document, report);
  const isOurs = Object.keys(own).length > 0;
  const drafts = tableMatches.flatMap(({ path, item, table, isMissing }) => {
    const read = readTable({ path, item, table, isOurs }, report);
    const rules = [...read.rules, ...levels.rules.filter((rule) => rule.table === table)];
    const fitting = fittingRules(rules, { ...context, table: isMissing ? undefined : table }, report);
    if (fitting.length === 0) {
      report.refused.push({ path, note: 'says nothing that can be judged' });
      return [];
    }
    const name = nameOf(document, table.name, tableMatches.length);
    const parts = { document, own, table, isMissing, name, read, fitting, rest, sla: levels.kept };
    return [draftOf(parts, context, report)];
  });
  return { drafts, report };
}

function refuseOthers(document: JsonObject): void {
  const refuse = (path: string, why: string) => {
    throw brokenRule('invalid-odcs-document', `The document cannot be read: ${why}.`, [
      { path: `/document${path}`, message: why },
    ]);
  };
  if (document['kind'] !== 'DataContract') refuse('/kind', 'its kind is not DataContract');
  if (!readVersion.test(String(document['apiVersion'])))
    refuse('/apiVersion', 'it is not of version 3.0.x or 3.1.x of the standard');
}

/** Returns the members of the document that are retained without evaluation. */
function restOf(document: JsonObject, report: Report): JsonObject {
  const rest = without(document, [
    'apiVersion',
    'kind',
    'name',
    'schema',
    'slaProperties',
    'customProperties',
    'description',
  ]);
  for (const member of Object.keys(rest)) report.kept.push({ path: `/${member}`, note: 'is kept' });
  const others = otherProperties(document['customProperties']);
  if (others.length > 0) report.kept.push({ path: '/customProperties', note: 'is kept' });
  const { description } = document;
  const words = isObject(description) ? without(description, ['purpose']) : {};
  return {
    ...rest,
    ...(Object.keys(words).length > 0 && { description: words }),
    ...(others.length > 0 && { customProperties: others }),
  };
}

const nameLengthMax = 200;
const descriptionLengthMax = 2_000;

function nameOf(document: JsonObject, table: string, tableCount: number): string {
  const name = textOf(document['name']);
  if (name === undefined) return table.slice(0, nameLengthMax);
  return (tableCount === 1 ? name : `${name}: ${table}`).slice(0, nameLengthMax);
}

const settingNames = [
  'isEnabled',
  'failsOn',
  'warnScore',
  'failScore',
  'alertMode',
  'alertsOnWarning',
  'alert',
  'quietHours',
  'createTasks',
  'slaHours',
  'keepsSamples',
  'cronExpression',
  'timeZone',
];

type Parts = {
  readonly document: JsonObject;
  readonly own: JsonObject;
  readonly table: TableMetadata;
  readonly isMissing: boolean;
  readonly name: string;
  readonly read: ReadTable;
  readonly fitting: readonly FoundRule[];
  readonly rest: JsonObject;
  readonly sla: readonly JsonObject[];
};

function draftOf(parts: Parts, { projectId, dataSourceId }: ImportContext, report: Report): Draft {
  const { document, table, read, fitting } = parts;
  const { description } = document;
  const purpose = textOf(isObject(description) ? description['purpose'] : description);
  const base = {
    projectId,
    dataSourceId,
    schemaName: table.schema,
    tableName: table.name,
    name: parts.name,
    description: purpose?.slice(0, descriptionLengthMax) ?? null,
    rules: fitting.map(({ rule }): ContractRuleInput => rule),
  };
  const whole: unknown = { ...base, ...pick(compact(parts.own), settingNames) };
  const fault = validate(whole);
  if (fault !== undefined) report.refused.push({ path: '/customProperties', note: fault });
  return {
    // The validator has checked the shape.
    input: fault === undefined ? (whole as DataContractInput) : base,
    isTableMissing: parts.isMissing,
    rests: fitting.map(({ rest }) => rest),
    kept: {
      document: parts.rest,
      table: read.members,
      quality: read.quality,
      properties: read.properties,
      sla: parts.sla,
      rules: {},
    },
  };
}
