import type { TableMetadata } from '@svc/connectors';
import { ageInMinutes } from '../ages.ts';
import { isList, isObject, type Json, type JsonObject, textOf } from '../json.ts';
import { pick } from './checks.ts';
import type { Report } from './report.ts';
import type { FoundRule } from './rules.ts';

type LevelRule = FoundRule & { readonly table: TableMetadata };
type FoundTable = { readonly item: JsonObject; readonly table: TableMetadata };

/** Reads service levels about the age of the newest row as rules. Other levels are retained. */
export function readLevels(
  list: Json | undefined,
  tables: readonly FoundTable[],
  own: JsonObject,
  report: Report,
): { rules: LevelRule[]; kept: JsonObject[] } {
  const rules: LevelRule[] = [];
  const kept: JsonObject[] = [];
  for (const [at, level] of (isList(list) ? list : []).entries()) {
    const path = `/slaProperties/${at}`;
    if (!isObject(level)) {
      report.refused.push({ path, note: 'is no service level' });
      continue;
    }
    const rule = ruleOfLevel(level, path, tables, own);
    if (rule) rules.push(rule);
    else {
      report.kept.push({ path, note: 'is no age of the rows of one column in minutes, hours or days' });
      kept.push(level);
    }
  }
  return { rules, kept };
}

function ruleOfLevel(
  level: JsonObject,
  path: string,
  tables: readonly FoundTable[],
  own: JsonObject,
): LevelRule | undefined {
  if (level['property'] !== 'latency' && level['property'] !== 'freshness') return undefined;
  const maxAgeMinutes = ageInMinutes(level['value'], level['unit']);
  const { freshness } = own;
  const ages = isObject(freshness) ? freshness : {};
  const mine = ages[textOf(level['id']) ?? ''];
  const settings = isObject(mine) ? mine : {};
  const place = placeOf(textOf(level['element']), textOf(settings['column']), tables);
  if (maxAgeMinutes === undefined || !place) return undefined;
  const { table, column } = place;
  const config = {
    maxAgeMinutes,
    ...pick(settings, ['warnAgeMinutes', 'futureToleranceMinutes', 'emptyPasses']),
  };
  const { position } = settings;
  return {
    path,
    table,
    rest: {},
    position: typeof position === 'number' ? position : undefined,
    rule: {
      name: `${column} is fresh`,
      type: 'Freshness',
      columns: [column],
      config,
      // Validated later, like every rule that a user enters.
      ...pick(settings, ['name', 'severity', 'weight', 'isEnabled']),
    },
  };
}

/** Resolves `table.column` to one of the tables. Our custom property resolves names with dots. */
function placeOf(
  element: string | undefined,
  ownColumn: string | undefined,
  tables: readonly FoundTable[],
): { table: TableMetadata; column: string } | undefined {
  for (const { item, table } of tables) {
    for (const name of [item['name'], item['physicalName'], table.name])
      if (typeof name === 'string' && element?.startsWith(`${name}.`))
        return { table, column: ownColumn ?? columnNamed(table, element.slice(name.length + 1)) };
  }
  return undefined;
}

const columnNamed = ({ columns }: TableMetadata, name: string): string =>
  (
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.name.toLowerCase() === name.toLowerCase())
  )?.name ?? name;
