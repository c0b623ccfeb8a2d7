import { count as formatCount, plural } from '@svc/contract/wording';
import type pg from 'pg';
import { isShareAllowed, type WriteCounts, type WritePlan, WriteRefusal } from '../../writers/port.ts';
import { quoted, quotedList, quotedTable } from './names.ts';

type Tables = { readonly staging: string; readonly target: string };

/** Moves the staged rows into the destination according to the mode. The transaction has begun. */
export async function applyRows(client: pg.Client, plan: WritePlan, staging: string): Promise<WriteCounts> {
  const tables = { staging, target: quotedTable(plan.destination) };
  switch (plan.mode) {
    case 'Insert':
      return counts({ inserted: await insertAll(client, plan, tables) });
    case 'Truncate': {
      const deleted = await countRows(client, tables.target, 'access exclusive');
      await client.query(`truncate ${tables.target}`);
      return counts({ inserted: await insertAll(client, plan, tables), deleted });
    }
    case 'Upsert':
      await assertUniqueKeys(client, plan, tables);
      return upsert(client, plan, tables);
    case 'Sync': {
      await assertUniqueKeys(client, plan, tables);
      // The lock prevents other sessions from adding or deleting rows during the comparison. Reads remain possible.
      const before = await countRows(client, tables.target, 'share row exclusive');
      const deleted = await deleteMissing(client, plan, tables);
      assertDeletedShare(deleted, before, plan.deletedShareMax);
      return { ...(await upsert(client, plan, tables)), deleted };
    }
  }
}

const counts = (some: Partial<WriteCounts>): WriteCounts => ({
  inserted: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  ...some,
});

/** Inserts values into identity columns as well. */
const into = ({ columns }: WritePlan, target: string): string =>
  `insert into ${target} (${quotedList(columns.map(({ to }) => to))}) overriding system value`;

async function insertAll(client: pg.Client, plan: WritePlan, { staging, target }: Tables): Promise<number> {
  const names = quotedList(plan.columns.map(({ to }) => to));
  const { rowCount } = await client.query(`${into(plan, target)} select ${names} from ${staging}`);
  return rowCount ?? 0;
}

async function countRows(client: pg.Client, target: string, lock: string): Promise<number> {
  await client.query(`lock table ${target} in ${lock} mode`);
  return count(client, `select count(*) as n from ${target}`);
}

async function count(client: pg.Client, sql: string): Promise<number> {
  const { rows } = await client.query<{ n: string }>(sql);
  return Number(rows[0]?.n ?? 0);
}

/** Refuses NULL keys: NULL equals no other key, so each copy would insert the row again. */
async function assertUniqueKeys(client: pg.Client, plan: WritePlan, { staging }: Tables): Promise<void> {
  const keys = quotedList(plan.keyColumns);
  const isNull = plan.keyColumns.map((name) => `${quoted(name)} is null`).join(' or ');
  const nulls = await client.query(`select from ${staging} where ${isNull} limit 1`);
  if (nulls.rowCount) {
    throw new WriteRefusal('key-not-unique', `A row of the source has no value in a key column (${keys}).`);
  }
  const doubles = await client.query(`select from ${staging} group by ${keys} having count(*) > 1 limit 1`);
  if (doubles.rowCount) {
    throw new WriteRefusal('key-not-unique', `Two rows of the source have the same key (${keys}).`);
  }
}

async function upsert(client: pg.Client, plan: WritePlan, { staging, target }: Tables): Promise<WriteCounts> {
  const names = plan.columns.map(({ to }) => to);
  const changed = names.filter((name) => !plan.keyColumns.includes(name));
  const all = await count(client, `select count(*) as n from ${staging}`);
  const change =
    changed.length === 0
      ? 'do nothing'
      : `do update set ${changed.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}
         where ${isDifferent(changed)}`;
  const { rows } = await client.query<{ inserted: string; updated: string }>(
    `with written as (
       ${into(plan, target.concat(' as t'))} select ${quotedList(names)} from ${staging}
       on conflict (${quotedList(plan.keyColumns)}) ${change}
       returning t.xmax = 0 as is_new)
     select count(*) filter (where is_new) as inserted, count(*) filter (where not is_new) as updated from written`,
  );
  const inserted = Number(rows[0]?.inserted ?? 0);
  const updated = Number(rows[0]?.updated ?? 0);
  return counts({ inserted, updated, unchanged: all - inserted - updated });
}

/** Compares texts: this includes types without an order or equality, such as json. */
const isDifferent = (names: readonly string[]): string =>
  names.map((name) => `t.${quoted(name)}::text is distinct from excluded.${quoted(name)}::text`).join(' or ');

async function deleteMissing(
  client: pg.Client,
  plan: WritePlan,
  { staging, target }: Tables,
): Promise<number> {
  const same = plan.keyColumns.map((name) => `s.${quoted(name)} = t.${quoted(name)}`).join(' and ');
  const { rowCount } = await client.query(
    `delete from ${target} as t where not exists (select from ${staging} as s where ${same})`,
  );
  return rowCount ?? 0;
}

function assertDeletedShare(deleted: number, before: number, shareMax: number): void {
  if (isShareAllowed(deleted, before, shareMax)) return;
  throw new WriteRefusal(
    'too-many-deletes',
    `${formatCount(deleted)} of ${plural(before, 'row')} would be deleted, which is more than the share of ${shareMax} that is allowed.`,
  );
}
