import { type Part, runBound } from '@svc/pg-wire';
import type { CatalogueRelation, LineageCatalogue } from '../../lineage/query.ts';
import { checkRead } from '../gate/checked-read.ts';
import { lineageQueryOf } from './convert.ts';

/** Relations of one statement, and relations that their views read. */
export type ReadCatalogue = {
  readonly relationOf: LineageCatalogue;
  readonly ids: ReadonlySet<number>;
  /** True with views: a definition may change while the view retains its id and its columns. */
  readonly hasViews: boolean;
};

/** Views of the server itself count as tables, and so do the views in `leafViews`. */
const relationsStatement = `
  with recursive named (path, id) as (
    select path, pg_catalog.to_regclass(path)::oid from pg_catalog.unnest($1::text[]) path
  ), reached (id) as (
    select id from named where id is not null
    union
    select d.refobjid from reached r
      join pg_catalog.pg_class c on c.oid = r.id and c.relkind in ('v', 'm')
      join pg_catalog.pg_rewrite w on w.ev_class = r.id
      join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
       and d.refclassid = 'pg_catalog.pg_class'::regclass
     where c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  )
  select c.oid::text, n.nspname::text, c.relname::text, pg_catalog.pg_table_is_visible(c.oid)::text,
         (select pg_catalog.json_agg(a.attname order by a.attnum) from pg_catalog.pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text,
         case when c.relkind in ('v', 'm')
               and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
              then pg_catalog.pg_get_viewdef(c.oid) end,
         (select pg_catalog.json_agg(path) from named where id = c.oid)::text
    from reached r join pg_catalog.pg_class c on c.oid = r.id join pg_catalog.pg_namespace n on n.oid = c.relnamespace`;

/** Views of extensions whose own columns have a meaning. */
const leafViews = new Set(['pg_stat_statements']);

const quoted = (path: readonly string[]): string =>
  path.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');

type Row = {
  readonly id: number;
  readonly keys: readonly string[];
  readonly relation: CatalogueRelation;
  readonly definition: string | null;
};

/** Requests the catalogue entries of relations by the names in a statement, within the statement's transaction. */
export function askCatalogue(paths: readonly (readonly string[])[]): {
  readonly parts: readonly Part[];
  readonly catalogue: () => Promise<ReadCatalogue>;
} {
  const rows: Row[] = [];
  const part = runBound(relationsStatement, [arrayOf(paths.map(quoted))], (cells) =>
    rows.push(rowOf(cells.map((cell) => (cell === null ? null : String(cell))))),
  );
  return { parts: paths.length === 0 ? [] : [part], catalogue: () => catalogueOf(rows) };
}

const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

function rowOf(cells: readonly (string | null)[]): Row {
  const [id, schema, name, isVisible, columns, definition, paths] = cells;
  const keys = [
    quoted([schema ?? '', name ?? '']),
    ...(isVisible === 'true' ? [quoted([name ?? ''])] : []),
    ...listOf(paths),
  ];
  const isLeaf = leafViews.has(name ?? '');
  return {
    id: Number(id),
    keys,
    relation: { name: name ?? '', columns: listOf(columns) },
    definition: isLeaf ? null : (definition ?? null),
  };
}

function listOf(json: string | null | undefined): string[] {
  const list: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
}

/** Omits a view whose definition does not parse: its columns are unknown. */
async function catalogueOf(rows: readonly Row[]): Promise<ReadCatalogue> {
  const relations = new Map<string, CatalogueRelation>();
  for (const { keys, relation, definition } of rows) {
    const described = definition === null ? relation : await withDefinition(relation, definition);
    for (const key of keys) if (described) relations.set(key, described);
  }
  return {
    relationOf: (path) => relations.get(quoted(path)),
    ids: new Set(rows.map(({ id }) => id)),
    hasViews: rows.some(({ definition }) => definition !== null),
  };
}

async function withDefinition(
  relation: CatalogueRelation,
  definition: string,
): Promise<CatalogueRelation | undefined> {
  try {
    const { tree } = await checkRead(definition);
    return { ...relation, definition: lineageQueryOf(tree.fields) };
  } catch {
    return undefined;
  }
}
